"""Compute a lower bound on the regret of FedIGW on instances with gap 1: in every context one arm has mean 1 and all
others have mean 0.

    Reg(T) >= sum_m E^1_m (1 - 1/K_m) + sum_{l>=2} sum_m E^l_m (K_m - 1)/(K_m + gamma^l)

E^l_m is the number of steps of agent m in epoch l, K_m its number of arms, gamma^l the learning rate of inverse gap
weighting. The bound holds for any learned functions with values in [0,1]: their gaps are at most 1, so inverse gap
weighting gives every arm at least the probability 1/(K + gamma).
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
    """The learning rates of FedIGW for epochs that end at steps 2, 4, 8, ..., from which a lower bound on the regret
    follows.

    arms    number of arms
    rate    maps the length of an epoch to the policy's learning rate gamma in the next epoch
    limit   the limit of (upper regret bound)/(lower regret bound) as the excess risk tends to 0
    """

    arms: int
    rate: Callable[[int], float]
    limit: float

    def loses_at_least(self, previous: int) -> float:
        """Return the least regret of a step of one agent if one arm has mean reward 1 and all others 0. `previous`:
        length of the epoch before, or 0 for epoch 1, where play is uniform."""
        return float(step(self.arms, self.rate(previous)) if previous else first_step(self.arms))


def step(arms: int, rate: Value) -> Value:
    """Return the least expected regret of a step of inverse gap weighting if one arm has mean reward 1 and all others
    0: (arms - 1)/(arms + rate), where `rate` is the policy's learning rate gamma and estimates are in [0,1]."""
    return (arms - 1) / (arms + rate)


def first_step(arms: int, like: Value = 1.0) -> Value:
    """Return 1 - 1/arms, the regret of a step of uniform play if one arm has mean reward 1 and all others 0. It is a
    float, a Fraction or a sympy number, like `like`."""
    return ratio(arms - 1, arms, like)


def regret(lengths: Sequence[Sequence[int]], arms: Sequence[int], rates: Sequence[Value]) -> Value:
    """Return the least regret of FedIGW if in every context one arm has mean reward 1 and all others 0, summed over
    agents and epochs. lengths[l][m]: steps of agent m in epoch l + 1. arms[m]: its number of arms. rates[l]: the
    policy's learning rate in epoch l + 1; epoch 1 is uniform."""
    first = sum(steps * first_step(k, rates[-1]) for steps, k in zip(lengths[0], arms, strict=True))
    later = (
        steps * step(k, rate)
        for row, rate in zip(lengths[1:], rates[1:], strict=True)
        for steps, k in zip(row, arms, strict=True)
    )
    return first + sum(later)
