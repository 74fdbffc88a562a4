"""Measured over proved for local methods: the largest ratio over many problems, as evidence."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np

from verify.claim import Evidence, Task, Verdict

ROUNDING = 1e-6  # equality is attained (one local step, slowest direction): rounding of mu, amplified over the rounds


@dataclass(frozen=True)
class Ratio:
    """measured <= bound at one configuration."""

    measured: float
    bound: float
    where: str

    @property
    def value(self) -> float:
        return self.measured / self.bound if self.bound else (0.0 if self.measured <= 0 else float("inf"))


One = Callable[[np.random.Generator], Ratio | None]  # one configuration at random; None: it compares nothing


def sampled(task: Task, one: One, count: int, hardest: tuple[int, ...] = ()) -> Iterator[Ratio]:
    """Return the hardest configurations known, each by the seed that draws it, then `count` more by chance."""
    for seed in hardest:
        if (known := one(np.random.default_rng(seed))) is not None:
            yield known
    rng = task.rng()
    while count:
        if (ratio := one(rng)) is not None:
            count -= 1
            yield ratio


def worst(ratios: Iterable[Ratio]) -> Ratio | None:
    """Return the largest of one configuration's comparisons, its rounds say."""
    return max(ratios, key=lambda ratio: ratio.value, default=None)


def cut(largest: float) -> float:
    """Return what a control multiplies a bound by, of which measurements reach the share `largest`.

    Its slack is 1 - largest. A control takes away the slack and a tenth of it more; where the slack is larger than what
    is reached, the slack and a tenth of what is left (largest/1.1); where there is none, 1/10000. What remains is false
    at the hardest configuration known, and a check that cannot say so does not see the constant.
    """
    return min(max(largest - (1 - largest) / 10, largest / 1.1), (1 - 1e-4) * largest)


def judged(ratios: Iterable[Ratio], what: str, shrink: float = 1.0) -> Evidence:
    """Refuted by the first measurement that exceeds `shrink` times its bound, else computed; says how many
    configurations there were and the largest ratio. shrink, for controls: cut() of the largest ratio known."""
    found = []
    for ratio in ratios:
        found.append(ratio)
        if ratio.value / shrink > 1 + ROUNDING:
            break
    largest = max(found, key=lambda ratio: ratio.value)
    value = largest.value / shrink
    figures = {
        "configurations": len(found),
        "worst_ratio": value,
        "median_ratio": float(np.median([ratio.value for ratio in found])) / shrink,
        "where": largest.where,
    }
    if value > 1 + ROUNDING:
        return Evidence(Verdict.REFUTED, f"{what}: {value:.4g} times the bound at {largest.where}", figures)
    return Evidence(
        Verdict.FLOAT,
        f"{what}: at most {value:.4g} of the bound in {len(found)} configurations, in floating point"
        f" (largest at {largest.where})",
        figures,
    )


def judging(what: str) -> Callable[[Callable[..., Iterable[Ratio]]], Callable[..., Evidence]]:
    """Make a check of a function that yields ratios: they are judged."""

    def decorate(function: Callable[..., Iterable[Ratio]]) -> Callable[..., Evidence]:
        @wraps(function)
        def check(task: Task, **parameters: Any) -> Evidence:
            return judged(function(task, **parameters), what)

        return check

    return decorate
