"""Compare a measured mean with a bound. The verdict is measured, refuted or undecided, at a stated error level. If the
bound is not below the trivial one, which holds without the claim, the comparison is vacuous."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.statistics.confidence import mean_interval, mean_is_above, mean_is_below
from verify.statistics.sequential import decide, interval
from verify.verdict import Verdict


@dataclass(frozen=True)
class Comparison:
    """A mean with its confidence interval [low, high], compared with a bound. where: what was measured, in words.
    trivial: the bound that holds without the claim. vacuous: whether `bound` is not below `trivial`, or not below the
    largest possible value; a vacuous comparison is reported but does not count."""

    where: str
    mean: float
    low: float
    high: float
    bound: float
    trivial: float
    vacuous: bool
    verdict: Verdict
    replications: int | None = None

    @property
    def factor(self) -> float:
        return self.bound / self.mean if self.mean > 0 else float("inf")

    def json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in ("where", "mean", "low", "high", "bound")}
        found |= {"factor": self.factor if self.mean > 0 else None, "vacuous": self.vacuous}
        found |= self.verdict.fields
        return found | ({"replications": self.replications} if self.replications is not None else {})


ROUNDING = 1e-9  # sums of some 40 rounded epochs


def within_unit(sample: np.ndarray, largest: float) -> np.ndarray:
    """Return sample/largest. Values outside [0,1] by a rounding error are set to 0 or 1; raise ValueError if one is
    farther outside."""
    scaled = sample / largest
    if scaled.min(initial=0.0) < -ROUNDING or scaled.max(initial=0.0) > 1 + ROUNDING:
        raise ValueError(f"a value of {float(sample.max())} exceeds the largest possible {largest}")
    return np.clip(scaled, 0.0, 1.0)


def compare(
    where: str, sample: np.ndarray, largest: float, bound: float, trivial: float, level: float
) -> Comparison:
    """Decide whether the mean of `sample`, whose values are in [0, largest], is at most `bound`. Verdict and confidence
    interval are each wrong with probability at most level/2. trivial: the bound that holds without the claim. where:
    what was measured, in words."""
    if largest <= 0:
        return Comparison(where, 0.0, 0.0, 0.0, bound, trivial, True, Verdict.MEASURED)
    scaled = within_unit(sample, largest)
    low, high = mean_interval(scaled, level / 2)
    verdict = mean_against(scaled, bound / largest, level / 2)
    vacuous = bound >= min(trivial, largest)
    ends = low * largest, high * largest
    return Comparison(where, float(sample.mean()), *ends, bound, trivial, vacuous, verdict)


def mean_against(sample: np.ndarray, bound: float, level: float) -> Verdict:
    """Return the verdict on "the mean of independent values in [0,1] is at most `bound`", by two betting tests at
    level/2 each. sample: the values."""
    if bound >= 1 or mean_is_below(sample, bound, level / 2):
        return Verdict.MEASURED
    return Verdict.REFUTED if mean_is_above(sample, bound, level / 2) else Verdict.UNDECIDED


def measure(
    where: str,
    draw: Callable[[int], np.ndarray],
    largest: float,
    bound: float,
    trivial: float,
    level: float,
    budget: int,
    least: int = 0,
) -> Comparison:
    """Compare a mean with a bound sequentially: call draw(n) for n further values in [0, largest] until the answer is
    known or `budget` values are drawn.

    Verdict and confidence interval are each wrong with probability at most level/2, whenever the drawing stops. At
    least `least` values are drawn, so that pictures have narrow bands. trivial: the bound that holds without the claim.
    where: what is measured, in words.
    """
    if largest <= 0:
        return Comparison(where, 0.0, 0.0, 0.0, bound, trivial, True, Verdict.MEASURED)
    found = decide(lambda n: within_unit(draw(n), largest), bound / largest, level / 2, budget, least)
    low, high = interval(found.sample, level / 2)
    mean, vacuous, count = found.mean * largest, bound >= min(trivial, largest), found.sample.size
    ends = low * largest, high * largest
    return Comparison(where, mean, *ends, bound, trivial, vacuous, found.verdict, count)


def until_refuted(comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Return the comparisons up to the first refuted one. Later ones are not computed, because they cannot change the
    result."""
    found = []
    for one in comparisons:
        found.append(one)
        if one.verdict is Verdict.REFUTED:
            break
    return found


def overall(comparisons: list[Comparison]) -> Verdict:
    """Return the verdict on several comparisons together: refuted if one is refuted; measured if all that are not
    vacuous are measured; else undecided."""
    if any(c.verdict is Verdict.REFUTED for c in comparisons):
        return Verdict.REFUTED
    telling = [c for c in comparisons if not c.vacuous]
    if telling and all(c.verdict is Verdict.MEASURED for c in telling):
        return Verdict.MEASURED
    return Verdict.UNDECIDED
