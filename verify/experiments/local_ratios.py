"""Compare measured values with proved bounds on many random configurations, and report the largest ratio."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

import numpy as np

from verify.claim import Claim, Evidence, Task, Verdict

ROUNDING = 1e-6  # equality is attained (one local step, slowest direction): rounding of mu, amplified over the rounds


@dataclass(frozen=True)
class Ratio:
    """A measured value and its bound at one configuration."""

    measured: float
    bound: float
    where: str

    @property
    def value(self) -> float:
        return self.measured / self.bound if self.bound else (0.0 if self.measured <= 0 else float("inf"))


One = Callable[[np.random.Generator], Ratio | None]  # one configuration at random; None: it compares nothing
Hardest = tuple[tuple[int, float], tuple[int, float]]


def sampled(task: Task, one: One, count: int, hardest: tuple[int, ...] = ()) -> Iterator[Ratio]:
    """Yield ratios of a measured value to its bound. The first ones are those of the seeds `hardest`, which gave the
    largest ratios so far; then `count` random ones follow. one(rng) draws a configuration and returns its ratio, or
    None if there is nothing to compare."""
    for seed in hardest:
        if (known := one(np.random.default_rng(seed))) is not None:
            yield known
    rng = task.rng()
    while count:
        if (ratio := one(rng)) is not None:
            count -= 1
            yield ratio


def worst(ratios: Iterable[Ratio]) -> Ratio | None:
    return max(ratios, key=lambda ratio: ratio.value, default=None)


def cut(largest: float) -> float:
    """Return the factor on the bound in a negative control. It is slightly below `largest`, the largest known ratio of
    a measured value to its bound."""
    # with the slack 1 - largest it is largest - slack/10, but at least largest/1.1 and at most 0.9999 largest
    return min(max(largest - (1 - largest) / 10, largest / 1.1), (1 - 1e-4) * largest)


def judged(ratios: Iterable[Ratio], what: str, shrink: float = 1.0) -> Evidence:
    """Return the verdict on the statement that ratios of a measured value to its bound are at most `shrink`: refuted,
    or checked in floating point. what: the measured quantity, in words. shrink: 1, or a smaller number in a negative
    control."""
    found = []
    for ratio in ratios:
        found.append(ratio)
        if ratio.value / shrink > 1 + ROUNDING:
            break
    largest = max(found, key=lambda ratio: ratio.value)
    value = largest.value / shrink
    median = float(np.median([ratio.value for ratio in found])) / shrink
    figures = dict(configurations=len(found), worst_ratio=value, median_ratio=median, where=largest.where)
    if value > 1 + ROUNDING:
        return Evidence(Verdict.REFUTED, f"{what}: {value:.4g} times the bound at {largest.where}", figures)
    said = f"{what}: at most {value:.4g} of the bound in {len(found)} configurations, in floating point"
    return Evidence(Verdict.FLOAT, f"{said} (largest at {largest.where})", figures)


def compared(
    task: Task,
    one: One,
    what: str,
    counts: tuple[int, int],
    hardest: tuple[int, ...] = (),
    shrink: float = 1.0,
) -> Evidence:
    """Compare measured values with `shrink` times their bounds on random configurations. one(rng) draws a configuration
    and returns its ratio. counts: the numbers of configurations in the quick and in the full profile. hardest: seeds of
    the configurations with the largest ratios so far. what: the measured quantity, in words."""
    return judged(sampled(task, one, counts[task.full], hardest), what, shrink)


def enter_bias_and_rate(
    claim: Claim,
    bias: One,
    rate: Callable[..., Ratio | None],
    counts: tuple[int, int],
    hardest: Hardest,
    rounds: int,
) -> None:
    """Add two checks of a local method to a claim: `bias` about its fixed point, `rate` about its convergence.

    * bias(rng) draws a problem, and compares the loss of the fixed point, above the minimum, with its bound
    * rate(rng) does the same for the loss after r rounds, for `rounds` values of r; with rate(rng, speed=s), for the
      negative control, the bound decreases s times faster
    * counts: for each check, the number of random problems in the full profile
    * hardest: for each check, the seed of the hardest known problem, and its ratio of loss to bound
    """
    (bias_seed, bias_share), (rate_seed, rate_share) = hardest
    given: dict[str, Any] = dict(
        one=bias, what="gap of the fixed point", counts=(40, counts[0]), hardest=(bias_seed,)
    )
    about = "Compare the gap of the fixed point with its bound on random problems; control: a smaller bound"
    claim.check("bias", name="bias", about=about, given=given, control=dict(shrink=cut(bias_share)))(compared)
    given = dict(
        one=rate,
        what=f"gap after r rounds, the worst of {rounds}",
        counts=(30, counts[1]),
        hardest=(rate_seed,),
    )
    about = "Compare the gap after r rounds with its bound on random problems; control: a faster contraction"
    faster = dict(one=partial(rate, speed=1 / cut(rate_share)))
    claim.check("rate", name="rate", about=about, given=given, control=faster)(compared)


def judging(what: str) -> Callable[[Callable[..., Iterable[Ratio]]], Callable[..., Evidence]]:
    """Return a decorator for a function that takes a Task and yields ratios of a measured value to its bound. The
    decorated function is a check of a claim, which a ratio above 1 refutes. what: the measured quantity, in words."""

    def decorate(function: Callable[..., Iterable[Ratio]]) -> Callable[..., Evidence]:
        @wraps(function)
        def check(task: Task, **parameters: Any) -> Evidence:
            return judged(function(task, **parameters), what)

        return check

    return decorate
