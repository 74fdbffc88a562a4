"""Play by inverse gap weighting: of K arms, arm a has probability 1/(K + gamma (fhat(ahat) - fhat(a))), where fhat
is the estimate and gamma the learning rate; the greedy arm ahat has the rest."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.igw import inverse_gap_weights
from bounds.theorem import Theorem
from fedigw.interfaces import Number, Policy


@dataclass(frozen=True)
class InverseGapWeighting(Policy):
    """Play by the rule of alg:FedIGW_agent, to which the paper's theorem applies. The learning rate is gamma."""

    name: ClassVar[str] = "igw"
    rational: ClassVar[bool] = True  # Fractions in, Fractions out: the exact law may use it
    theorem: ClassVar[Theorem | str] = "thm:global_regret"

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        return inverse_gap_weights(scores, rate)
