"""Run LSGD-PFL (Hanzely et al. 2021): local steps on shared and personal blocks; only the shared block is averaged.

Agent m has weight p_m and objective f_m with the regulariser lambda norm(alpha)^2 + (lambda/p_m) norm(beta_m)^2 of
the shared block alpha and the personal block beta_m, so that sum_m p_m f_m is the ridge problem in the coordinates
of all blocks. Without personal coordinates it is FedAvg.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fedigw.local_steps import Constants, LocalMethod, Rate
from fedigw.protocols.fedavg import local_gradients_rate

if TYPE_CHECKING:
    from bounds.col_convex_rounds import Rounds


@dataclass(frozen=True)
class LocalPersonal(LocalMethod):
    """Plain local steps on both blocks. Each personal block moves by server_step times the move of the local steps."""

    name: ClassVar[str] = "lsgd_pfl"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    @property
    def row(self) -> str | None:
        return self.named("lsgd_pfl")

    @property
    def theorem(self) -> str:
        return "col:convex_per"

    @property
    def convergence(self) -> str:
        return "lem:FedAvg_complete"  # where no coordinate is personal

    @property
    def scheduled_by(self) -> str:
        return self.theorem

    @property
    def proved_for(self) -> str:
        return "ridge regression with shared and personal coordinates"

    def _schedule(self, row: str, tolerance: float, samples: int, agents: int, dimension: int) -> Rounds:
        from bounds.theorems.col_convex_per import schedule

        return schedule(row, samples, agents, dimension, tolerance, self.local_steps, self.server_step)

    def rate(self, constants: Constants) -> Rate:
        return local_gradients_rate(self, constants)
