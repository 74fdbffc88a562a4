"""The squared loss (z - r)^2 of a score z and a reward r, for ridge regression. Mean rewards are the scores themselves.

With this loss learning needs only the sums of phi phi' and r phi over samples with features phi and rewards r.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Loss


@dataclass(frozen=True)
class Squared(Loss):
    """The squared loss (z - r)^2 of a score z and a reward r. The true parameter must have norm at most 1."""

    name: ClassVar[str] = "squared"
    quadratic: ClassVar[bool] = True

    @property
    def curvatures(self) -> tuple[float, float]:
        return 2.0, 2.0

    def value(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        return np.asarray((scores - rewards) ** 2)

    def slope(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        return np.asarray(2 * (scores - rewards))

    def bend(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        return np.full_like(scores, 2.0)

    def link(self, scores: np.ndarray) -> np.ndarray:
        return scores
