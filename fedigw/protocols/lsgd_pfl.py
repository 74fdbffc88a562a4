"""LSGD-PFL (Hanzely et al. 2021): local steps on shared and personal blocks; only the shared block is averaged.

f_m has the regulariser lambda norm(alpha)^2 + (lambda/p_m) norm(beta_m)^2, so that sum_m p_m f_m is the ridge problem
of the expanded feature. With nothing personal it is FedAvg.
"""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.local_steps import Constants, LocalMethod, Rate
from fedigw.protocols.fedavg import local_gradients_rate


@dataclass(frozen=True)
class LocalPersonal(LocalMethod):
    """Plain local steps on both blocks. Personal blocks move by server_step times their own move."""

    name: ClassVar[str] = "lsgd_pfl"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def rate(self, constants: Constants) -> Rate:
        return local_gradients_rate(self, constants)
