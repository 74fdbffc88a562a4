"""Play the arm with the largest score (of equal ones the first). Such play may never find the best arm."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Number, Policy


@dataclass(frozen=True)
class Greedy(Policy):
    """Play greedily: probability 1 on the arm with the largest score."""

    name: ClassVar[str] = "greedy"
    rational: ClassVar[bool] = True

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        return greedy_arm(scores)


def greedy_arm(scores: np.ndarray) -> np.ndarray:
    """Return an array of the same shape (..., K) as the scores, with 1 at the arm with the largest score and 0
    elsewhere. For Fractions it holds Fractions."""
    best = np.arange(scores.shape[-1]) == np.argmax(scores, axis=-1)[..., None]
    return np.asarray(np.where(best, 0 * scores + 1, 0 * scores))
