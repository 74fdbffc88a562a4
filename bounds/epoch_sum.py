"""Regret bounds as a sum over epochs, for a synchronous system under tau^l = 2^l, at any horizon.

Every term is linear in the steps played, so the sum to T, what is known without learning, and the first T at which the
one is below the other cost one visit per epoch (40 epochs reach T = 10^12).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bounds.own_lower_bound import Exploration
from bounds.report import Beside
from bounds.schedules import doubling_lengths

# Lengths up to 2^1000 are floats; a bound not informative by then never is for anybody's purpose.
LAST_EPOCH = 1000


@dataclass(frozen=True)
class EpochSum:
    """The bound: first_rate per step of epoch 1, then rate(E^{l-1}) per step of epoch l >= 2, over all agents.

    capped: no epoch is charged more than its trivial regret, `agents` per step.
    exploration: the learning rates behind the bound, where they are known; with them own:lower_bound says how far the
    bound can be from the truth.
    """

    agents: int
    first_rate: float
    rate: Callable[[int], float]
    capped: bool
    exploration: Exploration | None = None

    def value(self, horizon: int) -> float:
        """The bound on Reg(T), T = horizon, with the last epoch cut at T and e_{l-1} from the full length."""
        return self._sum(horizon, self._charge)

    def trivial(self, horizon: int) -> float:
        """What is known without learning. Uncapped: one a step, M T. Capped: every epoch at its cap, where epoch 1, in
        which play is uniform, is charged as the bound charges it. Summed in the order of `value`, so that a bound with
        every epoch at its cap is this number to the last digit."""
        return self._sum(horizon, self._cap)

    def lower(self, horizon: int) -> Beside | None:
        """own:lower_bound at the same learning rates, and how far this bound can be above the truth; None where the
        learning rates are not known, or where with one arm there is nothing to lose."""
        explored = self.exploration
        if explored is None or explored.arms < 2:
            return None
        value = self._sum(horizon, lambda previous: self.agents * explored.loses_at_least(previous))
        return Beside(value, self.value(horizon) / value, explored.limit)

    def vacuous(self, horizon: int) -> bool:
        """Exactly: not below what is known without learning."""
        return self.value(horizon) >= self.trivial(horizon)

    def first_informative_horizon(self) -> int | None:
        """The smallest T with value(T) < trivial(T), 3 at least: epoch 1 is two steps of uniform play, in which nothing
        can have been learned. From there on the bound stays informative.

        The difference is linear within an epoch, so the first epoch that ends below is searched by bisection. Capped,
        that is the first epoch whose term is below its cap, and its first step.
        """
        start, before = 2, 2
        value, trivial = self._charge(0) * 2, self._cap(0) * 2
        for _ in range(LAST_EPOCH):
            length, rate, cap = start, self._charge(before), self._cap(before)  # tau^{l-1} = 2^{l-1} = E^l
            if value + rate * length < trivial + cap * length:
                below, reached = 0, length
                while reached - below > 1:
                    middle = (below + reached) // 2
                    if value + rate * middle < trivial + cap * middle:
                        reached = middle
                    else:
                        below = middle
                return start + reached
            value, trivial = value + rate * length, trivial + cap * length
            start, before = start + length, length
        return None

    def _charge(self, previous: int) -> float:
        """A step after an epoch of `previous` steps; 0: of epoch 1."""
        rate = self.rate(previous) if previous else self.first_rate
        return min(rate, float(self.agents)) if self.capped else rate

    def _cap(self, previous: int) -> float:
        return self.first_rate if self.capped and not previous else float(self.agents)

    def _sum(self, horizon: int, charge: Callable[[int], float]) -> float:
        total = 0.0  # added one by one, not by sum(): first_informative_horizon does the same additions
        for previous, steps in _epochs(horizon):
            total += charge(previous) * steps
        return total


def _epochs(horizon: int) -> Iterator[tuple[int, int]]:
    """(length of the epoch before, 0 before the first; steps played) of every epoch up to the horizon."""
    start, previous = 0, 0
    for length in doubling_lengths():
        yield previous, min(length, horizon - start)
        start, previous = start + length, length
        if start >= horizon:
            return
