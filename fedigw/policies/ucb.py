"""Play the arm with the largest upper confidence bound: its score plus a multiple of the score's uncertainty, called
its width. This needs a protocol that sends widths.

The policy performs badly here. Each epoch of FedIGW learns from its own data only, so arms that an epoch did not play
are unknown in the next, and UCB plays them again. Nothing is learned within an epoch, so a context's arm stays the same
until the epoch ends. In rival algorithms such as LinUCB the widths shrink with every step.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Number, Policy
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class UCB(Policy):
    """Play the arm with the largest score plus `radius` times the score's uncertainty."""

    radius: float = 2.0
    name: ClassVar[str] = "ucb"
    needs: ClassVar[tuple[str, ...]] = ("widths",)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.radius) and self.radius >= 0):
            raise InputError("radius", self.radius, "must be a number of at least 0")

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        return greedy_arm(scores if widths is None else scores + self.radius * widths)
