"""Rationals on either side of e^x, for witnesses with logarithms in them."""

from fractions import Fraction


def exp_below(x: Fraction, terms: int = 60) -> Fraction:
    """A rational below e^x, x >= 0: the truncated series."""
    total, term = Fraction(1), Fraction(1)
    for k in range(1, terms):
        term *= x / k
        total += term
    return total


def exp_above(x: Fraction, terms: int = 60) -> Fraction:
    """A rational above e^x for 0 <= x < terms/2: the series plus twice its next term (the rest halves each time)."""
    total, term = Fraction(1), Fraction(1)
    for k in range(1, terms):
        term *= x / k
        total += term
    return total + 2 * term * x / terms
