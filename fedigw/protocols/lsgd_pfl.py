"""Learn by LSGD-PFL (Hanzely et al. 2021): agents make local steps on shared and on personal coordinates, of which only
the shared ones are sent and averaged.

Agent m has weight p_m in the joint objective. The penalty on the squared norm is lambda for its shared coordinates and
lambda/p_m for its personal ones, so that the joint objective is a ridge problem in all coordinates. Without personal
coordinates this is FedAvg.
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
    """LSGD-PFL: plain local gradient steps on shared and personal coordinates. At the end of a round an agent's
    personal coordinates change by server_step times the sum of their local steps."""

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

        return schedule(row, samples, agents, dimension, tolerance, *self.given)

    def rate(self, constants: Constants) -> Rate:
        return local_gradients_rate(self, constants)
