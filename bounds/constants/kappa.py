"""kappa of the finite class: P(fhat = f) <= exp(-kappa n E(f - f*)^2), certified by interval arithmetic.

For one (x, a): D = f - f*, m = f*, l = D^2 + 2D(m - r). Chernoff with exponent th asks for the largest kappa
with

    E e^{-th l} <= 1 - kappa D^2    for all m in [0,1], D in [-m, 1-m], r in [0,1] with mean m;

then E e^{-th l} <= exp(-kappa E D^2) over (x, a) as well. e^{2 th D r} is convex in r, so r is Bernoulli(m),
and
(m, D, r) -> (1-m, -D, 1-r) leaves l alone, so D > 0. Write B = e^{2 th D} - 1:

    E e^{-th l} = e^{-th D^2} e^{-2 th D m} (1 + m B),   whose logarithm is concave in m with maximum at
    m* = 1/(2 th D) - 1/B, so for every m it is at most     M(D) = e^{-th D^2} (B/(2 th D)) e^{2 th D/B - 1},
    and where m* >= 1 - D it increases up to m = 1 - D:     h(D) = D e^{th D^2 - 2 th D} + (1-D) e^{th D^2}.

So the search is one-dimensional. Small D is Hoeffding's lemma: E e^{-th l} <= exp(-th (1 - th/2) D^2).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

# Below this D Hoeffding's lemma is enough, above the second M(D) gives way to h(D).
HOEFFDING_UP_TO = Fraction(1, 2)
INTERIOR_UP_TO = Fraction(31, 50)


@dataclass(frozen=True)
class KappaResult:
    """proved: it holds, shown by so many intervals; else `witness` is a D at which it fails, if known."""

    proved: bool
    intervals: int
    witness: Fraction | None = None


def certify_kappa(
    kappa: Fraction, exponent: Fraction = Fraction(1), most_intervals: int = 20_000
) -> KappaResult:
    """Whether E e^{-exponent l} <= 1 - kappa D^2 for every D, m and reward law: bisection in D."""
    iv = _intervals()
    th, k = _exact(iv, exponent), _exact(iv, kappa)
    z = _exact(iv, HOEFFDING_UP_TO**2)
    # (1 - e^{-c z})/z decreases in z, so its value at the largest D^2 covers every smaller one.
    if not (1 - iv.exp(-th * (1 - th / 2) * z)) / z > k:
        return KappaResult(False, 0)
    stack = [(HOEFFDING_UP_TO, INTERIOR_UP_TO), (INTERIOR_UP_TO, Fraction(1))]
    count = 0
    while stack:
        low, high = stack.pop()
        count += 1
        if count > most_intervals:
            return KappaResult(False, count)
        interior = high <= INTERIOR_UP_TO
        if _holds(iv, low, high, th, k, interior):
            continue
        middle = (low + high) / 2
        if not interior and _value(iv, _exact(iv, middle), th, k, False) < 0:
            return KappaResult(False, count, middle)  # the law Bernoulli(1 - D) violates it there
        stack += [(low, middle), (middle, high)]
    return KappaResult(True, count)


def _holds(iv: Any, low: Fraction, high: Fraction, th: Any, k: Any, interior: bool) -> bool:
    box = iv.mpf([_exact(iv, low).a, _exact(iv, high).b])
    if interior:
        return bool(_value(iv, box, th, k, True) >= 0)
    # h(D) is the maximum only where m* >= 1 - D.
    if not 1 / (2 * th * box) - 1 / (iv.exp(2 * th * box) - 1) - (1 - box) >= 0:
        return False
    # Mean value form: value(middle) - |slope| radius.
    middle = _exact(iv, (low + high) / 2)
    slope = -2 * k * box - iv.exp(th * (box**2 - 2 * box)) * (1 + 2 * th * box * (box - 1))
    slope -= iv.exp(th * box**2) * (2 * th * box * (1 - box) - 1)
    return bool(_value(iv, middle, th, k, False) - abs(slope) * _exact(iv, (high - low) / 2) >= 0)


def _value(iv: Any, D: Any, th: Any, k: Any, interior: bool) -> Any:
    """1 - kappa D^2 - (M or h)."""
    if interior:
        B = iv.exp(2 * th * D) - 1
        return 1 - k * D**2 - iv.exp(-th * D**2 + 2 * th * D / B - 1) * B / (2 * th * D)
    return 1 - k * D**2 - D * iv.exp(th * (D**2 - 2 * D)) - (1 - D) * iv.exp(th * D**2)


def _exact(iv: Any, value: Fraction) -> Any:
    return iv.mpf(value.numerator) / value.denominator


def _intervals() -> Any:
    """mpmath's interval context at 80 bits: rounding is outward, so an answer is a proof."""
    from mpmath.ctx_iv import MPIntervalContext

    context = MPIntervalContext()
    context.prec = 80
    return context
