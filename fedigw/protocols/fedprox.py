"""Learn by FedProx (Li et al. 2020): each agent minimises its own objective plus a proximal term, (proximal/2) times
the squared distance from the server's point.

The minimisation is exact or by local gradient steps. With proximal = 0 and local steps this is FedAvg.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.local_steps import Constants, LocalMethod, Rate


@dataclass(frozen=True)
class FedProx(LocalMethod):
    """FedProx: agents minimise their own objective plus (proximal/2) times the squared distance from the server's
    point. exact: whether they find the exact minimiser; local_steps and step_size are then not used."""

    proximal: float = 1.0
    exact: bool = True
    name: ClassVar[str] = "fedprox"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.proximal) and self.proximal >= 0):
            raise InputError("proximal", self.proximal, "must be a number of at least 0")
        if self.exact and self.batch is not None:
            raise InputError("batch", self.batch, "is for local steps: give exact = false")

    @property
    def needs(self) -> tuple[str, ...]:
        return ("local_gradients", "local_minimisers") if self.exact else ("local_gradients",)

    def rate(self, constants: Constants) -> Rate:
        from bounds import app_fedprox as theorem

        if not self.exact or self.participants is not None or self.average:
            return Rate(None, None, ("the rate is for exact local solves, all agents and the last point",))
        if not constants.quadratic:
            return Rate(None, None, ("the rate is for quadratic losses",))
        if failed := theorem.conditions(self.proximal, self.server_step, constants.smoothness):
            return Rate(None, None, failed)

        def gap(rounds: int) -> float:
            return theorem.gap_bound(rounds, self.proximal, self.server_step, *constants.of_gap)

        return Rate("app:fedprox", gap)

    @property
    def pull(self) -> float:
        return self.proximal

    @property
    def solves(self) -> bool:
        return self.exact
