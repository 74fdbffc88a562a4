"""Play epsilon-greedy with a different probability of uniform play in each epoch.

This probability takes the place of the policy's learning rate, also in instance files. With learning_rate = "tuned" a
theorem prescribes the probability (app:epsilon_greedy).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.theorem import Theorem
from fedigw.interfaces import Number, Policy
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class TunedEpsilonGreedy(Policy):
    """Play uniformly with a probability that differs between epochs, else the arm with the best score. The probability
    takes the place of the learning rate. By the rule `tuned` it is min(1, (K e/2)^{1/3}) for K arms, where e is the
    excess risk of the model in use (app:epsilon_greedy)."""

    name: ClassVar[str] = "tuned_epsilon_greedy"
    rational: ClassVar[bool] = True
    usual_rate: ClassVar[str] = "tuned"
    theorem: ClassVar[Theorem | str] = "app:epsilon_greedy"

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        share: Any = min(rate, type(rate)(1))
        return np.asarray((1 - share) * greedy_arm(scores) + share / scores.shape[-1])
