"""The constant of the variant `best`: epoch regret <= C(g) S^L / gamma^L with C(g) = arms + risk g^2.

    gamma^L = g sqrt(Kbar/e),   C/g is least at g^2 = arms/risk, where (C/g)^2 = 4 arms risk.

Every number is rational, or an expression where K is a symbol; the root is taken last. K is the largest number of
arms of any agent (the inequality is per agent and context, and both 1 - 1/K and 1 - 2/K grow with K).
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
    """C(g) = arms + risk g^2, both exact."""

    arms: Value
    risk: Value

    def at(self, multiplier_squared: Value) -> Value:
        """Return C at gamma^2 = multiplier_squared Kbar/e."""
        return self.arms + self.risk * multiplier_squared

    @property
    def best_multiplier_squared(self) -> Fraction:
        """Return g^2 = arms/risk, at which arms/g + risk g is least."""
        return Fraction(self.arms / self.risk)

    @property
    def over_g_squared(self) -> Value:
        """Return (C/g)^2 at the best g: arms/g + risk g = 2 sqrt(arms risk)."""
        return 4 * self.arms * self.risk

    @property
    def over_g(self) -> Value:
        """Return C/g at the best g."""
        return sqrt(self.over_g_squared)

    def over(self, multiplier: Fraction) -> Fraction:
        """Return C/g at a rational g."""
        return Fraction(self.at(multiplier**2) / multiplier)


@cache
def best(arms: int | None, *, doubling: bool = False) -> EpochConstant:
    """Return the proved constant for every epoch L >= 2 and any number of epochs. arms=None is the supremum over K.
    doubling=False requires H5 only. doubling=True requires epochs of lengths E, E, 2E, 4E, ... and holds for every
    term that is not vacuous (docs/proof_best.md, "Doubling"). Two arms need H5 only in either case."""
    if arms is not None and arms < 2:
        raise InputError("K", arms, "must be at least 2 for the variant best: one arm has no regret")
    if arms == 2:
        return EpochConstant(Fraction(1, 2), Fraction(9, 4))
    return of(sets.DOUBLING if doubling else sets.ANY_SCHEDULE, arms)


def proved_over(arms: int, multiplier: Fraction) -> float:
    """Return the smallest proved C/g under tau^l = 2^l at this g. That of doubling holds for g^2 <= 6/5 only."""
    found = [best(arms)] + ([best(arms, doubling=True)] if multiplier**2 <= Fraction(6, 5) else [])
    return min(float(constant.over(multiplier)) for constant in found)


def of(parameters: sets.Parameters, arms: Value, c: Value = 1, *, short: bool = False) -> EpochConstant:
    """Return the constant of K >= 3 arms that a parameter set proves. K and c may be symbols. c = max_l c_l of
    asynchronous agents: the risk of epoch l counts at most c^{L-l+1} times. short: round a and b up at the fifth
    decimal, so that a formula is readable; the bound stays valid."""
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
    """Return the constant if c bounds the ratio between any two epochs, so that every risk counts at most c times."""
    base = best(arms)
    return EpochConstant(base.arms, base.risk * c)
