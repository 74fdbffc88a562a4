"""UCB: the arm with the largest score plus a multiple of its width. It needs widths, and so a protocol that sends
them.

Not a good rule here: FedIGW's epochs learn from their own data alone, so the arms that an epoch did not play are
unknown again in the next, and UCB goes back to them. In an epoch nothing is learned, so the arm of a context stays
the same until the epoch ends: unlike the rival systems of the LinUCB kind, whose widths shrink with every step.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Number, Policy
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class UCB(Policy):
    """radius: how many widths are added; 2.0 for want of a theorem about epochs."""

    radius: float = 2.0
    name: ClassVar[str] = "ucb"
    needs: ClassVar[tuple[str, ...]] = ("widths",)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.radius) and self.radius >= 0):
            raise InputError("radius", self.radius, "must be a number of at least 0")

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        """(..., K): 1 at the arm with the largest upper bound; greedy before widths are known. The rate is not used."""
        return greedy_arm(scores if widths is None else scores + self.radius * widths)
