"""Learn by FedAvg (McMahan et al. 2017): local gradient steps, then the weighted mean of the agents' models.

If agents differ, several local steps lead to a point that is not the minimiser (app:local_operator says where).
"""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.local_steps import NOT_WHOLE, Constants, LocalMethod, Rate


@dataclass(frozen=True)
class FedAvg(LocalMethod):
    """FedAvg: agents make plain local gradient steps, and the server averages their last points."""

    name: ClassVar[str] = "fedavg"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    @property
    def row(self) -> str | None:
        return self.named("fedavg")

    @property
    def theorem(self) -> str:
        return "lem:FedAvg_complete"

    @property
    def surely(self) -> bool:
        return self.local_steps == 1  # gradient descent; else heterogeneity enters through its mean

    def rate(self, constants: Constants) -> Rate:
        return local_gradients_rate(self, constants)


def local_gradients_rate(method: LocalMethod, constants: Constants) -> Rate:
    """Return the proved convergence rate of FedAvg, or why there is none. It is proved for quadratic objectives
    (app:local_gradients) and for others (lem:FedAvg_complete), with full local gradients, all agents in every round,
    and the point after the last round as the result."""
    from bounds import app_local_gradients as theorem
    from bounds.local_steps import FEDAVG

    if not method.whole:
        return Rate(None, None, (NOT_WHOLE,))
    if not constants.quadratic:
        return method.theorem_rate(FEDAVG, "lem:FedAvg_complete", constants)
    steps = (method.local_steps, method.step_size, method.server_step)
    if failed := theorem.conditions(*steps, constants.smoothness):
        return Rate(None, None, failed)

    def gap(rounds: int) -> float:
        return theorem.gap_bound(rounds, *steps, *constants.of_gap)

    return Rate("app:local_gradients", gap)
