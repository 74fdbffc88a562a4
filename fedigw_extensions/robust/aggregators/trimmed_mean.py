"""The coordinate-wise trimmed mean: the `cut` largest and smallest values of every coordinate are left out.

Against f <= cut lying agents of M the squared distance from the honest mean is at most f/(M - 2f) times the honest
variance when cut = f (equal weights; app:robust_mean); no rule has a smaller constant. With unequal weights what is
left is weighed, and nothing is proved.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Aggregator
from fedigw_extensions.robust.bounds import app_robust_mean


@dataclass(frozen=True)
class TrimmedMean(Aggregator):
    """cut: how many values are left out at each end."""

    cut: int = 1
    name: ClassVar[str] = "trimmed_mean"
    coordinatewise: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.cut < 0:
            raise InputError("cut", self.cut, "must be an integer of at least 0")

    def check(self, agents: int) -> None:
        if 2 * self.cut >= agents:
            most = (agents - 1) // 2
            raise InputError(
                "link.aggregator.cut", self.cut, f"leaves nobody of {agents} agents; at most {most}"
            )

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """(P, ...), (P,) -> (...): the weighted mean of what is left in every coordinate."""
        self.check(len(messages))
        order = np.argsort(messages, axis=0, kind="stable")[self.cut : len(messages) - self.cut]
        kept, share = np.take_along_axis(messages, order, axis=0), weights[order]
        return np.asarray((kept * share).sum(axis=0) / share.sum(axis=0))

    def constant(self, agents: int, lying: int) -> Fraction | None:
        """kappa of app:robust_mean, which is about cut = f. Fewer lying agents than `cut`: count some honest ones among
        them; more: nothing is proved."""
        return app_robust_mean.least(agents, lying) if lying == self.cut else None
