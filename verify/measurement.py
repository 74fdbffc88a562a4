"""A measured mean against a bound: supported, refuted or undecided at a stated error level, or vacuous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.statistics import mean_interval, mean_is_above, mean_is_below
from verify.verdict import Verdict


@dataclass(frozen=True)
class Comparison:
    """mean, with a confidence interval [low, high], against bound; factor = bound/mean.

    vacuous: the bound is not below what anybody knows without it; such a comparison is reported and never counted.
    """

    where: str
    mean: float
    low: float
    high: float
    bound: float
    trivial: float
    vacuous: bool
    verdict: Verdict

    @property
    def factor(self) -> float:
        return self.bound / self.mean if self.mean > 0 else float("inf")

    def json(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "bound": self.bound,
            "factor": self.factor if self.mean > 0 else None,
            "vacuous": self.vacuous,
            "verdict": str(self.verdict),
        }


def compare(
    where: str,
    sample: np.ndarray,
    largest: float,
    bound: float,
    trivial: float,
    level: float,
    informative: bool = True,
) -> Comparison:
    """Is the mean of `sample`, whose values lie in [0, largest], below `bound`?

    Two betting tests at level/4 each and an interval at level/2: one comparison errs with probability at most `level`.
    """
    if largest <= 0:
        return Comparison(where, 0.0, 0.0, 0.0, bound, trivial, False, Verdict.SUPPORTED)
    scaled = np.clip(sample / largest, 0.0, 1.0)
    low, high = mean_interval(scaled, level / 2)
    if mean_is_below(scaled, bound / largest, level / 4):
        verdict = Verdict.SUPPORTED
    elif mean_is_above(scaled, bound / largest, level / 4):
        verdict = Verdict.REFUTED
    else:
        verdict = Verdict.INCONCLUSIVE
    vacuous = bound >= trivial or not informative
    return Comparison(
        where, float(sample.mean()), low * largest, high * largest, bound, trivial, vacuous, verdict
    )


def overall(comparisons: list[Comparison]) -> Verdict:
    """Refuted if any comparison refutes; supported if all that are not vacuous are; else inconclusive."""
    if any(c.verdict is Verdict.REFUTED for c in comparisons):
        return Verdict.REFUTED
    telling = [c for c in comparisons if not c.vacuous]
    if telling and all(c.verdict is Verdict.SUPPORTED for c in telling):
        return Verdict.SUPPORTED
    return Verdict.INCONCLUSIVE
