"""The logistic loss ln(1 + e^z) - r z of a score z and a reward r, for |z| <= B, continued by parabolas beyond.

B bounds the norm of the true parameter, so no true score lies beyond. The parabolas have the curvature that the loss
has at B. So the curvature is bounded below on the whole line, as convergence rates and the excess risk require, and
Newton's and gradient methods need no constraint. Predictions are the logistic function of the score, which is cut to
[-B, B].
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from bounds import own_logistic_excess_risk
from bounds.errors import InputError
from fedigw.interfaces import Loss

MOST = 16.0  # B: the curvature is then 1e-7, and a constant about d 10^12


@dataclass(frozen=True)
class Logistic(Loss):
    """The logistic loss for scores in [-radius, radius], continued by parabolas beyond. radius: a bound on the norm of
    the true parameter."""

    radius: float = 1.0
    name: ClassVar[str] = "logistic"

    def __post_init__(self) -> None:
        if not 0 < self.radius <= MOST:
            raise InputError("radius", self.radius, f"must be a positive number up to {MOST:g}")

    @cached_property
    def curvatures(self) -> tuple[float, float]:
        return float(own_logistic_excess_risk.least_curvature(self.radius)), 0.25

    def link(self, scores: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-np.clip(scores, -self.radius, self.radius))))

    def value(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        inside = np.clip(scores, -self.radius, self.radius)
        beyond = scores - inside
        inner = np.logaddexp(0, inside) + beyond * (self.link(scores) + self.curvatures[0] / 2 * beyond)
        return np.asarray(inner - rewards * scores)

    def slope(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        inside = np.clip(scores, -self.radius, self.radius)
        return np.asarray(1 / (1 + np.exp(-inside)) + self.curvatures[0] * (scores - inside) - rewards)

    def bend(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        mean = self.link(scores)
        return np.asarray(mean * (1 - mean))
