"""Play by inverse gap weighting, FedIGW's own policy.

With K arms and learning rate gamma, each arm other than the best has probability 1/(K + gamma x gap), where the gap is
the estimated reward of the best arm minus its own. The best arm has the rest.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.igw import inverse_gap_weights
from bounds.theorem import Theorem
from fedigw.interfaces import Number, Policy


@dataclass(frozen=True)
class InverseGapWeighting(Policy):
    """Play by inverse gap weighting, the policy of FedIGW, for which its regret theorem is proved."""

    name: ClassVar[str] = "igw"
    rational: ClassVar[bool] = True  # Fractions in, Fractions out: the exact law may use it
    theorem: ClassVar[Theorem | str] = "thm:global_regret"

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        return inverse_gap_weights(scores, rate)
