"""Coordinate-wise weighted median; for an even number of equal weights the midpoint.

If f of M agents lie, the median's squared distance from the mean of the honest messages is at most
(ceil(M/2)-1)/(floor(M/2)+1-f) times their variance for equal weights, and this is attained for every M. With weights it
is at most 1/(1-2 phi) times, where phi is the weight of the lying agents (app:robust_mean).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Aggregator
from fedigw_extensions.robust.bounds import app_robust_mean

ROUNDING = 1e-12  # of a sum of weights that should be one half


@dataclass(frozen=True)
class Median(Aggregator):
    """Coordinate-wise weighted median, without options."""

    name: ClassVar[str] = "median"
    coordinatewise: ClassVar[bool] = True

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        order = np.argsort(messages, axis=0, kind="stable")
        values = np.take_along_axis(messages, order, axis=0)
        reached = np.cumsum(weights[order], axis=0) / weights.sum()
        low = np.argmax(reached >= 0.5 - ROUNDING, axis=0)
        high = np.argmax(reached > 0.5 + ROUNDING, axis=0)
        picked = [np.take_along_axis(values, index[None], axis=0)[0] for index in (low, high)]
        return np.asarray((picked[0] + picked[1]) / 2)

    def constant(self, agents: int, lying: int) -> Fraction | None:
        return app_robust_mean.median(agents, lying)
