"""The least regret of FedIGW on an instance with gap 1: in every context one arm has mean 1 and all others mean 0.

    Reg(T) >= sum_m E^1_m (1 - 1/K_m) + sum_{l>=2} sum_m E^l_m (K_m - 1)/(K_m + gamma^l)

Epoch l has E^l_m steps of agent m, who has K_m arms, and the learning rate gamma^l. The bound holds for any learning
routine with values in [0,1]: estimated gaps are at most 1, so every arm has probability at least 1/(K + gamma). For
M agents with equal epochs and K arms it is M E^1 (1 - 1/K) + sum_l M E^l (K-1)/(K+gamma^l).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bounds.arithmetic import Value, ratio

STATEMENT = ("own:lower_bound", "gap_one")
APPLIES = (
    "on every instance with gap 1 (in every context one arm of mean 1, all others 0) played with these learning rates"
    " and estimates in [0,1]; a run on another instance may lose less"
)


@dataclass(frozen=True)
class Exploration:
    """How much FedIGW explores, for epochs that end at steps 2, 4, 8, ... arms: the number K of arms.
    rate(previous): the learning rate after an epoch of `previous` steps. limit: what the ratio of upper to lower
    regret bound tends to as the excess risk tends to 0."""

    arms: int
    rate: Callable[[int], float]
    limit: float

    def loses_at_least(self, previous: int) -> float:
        """Return the least regret of a step of one agent on an instance with gap 1. previous: the length of the epoch
        before, or 0 for the uniform epoch 1."""
        return float(step(self.arms, self.rate(previous)) if previous else first_step(self.arms))


def step(arms: int, rate: Value) -> Value:
    """Return (K - 1)/(K + gamma), the least regret of a step on an instance with gap 1. It is a float, Fraction or
    symbol, like the learning rate."""
    return (arms - 1) / (arms + rate)


def first_step(arms: int, like: Value = 1.0) -> Value:
    """Return 1 - 1/K, the regret of a step of uniform play on an instance with gap 1. It is a float, Fraction or
    symbol, like `like`."""
    return ratio(arms - 1, arms, like)


def regret(lengths: Sequence[Sequence[int]], arms: Sequence[int], rates: Sequence[Value]) -> Value:
    """Return the least regret of FedIGW on an instance with gap 1. lengths[l][m]: steps of agent m in epoch l + 1.
    arms[m]: K_m. rates[l]: gamma^{l+1}; epoch 1 is uniform."""
    first = sum(steps * first_step(k, rates[-1]) for steps, k in zip(lengths[0], arms, strict=True))
    later = (
        steps * step(k, rate)
        for row, rate in zip(lengths[1:], rates[1:], strict=True)
        for steps, k in zip(row, arms, strict=True)
    )
    return first + sum(later)
