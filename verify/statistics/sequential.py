"""Decide sequentially: draw values until their mean is known to be below or above a bound, or the budget is used up.

The test of confidence.py must know the sample size beforehand; the test here need not. A gambler divides her capital
over several constant bets, and her wealth is the average of theirs. If E X = m, her wealth is a martingale, so the
probability that it ever reaches 1/level is at most `level` (Ville's inequality).
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from verify.verdict import Verdict

# Fractions of the largest bet, 1/(1-m): the best is within a factor 2 of one of them down to gaps of 10^-4.
FRACTIONS = 0.99 * 2.0 ** -np.arange(12)
FIRST_BATCH = 32
Sampler = Callable[[int], np.ndarray]


class Gambler:
    """A gambler who bets that values in [0,1] have a mean below m. see(values) updates her wealth. log_wealth: the
    logarithm of her largest wealth so far."""

    def __init__(self, m: float) -> None:
        self.m = m
        self._logs = np.zeros(FRACTIONS.size)
        self.log_wealth = -math.inf if m <= 0 else math.inf if m > 1 else 0.0

    def see(self, draws: np.ndarray) -> None:
        if draws.size == 0:
            return
        if draws.min() < 0 or draws.max() > 1:
            raise ValueError("sample outside [0,1]")
        if not 0 < self.m < 1:
            # E X >= 1 means that X is always 1: one other value refutes it for sure
            if self.m == 1 and draws.min() < 1:
                self.log_wealth = math.inf
            return
        # a bet f/(1-m) multiplies the capital by 1 + f (m - X)/(1 - m), positive at X = 1 because f < 1
        gains = (self.m - draws) / (1 - self.m)
        logs = self._logs[:, None] + np.cumsum(np.log1p(FRACTIONS[:, None] * gains), axis=1)  # (J, n)
        top = logs.max(axis=0)
        wealth = top + np.log(np.exp(logs - top).mean(axis=0))
        self.log_wealth = max(self.log_wealth, float(wealth.max()))
        self._logs = logs[:, -1]


@dataclass(frozen=True)
class Decision:
    """The verdict on "the mean is at most the bound", and the sample. Measured: the mean is below the bound; refuted:
    it is above; undecided: the budget was used up first."""

    verdict: Verdict
    sample: np.ndarray

    @property
    def mean(self) -> float:
        return float(self.sample.mean())


def batches(budget: int, least: int = 0) -> Iterator[int]:
    """Yield the sizes of batches of values, up to `budget` values in total. The first batch has FIRST_BATCH values, or
    `least` if that is more; each later batch doubles the sample."""
    seen = 0
    while seen < budget:
        size = min(max(FIRST_BATCH, least, seen), budget - seen)
        yield size
        seen += size


def decide(draw: Sampler, bound: float, level: float, budget: int, least: int = 0) -> Decision:
    """Decide whether a mean is below or above `bound`. The answer is wrong with probability at most `level`, whenever
    the drawing stops. draw(n) returns n further independent values in [0,1]. At least `least` and at most `budget`
    values are drawn."""
    below, above = Gambler(bound), Gambler(1 - bound)
    needed = math.log(2 / level)
    sample = np.empty(0)
    for size in batches(budget, least):
        fresh = np.asarray(draw(size), dtype=float)
        sample = np.concatenate([sample, fresh])
        below.see(fresh)
        above.see(1 - fresh)
        if max(below.log_wealth, above.log_wealth) >= needed and sample.size >= least:
            break
    if below.log_wealth >= needed or bound >= 1:
        return Decision(Verdict.MEASURED, sample)
    if above.log_wealth >= needed:
        return Decision(Verdict.REFUTED, sample)
    return Decision(Verdict.UNDECIDED, sample)


def interval(sample: np.ndarray, level: float) -> tuple[float, float]:
    """Return a confidence interval for the mean of values in [0,1]. It is valid for all sample sizes together, and
    therefore also if a sequential test chose the size."""
    draws = np.asarray(sample, dtype=float)
    return 1 - _upper(1 - draws, level / 2), _upper(draws, level / 2)


def _upper(draws: np.ndarray, level: float) -> float:
    low, high = float(draws.mean()), 1.0
    for _ in range(20):
        middle = (low + high) / 2
        gambler = Gambler(middle)
        gambler.see(draws)
        if gambler.log_wealth >= math.log(1 / level):
            high = middle
        else:
            low = middle
    return high
