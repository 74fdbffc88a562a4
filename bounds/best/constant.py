"""Compute the constant C(g) of variant `best` in the bound on the regret of one epoch.

The bound is: epoch regret <= C(g) S/gamma with C(g) = arms + risk g^2, where `arms` and `risk` are two numbers and

    S       sum over agents of the epoch's length times the number of arms
    gamma   learning rate g sqrt(Kbar/e); Kbar is the mean number of arms, e the excess risk of the model in use

The regret bound is proportional to C(g)/g. This is least at g^2 = arms/risk, where (C/g)^2 = 4 arms risk. Numbers are
exact rationals, or expressions if K, the largest number of arms of any agent, is a symbol; the root is taken last.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from bounds.arithmetic import Value, largest, ratio, sqrt
from bounds.best import parameters as sets
from bounds.errors import InputError


@dataclass(frozen=True)
class EpochConstant:
    """The constant C(g) = arms + risk g^2 of the bound C(g) S/gamma on the regret of one epoch, as the pair (arms,
    risk). S is the sum over agents of steps times arms; g is the factor in the learning rate gamma = g sqrt(K/e), for
    K arms and excess risk e."""

    arms: Value
    risk: Value

    def at(self, multiplier_squared: Value) -> Value:
        return self.arms + self.risk * multiplier_squared

    @property
    def best_multiplier_squared(self) -> Fraction:
        return Fraction(self.arms / self.risk)

    @property
    def over_g_squared(self) -> Value:
        return 4 * self.arms * self.risk

    @property
    def over_g(self) -> Value:
        return sqrt(self.over_g_squared)

    def over(self, multiplier: Fraction) -> Fraction:
        return Fraction(self.at(multiplier**2) / multiplier)


@cache
def best(arms: int | None, *, doubling: bool = False) -> EpochConstant:
    """Return the smallest proved constant C(g) in the bound C(g) x steps x arms/gamma on the regret of an epoch (the
    second or later), with learning rate gamma = g sqrt(arms/excess risk). `arms`: the largest number of arms of an
    agent; None for the supremum over all numbers. `doubling`: whether epoch lengths are E, E, 2E, 4E, ... as in the
    paper, for which a smaller constant is proved. Otherwise it is enough that learning rates do not decrease
    (hypothesis H5)."""
    if arms is not None and arms < 2:
        raise InputError("K", arms, "must be at least 2 for the variant best: one arm has no regret")
    if arms == 2:
        return EpochConstant(Fraction(1, 2), Fraction(9, 4))
    return of(sets.DOUBLING if doubling else sets.ANY_SCHEDULE, arms)


def proved_over(arms: int, multiplier: Fraction) -> float:
    """Return C/g at g = `multiplier`. C is the smallest proved constant in the bound C x steps x arms/gamma on an
    epoch's regret, where gamma = g sqrt(arms/excess risk) is the learning rate. Epochs end at steps 2, 4, 8, .... The
    smaller constant for doubling epochs is proved only for g^2 <= 6/5."""
    found = [best(arms)] + ([best(arms, doubling=True)] if multiplier**2 <= Fraction(6, 5) else [])
    return min(float(constant.over(multiplier)) for constant in found)


def of(parameters: sets.Parameters, arms: Value, c: Value = 1, *, short: bool = False) -> EpochConstant:
    """Return the constant C(g) of the bound on an epoch's regret that the proof gives with the free numbers
    `parameters`, for at least 3 arms. `arms` and `c` may be symbols. `c` measures how unequally the agents' epochs grow
    (1 if alike). `short`: whether to round the two numbers of C(g) up at the fifth decimal."""
    # in C(g) = max(1 - 1/K, 1 - 2/K + a) + b g^2 the excess risk of epoch l counts at most c^{L-l+1} times in epoch
    # L
    found, th = sets.derive(parameters), parameters.decay
    if isinstance(c, (int, Fraction)) and not 1 <= c < 1 / th:
        raise ValueError(f"c = {c}: the chain needs 1 <= c < {1 / th}")
    first = parameters.spread * found.n / (4 * th)
    a, b = found.a, parameters.last * c + parameters.previous * c**2 + first * c**3 / (1 - th * c)
    if short:
        a, b = (Fraction(math.ceil(x * 10**5), 10**5) for x in (a, b))
    if arms is None:  # the supremum over K
        return EpochConstant(1 + a, b)
    inverse = ratio(1, 1, arms) / arms
    return EpochConstant(largest(1 - inverse, 1 - 2 * inverse + a), b)


def cumulative(arms: int | None, c: Fraction) -> EpochConstant:
    """Return the smallest proved constant of the bound on an epoch's regret for agents whose epochs grow unequally.
    `c`: between any two epochs, the largest growth of an agent's epoch length divided by the smallest is at most c.
    `arms`: the largest number of arms; None for the supremum over all numbers."""
    base = best(arms)
    return EpochConstant(base.arms, base.risk * c)
