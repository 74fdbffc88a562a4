"""Evaluate regret bounds that are sums over epochs, for agents with the same epochs, which end at steps 2, 4, 8, ....

Every term is linear in the steps played. So the bound at a horizon, the trivial bound without learning, and the first
horizon at which the bound is below the trivial one take one pass over the epochs; 40 epochs reach T = 10^12.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from bounds.own_lower_bound import Exploration
from bounds.report import Beside
from bounds.schedules import doubling_lengths

# Lengths up to 2^1000 are floats; a bound not informative by then never is for anybody's purpose.
LAST_EPOCH = 1000


@dataclass(frozen=True)
class EpochSum:
    """A regret bound that is a sum over epochs, for all agents together, given by its bound on one step of each epoch.

    agents        number of agents
    first_rate    bound on the regret of one step of epoch 1
    rate          maps the length of an epoch to the bound on one step of the next epoch
    capped        whether no epoch counts more than its trivial regret, 1 per step of each agent
    exploration   the policy's learning rates, if known; a lower bound follows from them
    one_arm       whether every agent has one arm, so that the regret is 0
    """

    agents: int
    first_rate: float
    rate: Callable[[int], float]
    capped: bool
    exploration: Exploration | None = None
    one_arm: bool = False

    def value(self, horizon: int) -> float:
        """Return the bound on the regret of all agents up to step `horizon`, where the last epoch is cut. Every model
        is learned from a complete epoch."""
        return self._sum(horizon, self._charge)

    def terms(self, horizon: int) -> list[float]:
        return [self._charge(previous) * steps for previous, steps in _epochs(horizon)]

    def trivial(self, horizon: int) -> float:
        """Return the regret bound that is known without learning: one per step of every agent, or 0 for one arm. If
        the bound is capped, a step of epoch 1 counts `first_rate`, as play is uniform."""
        # rounding never decides which of the two bounds is smaller: if `vacuous` holds, the result is at most
        # `value`, else above
        found, value = self._sum(horizon, self._cap), self.value(horizon)
        if self.vacuous(horizon):
            return min(found, value)
        return found if value < found else math.nextafter(value, math.inf)

    def lower(self, horizon: int) -> Beside | None:
        """Return a lower bound on the worst regret of the same policy (claim own:lower_bound), and the upper bound as
        a multiple of it. Return None if the policy's learning rates are not known or agents have one arm."""
        explored = self.exploration
        if explored is None or explored.arms < 2:
            return None
        value = self._sum(horizon, lambda previous: self.agents * explored.loses_at_least(previous))
        return Beside(value, self.value(horizon) / value, explored.limit)

    def vacuous(self, horizon: int) -> bool:
        """Return whether the bound is not below the trivial one, compared exactly, in rationals."""
        ahead = Fraction(0)
        for previous, steps in _epochs(horizon):
            ahead += (Fraction(self._charge(previous)) - Fraction(self._cap(previous))) * steps
        return ahead >= 0

    def first_informative_horizon(self) -> int | None:
        """Return the smallest horizon, at least 3, from which on the bound is below the trivial one, or None."""
        # nothing is learned in the two uniform steps of epoch 1; within an epoch the difference is linear, so the
        # first step below is a quotient, in rationals because sums of floats lose the difference from T = 2^53 on
        start, before = 2, 2
        ahead = (Fraction(self._charge(0)) - Fraction(self._cap(0))) * 2
        for _ in range(LAST_EPOCH):
            length = start  # tau^{l-1} = 2^{l-1} = E^l
            gained = Fraction(self._cap(before)) - Fraction(self._charge(before))
            if ahead < gained * length:
                return start + (max(1, math.floor(ahead / gained) + 1) if gained > 0 else 1)
            ahead -= gained * length
            start, before = start + length, length
        return None

    def _charge(self, previous: int) -> float:
        rate = self.rate(previous) if previous else self.first_rate
        return min(rate, float(self.agents)) if self.capped else rate

    def _cap(self, previous: int) -> float:
        if self.one_arm:
            return 0.0
        return self.first_rate if self.capped and not previous else float(self.agents)

    def _sum(self, horizon: int, charge: Callable[[int], float]) -> float:
        total = 0.0  # added one by one, so that a bound with every epoch at its cap is `trivial` to the last digit
        for previous, steps in _epochs(horizon):
            total += charge(previous) * steps
        return total


def _epochs(horizon: int) -> Iterator[tuple[int, int]]:
    start, previous = 0, 0
    for length in doubling_lengths():
        yield previous, min(length, horizon - start)
        start, previous = start + length, length
        if start >= horizon:
            return
