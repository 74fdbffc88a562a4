"""Coordinate-wise trimmed mean: in every coordinate the `cut` largest and the `cut` smallest values are left out.

If f = cut of M agents lie, the result's squared distance from the mean of the honest messages is at most f/(M - 2f)
times their variance (equal weights; app:robust_mean), and no rule has a smaller constant. With unequal weights the
remaining values are weighted, and nothing is proved.
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
    """Coordinate-wise trimmed mean. cut: the number of values left out at each end."""

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
        self.check(len(messages))
        order = np.argsort(messages, axis=0, kind="stable")[self.cut : len(messages) - self.cut]
        kept, share = np.take_along_axis(messages, order, axis=0), weights[order]
        return np.asarray((kept * share).sum(axis=0) / share.sum(axis=0))

    def constant(self, agents: int, lying: int) -> Fraction | None:
        """Return kappa: the squared distance from the mean of the honest messages is at most kappa times their
        variance. None unless lying = cut; if fewer agents lie, callers may count some honest ones as lying."""
        return app_robust_mean.least(agents, lying) if lying == self.cut else None
