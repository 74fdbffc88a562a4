"""The constant of variant `best`: in epoch L, regret <= C(g) S^L/gamma^L with C(g) = arms + risk g^2.

    gamma^L = g sqrt(Kbar/e);   C/g is least at g^2 = arms/risk, where (C/g)^2 = 4 arms risk.

S^L is the sum over agents of epoch length times number of arms, Kbar the mean number of arms, e the excess risk of the
model in use. Every number is rational, or an expression if K is a symbol; the root is taken last. K is the largest
number of arms of any agent (the inequality is per agent and context, and both 1 - 1/K and 1 - 2/K grow with K).
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
    """The constant C(g) = arms + risk g^2. arms, risk: two exact numbers or expressions."""

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
    """Return the smallest proved constant C(g), which holds in every epoch from the second on. arms: K; None gives
    the supremum over K. doubling: whether epochs have lengths E, E, 2E, 4E, ..., for which a smaller constant holds
    in every epoch whose bound is not vacuous; otherwise learning rates need only not decrease (H5)."""
    if arms is not None and arms < 2:
        raise InputError("K", arms, "must be at least 2 for the variant best: one arm has no regret")
    if arms == 2:
        return EpochConstant(Fraction(1, 2), Fraction(9, 4))
    return of(sets.DOUBLING if doubling else sets.ANY_SCHEDULE, arms)


def proved_over(arms: int, multiplier: Fraction) -> float:
    """Return the smallest proved C(g)/g at g = multiplier for epochs that end at steps 2, 4, 8, ... The constant for
    doubling epochs is used only for g^2 <= 6/5, where it is proved."""
    found = [best(arms)] + ([best(arms, doubling=True)] if multiplier**2 <= Fraction(6, 5) else [])
    return min(float(constant.over(multiplier)) for constant in found)


def of(parameters: sets.Parameters, arms: Value, c: Value = 1, *, short: bool = False) -> EpochConstant:
    """Return the constant C(g) for K >= 3 arms that these parameters of the proof give. K and c may be symbols. c:
    how unequally the agents' epochs grow (1 if alike). short: whether to round the two numbers of the formula up at
    the fifth decimal, so that it is readable."""
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
    """Return the constant of `best` for agents whose epochs grow unequally, where c bounds the ratio of growths not
    only from one epoch to the next but between any two epochs. The excess risk of every epoch then counts at most c
    times."""
    base = best(arms)
    return EpochConstant(base.arms, base.risk * c)
