"""Play by FALCON (Simchi-Levi and Xu 2020), whose policy is inverse gap weighting. With one agent FedIGW is FALCON.

With K arms and learning rate gamma, each arm other than the best has probability 1/(K + gamma x gap), where the gap is
the estimated reward of the best arm minus its own. The best arm has the rest. This file is written from FALCON's paper,
not from FedIGW's. A test compares whole simulations of both, for one agent, bit by bit.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.theorem import Theorem
from fedigw.interfaces import Number
from fedigw.policies.igw import InverseGapWeighting


@dataclass(frozen=True)
class Falcon(InverseGapWeighting):
    """Play by FALCON's rule. It is the same as inverse gap weighting, so the same regret theorem applies."""

    name: ClassVar[str] = "falcon"
    theorem: ClassVar[Theorem | str] = InverseGapWeighting.theorem

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        arms = scores.shape[-1]
        best = np.argmax(scores, axis=-1)[..., None]
        top = np.take_along_axis(scores, best, axis=-1)
        others = 1 / (arms + rate * (top - scores))
        np.put_along_axis(others, best, 0 * top, axis=-1)
        np.put_along_axis(others, best, 1 - others.sum(axis=-1, keepdims=True), axis=-1)
        return np.asarray(others)
