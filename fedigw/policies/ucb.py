"""Play the arm with the largest score plus a multiple of its uncertainty (UCB). It needs a protocol that sends the
uncertainties, called widths.

It performs badly here. Each epoch of FedIGW learns from its own data only, so arms that an epoch did not play are
unknown in the next, and UCB plays them again. Nothing is learned within an epoch, so a context's arm stays the same
until the epoch ends. In rival systems like LinUCB the widths shrink with every step.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Number, Policy
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class UCB(Policy):
    """Play by upper confidence bounds. radius: how many widths are added to a score; no theorem about epochs
    determines it."""

    radius: float = 2.0
    name: ClassVar[str] = "ucb"
    needs: ClassVar[tuple[str, ...]] = ("widths",)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.radius) and self.radius >= 0):
            raise InputError("radius", self.radius, "must be a number of at least 0")

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        return greedy_arm(scores if widths is None else scores + self.radius * widths)
