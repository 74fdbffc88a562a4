"""Regret bounds as a sum over epochs, for a synchronous system under tau^l = 2^l, at any horizon.

Every term is linear in the steps played, so the sum to T, what is known without learning, and the first T at which the
one is below the other cost one visit per epoch (40 epochs reach T = 10^12).
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
    """The bound: first_rate per step of epoch 1, then rate(E^{l-1}) per step of epoch l >= 2, over all agents.

    capped: no epoch is charged more than its trivial regret, `agents` per step.
    one_arm: there is nothing to lose, which is known without learning.
    exploration: the learning rates behind the bound, where they are known; with them own:lower_bound says how far the
    bound can be from the truth.
    """

    agents: int
    first_rate: float
    rate: Callable[[int], float]
    capped: bool
    exploration: Exploration | None = None
    one_arm: bool = False

    def value(self, horizon: int) -> float:
        """Return the bound on Reg(T), T = horizon, with the last epoch cut at T and e_{l-1} from the full length."""
        return self._sum(horizon, self._charge)

    def terms(self, horizon: int) -> list[float]:
        """Return the bound on the regret of each epoch up to the horizon."""
        return [self._charge(previous) * steps for previous, steps in _epochs(horizon)]

    def trivial(self, horizon: int) -> float:
        """What is known without learning. One arm: 0. Uncapped: one a step, M T. Capped: every epoch at its cap, where
        epoch 1, in which play is uniform, is charged as the bound charges it. Summed in the order of `value`, so that a
        bound with every epoch at its cap is this number to the last digit; where the two differ by less than that, this
        one is rounded so that it stays on its side of `value`."""
        found, value = self._sum(horizon, self._cap), self.value(horizon)
        if self.vacuous(horizon):
            return min(found, value)
        return found if value < found else math.nextafter(value, math.inf)

    def lower(self, horizon: int) -> Beside | None:
        """own:lower_bound at the same learning rates, and how far this bound can be above the truth; None where the
        learning rates are not known, or where with one arm there is nothing to lose."""
        explored = self.exploration
        if explored is None or explored.arms < 2:
            return None
        value = self._sum(horizon, lambda previous: self.agents * explored.loses_at_least(previous))
        return Beside(value, self.value(horizon) / value, explored.limit)

    def vacuous(self, horizon: int) -> bool:
        """Exactly: not below what is known without learning, compared as rationals."""
        ahead = Fraction(0)
        for previous, steps in _epochs(horizon):
            ahead += (Fraction(self._charge(previous)) - Fraction(self._cap(previous))) * steps
        return ahead >= 0

    def first_informative_horizon(self) -> int | None:
        """The smallest T with value(T) < trivial(T), 3 at least: epoch 1 is two steps of uniform play, in which nothing
        can have been learned. From there on the bound stays informative.

        The difference is linear within an epoch, so the step of the first epoch that ends below is a quotient. Capped,
        that is the first epoch whose term is below its cap, and its first step. In rationals: sums of floats lose the
        difference from T = 2^53 on, and a bound that never gets below would seem to.
        """
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
        """A step after an epoch of `previous` steps; 0: of epoch 1."""
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
    """(length of the epoch before, 0 before the first; steps played) of every epoch up to the horizon."""
    start, previous = 0, 0
    for length in doubling_lengths():
        yield previous, min(length, horizon - start)
        start, previous = start + length, length
        if start >= horizon:
            return
