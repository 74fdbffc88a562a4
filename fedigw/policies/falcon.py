"""Play by FALCON (Simchi-Levi and Xu 2020): inverse gap weighting as in that paper. With one agent FedIGW is FALCON.

    p(a) = 1/(K + gamma (yhat(b) - yhat(a))) for a != b, p(b) = 1 - sum of these, b = argmax yhat

K is the number of arms, gamma the learning rate, yhat the estimate. It is written from that paper, not from
alg:FedIGW_agent. A test compares both bit by bit, for M = 1, in whole runs. With more agents it is FedIGW.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.theorem import Theorem
from fedigw.interfaces import Number
from fedigw.policies.igw import InverseGapWeighting


@dataclass(frozen=True)
class Falcon(InverseGapWeighting):
    """Play by FALCON's rule. It is the same as inverse gap weighting, so the theorem applies to it as well."""

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
