"""Play adaptive greedy: the arm with the best score if that reaches a threshold, else a uniformly random arm."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Number, Policy
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class AdaptiveGreedy(Policy):
    """Play the arm with the best score if that is at least `threshold`, else all arms with equal probability. The
    threshold is the same in every epoch. This policy may play a worse arm for ever."""

    threshold: float = 0.5
    name: ClassVar[str] = "adaptive_greedy"
    rational: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not np.isfinite(self.threshold):
            raise InputError("threshold", self.threshold, "must be a finite number")

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        exact = scores.dtype == object
        threshold: Any = Fraction(str(self.threshold)) if exact else self.threshold
        arms = scores.shape[-1]
        uniform = 0 * scores + (Fraction(1, arms) if exact else 1 / arms)
        good = np.asarray(scores.max(axis=-1, keepdims=True) >= threshold, dtype=bool)
        return np.asarray(np.where(good, greedy_arm(scores), uniform))
