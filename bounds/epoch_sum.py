"""Regret bounds as a sum over epochs, for a synchronous system under tau^l = 2^l, at any horizon.

Every term is linear in the steps played, so the sum to T and the first T at which it beats the trivial
M T cost one visit per epoch (40 epochs reach T = 10^12).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bounds.schedules import doubling_lengths

# Lengths up to 2^1000 are floats; a bound not informative by then never is for anybody's purpose.
LAST_EPOCH = 1000


@dataclass(frozen=True)
class EpochSum:
    """The bound: first_rate per step of epoch 1, then rate(E^{l-1}) per step of epoch l >= 2, over all agents.

    capped: no epoch is charged more than its trivial regret, `agents` per step.
    """

    agents: int
    first_rate: float
    rate: Callable[[int], float]
    capped: bool

    def value(self, horizon: int) -> float:
        """The bound on Reg(T), T = horizon, with the last epoch cut at T and e_{l-1} from the full length."""
        total, start, previous = 0.0, 0, 0
        for length in doubling_lengths():
            rate = self.rate(previous) if previous else self.first_rate
            if self.capped:
                rate = min(rate, float(self.agents))
            total += rate * min(length, horizon - start)
            start, previous = start + length, length
            if start >= horizon:
                return total
        raise AssertionError("the doubling schedule has no end")

    def first_informative_horizon(self) -> int | None:
        """The smallest T >= 3 whose uncapped sum, epoch 1 charged M a step, is below M T.

        Within an epoch B + r (T - tau) < M T is linear in T: solved, not scanned.
        """
        bound, start, previous = 2.0 * self.agents, 2, 2
        for _ in range(LAST_EPOCH):
            length, rate = start, self.rate(previous)  # after the first epoch tau^{l-1} = 2^{l-1} = E^l
            if bound + rate < self.agents * (start + 1):
                return start + 1
            if rate < self.agents:
                crossing = int((bound - rate * start) // (self.agents - rate)) + 1
                # floor() of a float quotient can be off by one either way
                while crossing > start + 1 and self._informative(bound, rate, start, crossing - 1):
                    crossing -= 1
                while not self._informative(bound, rate, start, crossing):
                    crossing += 1
                if crossing <= start + length:
                    return crossing
            bound, start, previous = bound + rate * length, start + length, length
        return None

    def _informative(self, bound: float, rate: float, start: int, horizon: int) -> bool:
        return bound + rate * (horizon - start) < self.agents * horizon
