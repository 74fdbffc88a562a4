"""The constant of the variant `best`: epoch regret <= C(g) S^L / gamma^L with C(g) = arms + risk g^2.

    gamma^L = g sqrt(Kbar/e),   C/g is least at g^2 = arms/risk, where (C/g)^2 = 4 arms risk.

Every number is rational, so a caller may take the root in the arithmetic it likes. K is the largest number of
arms of any agent (the inequality is per agent and context, and both 1 - 1/K and 1 - 2/K grow with K).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, TUNED, Parameters, derive
from bounds.errors import InputError


@dataclass(frozen=True)
class EpochConstant:
    """C(g) = arms + risk g^2, both exact."""

    arms: Fraction
    risk: Fraction

    def at(self, multiplier_squared: Fraction) -> Fraction:
        """C at gamma^2 = multiplier_squared Kbar/e."""
        return self.arms + self.risk * multiplier_squared

    @property
    def best_multiplier_squared(self) -> Fraction:
        """(arms/g + risk g)' = 0 at g^2 = arms/risk."""
        return self.arms / self.risk

    @property
    def over_g_squared(self) -> Fraction:
        """(C/g)^2 at the best g: arms/g + risk g = 2 sqrt(arms risk)."""
        return 4 * self.arms * self.risk

    @property
    def over_g(self) -> float:
        """C/g at the best g."""
        return math.sqrt(self.over_g_squared)

    def over(self, multiplier: Fraction) -> Fraction:
        """C/g at a rational g."""
        return self.at(multiplier**2) / multiplier


@cache
def best(arms: int | None, *, doubling: bool = False) -> EpochConstant:
    """The proved constant for every epoch L >= 2, every number of epochs; arms=None is the supremum over K.

    doubling=False asks for H5 only. doubling=True asks for epochs of lengths E, E, 2E, 4E, ... and holds for
    every term that is not vacuous (docs/proof_best.md, "Doubling"). Two arms need H5 only in either case.
    """
    if arms is not None and arms < 2:
        raise InputError("K", arms, "must be at least 2 for the variant best: one arm has no regret")
    if arms == 2:
        return EpochConstant(Fraction(1, 2), Fraction(9, 4))
    found = derive(DOUBLING if doubling else ANY_SCHEDULE)
    return EpochConstant(_arms_part(arms, found.a), found.b)


def at_epoch(parameters: Parameters, arms: int | None, epoch: int) -> EpochConstant:
    """The constant of epoch L alone: the backward chain has L - 2 links only, so early epochs cost less."""
    found, th = derive(parameters), parameters.decay
    if epoch < 2:
        raise ValueError(f"epoch = {epoch}: the first epoch is uniform, the constant is for epochs from 2 on")
    if epoch == 2:
        # A_a = 1, V^1 = K: sum c^2 <= 2 and one multiplier.
        return EpochConstant(_arms_part(arms, 1 / (2 * parameters.last)), parameters.last)
    links = epoch - 2  # |om^{L-2}|, ..., |om^1|
    weights = [found.n * th**j for j in range(links)]
    apart = found.N1 + sum(weights, Fraction(0))
    # Case C, the previous greedy arm is the best arm: the weights are n_C/n as large, a share squared at every link
    # (after four links it is squared no more: a bound, and short fractions).
    shares = [(found.n_C / found.n) ** (2 ** min(j, 4)) for j in range(links)]
    met = 2 * found.X + sum((w * share for w, share in zip(weights, shares, strict=True)), Fraction(0))
    risk = parameters.last + parameters.previous
    risk += sum((parameters.spread * weight / (4 * th) for weight in weights[: links - 1]), Fraction(0))
    return EpochConstant(_arms_part(arms, max(apart, met)), risk)


def doubling_term(arms: int | None, epoch: int, multiplier_squared: Fraction) -> EpochConstant:
    """The proved constant of epoch L under doubling, the first two epochs being equally long.

    gamma^3 = gamma^2 there, so epoch 3 has no ratio 1/sqrt 2: it is covered by the short chain of H5.
    """
    if arms == 2:
        return best(2)
    if epoch <= 3:
        choices = [
            at_epoch(p, arms, epoch) for p in ((ANY_SCHEDULE, DOUBLING) if epoch == 2 else (ANY_SCHEDULE,))
        ]
        return min(choices, key=lambda c: c.at(multiplier_squared))
    return best(arms, doubling=True)


def asynchronous(parameters: Parameters, arms: int | None, c: Fraction) -> EpochConstant:
    """Asynchronous agents, c = max_l c_l: the risk of epoch l counts at most c^{L-l+1} times."""
    th = parameters.decay
    if not 1 <= c < 1 / th:
        raise ValueError(f"c = {c}: the chain needs 1 <= c < {1 / th}")
    found = derive(parameters)
    first = parameters.spread * found.n / (4 * th)
    risk = parameters.last * c + parameters.previous * c**2 + first * c**3 / (1 - th * c)
    return EpochConstant(_arms_part(arms, found.a), risk)


def cumulative(arms: int | None, c: Fraction) -> EpochConstant:
    """c bounds the ratio between any two epochs: every risk counts at most c times."""
    base = best(arms)
    return EpochConstant(base.arms, base.risk * c)


def formula(arms: Any, multiplier: Any, *, doubling: bool = False) -> Any:
    """C(g) of K >= 3 arms as an expression, in exact rationals: what the kernel's theorem says."""
    found = derive(DOUBLING if doubling else ANY_SCHEDULE)
    return _arms_expression(arms, found.a) + _exact(found.b) * multiplier**2


def tuned_formula(arms: Any, multiplier: Any) -> Any:
    """C(g) at the tuned parameters, a and b rounded up at the fifth decimal."""
    found = derive(TUNED)
    a, b = (Fraction(math.ceil(x * 10**5), 10**5) for x in (found.a, found.b))
    return _arms_expression(arms, a) + _exact(b) * multiplier**2


def over_g_formula(arms: Any, *, doubling: bool = False) -> Any:
    """C/g at the best g as an expression: 2 sqrt(arms risk)."""
    import sympy

    found = derive(DOUBLING if doubling else ANY_SCHEDULE)
    return 2 * sympy.sqrt(_arms_expression(arms, found.a) * _exact(found.b))


def asynchronous_formula(arms: Any, multiplier: Any, c: Any) -> Any:
    """`asynchronous` with H5 alone, as an expression in K, g and c."""
    p = ANY_SCHEDULE
    found, th = derive(p), _exact(p.decay)
    first = _exact(p.spread * found.n / (4 * p.decay))
    risk = _exact(p.last) * c + _exact(p.previous) * c**2 + first * c**3 / (1 - th * c)
    return _arms_expression(arms, found.a) + risk * multiplier**2


def _arms_expression(arms: Any, a: Fraction) -> Any:
    import sympy

    return sympy.Max(1 - 1 / arms, 1 - 2 / arms + _exact(a))


def _exact(value: Fraction) -> Any:
    import sympy

    return sympy.Rational(value.numerator, value.denominator)


def _arms_part(arms: int | None, a: Fraction) -> Fraction:
    """max(1 - 1/K, 1 - 2/K + a); its supremum over K is 1 + a."""
    if arms is None:
        return 1 + a
    return max(1 - Fraction(1, arms), 1 - Fraction(2, arms) + a)
