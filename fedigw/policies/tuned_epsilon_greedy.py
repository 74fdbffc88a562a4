"""Epsilon-greedy whose share of uniform play is the learning rate of the epoch; "tuned" is the rule of its theorem."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.theorem import Theorem
from fedigw.interfaces import Number, Policy
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class TunedEpsilonGreedy(Policy):
    """Epsilon-greedy with eps_l = min(1, (K e_{l-1}/2)^{1/3}) by the rule `tuned` (app:epsilon_greedy)."""

    name: ClassVar[str] = "tuned_epsilon_greedy"
    rational: ClassVar[bool] = True
    usual_rate: ClassVar[str] = "tuned"
    theorem: ClassVar[Theorem | str] = "app:epsilon_greedy"

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        """Return (..., K): share/K everywhere, and 1 - share more on the best arm; share = min(1, rate)."""
        share: Any = min(rate, type(rate)(1))
        return np.asarray((1 - share) * greedy_arm(scores) + share / scores.shape[-1])
