"""Define elementary functions that accept numbers and sympy symbols, so that each bound is written once.

Called with floats, a bound is a number. Called with symbols, it is the expression that is printed.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

# What a formula takes and gives: a float, an exact Fraction, or a sympy expression where an argument is one.
Value: TypeAlias = Any


def is_symbolic(*values: object) -> bool:
    return any(type(value).__module__.partition(".")[0] == "sympy" for value in values)


def _either(name: str, plain: Callable[..., float]) -> Callable[..., Value]:
    def call(*values: Value) -> Value:
        if not is_symbolic(*values):
            return plain(*values)
        import sympy

        return getattr(sympy, name)(*values)

    return call


sqrt, log, exp = _either("sqrt", math.sqrt), _either("log", math.log), _either("exp", math.exp)
largest, least = _either("Max", max), _either("Min", min)


def ratio(numerator: int, denominator: int, like: Value) -> Value:
    """Return the fraction numerator/denominator in the arithmetic of `like`: a sympy number, a Fraction or a float."""
    if is_symbolic(like):
        import sympy

        return sympy.Rational(numerator, denominator)
    if isinstance(like, (int, Fraction)):
        return Fraction(numerator, denominator)
    return numerator / denominator


def first_integer(holds: Callable[[int], bool], least: int = 1, most: int = 10**15) -> int | None:
    """Return the first integer from `least` on for which the condition `holds`, or None if it fails up to `most`. If it
    holds at one integer, it must hold at all larger ones. The search doubles, then bisects."""
    if holds(least):
        return least
    low, high = least, 2 * least
    while not holds(high):
        low, high = high, 2 * high
        if high > most:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def half(x: Value) -> Value:
    """Return x/2, exactly: an integer if x is an even integer, otherwise a Fraction, float or symbol, like x."""
    return x // 2 if isinstance(x, int) and x % 2 == 0 else x * ratio(1, 2, x)
