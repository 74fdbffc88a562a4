"""Play epsilon-greedy: with probability epsilon uniformly, else the arm with the best score."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from bounds.theorem import Theorem
from fedigw.interfaces import Number, Policy
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class EpsilonGreedy(Policy):
    """Play uniformly with probability epsilon, the same in every epoch, else the arm with the best score."""

    epsilon: float = 0.1
    name: ClassVar[str] = "epsilon_greedy"
    rational: ClassVar[bool] = True
    theorem: ClassVar[Theorem | str] = "app:epsilon_greedy"

    def __post_init__(self) -> None:
        if not 0 <= self.epsilon <= 1:
            raise InputError("epsilon", self.epsilon, "must be a number in [0,1]")

    @property
    def fixed_share(self) -> float:
        return float(self.epsilon)

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        # the decimal that was written, where the scores are rationals
        share: Any = Fraction(str(self.epsilon)) if scores.dtype == object else self.epsilon
        return np.asarray((1 - share) * greedy_arm(scores) + share / scores.shape[-1])
