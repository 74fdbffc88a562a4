"""Tools for checking lemmas in rationals: sides of inequalities, arm probabilities, gaps, means, bounds on e^x."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

import numpy as np

from bounds.igw import inverse_gap_weights

Row = tuple[Fraction, ...]
Table = tuple[Row, ...]  # contexts x arms


@dataclass(frozen=True)
class Sides:
    """The two sides of an inequality left <= right, as numbers."""

    left: Fraction
    right: Fraction

    def shrunk(self, share: Fraction) -> Sides:
        """Return the inequality with its right side multiplied by `share`, for negative controls."""
        return Sides(self.left, share * self.right)

    @property
    def holds(self) -> bool:
        return self.left <= self.right

    @property
    def ratio(self) -> float:
        return float(self.left / self.right) if self.right else (0.0 if self.left <= 0 else float("inf"))


def arm_probabilities(row: Sequence[Fraction], rate: Fraction) -> Row:
    return tuple(inverse_gap_weights(np.array(row, dtype=object), rate))


def gaps(row: Sequence[Fraction]) -> Row:
    return tuple(max(row) - value for value in row)


def average(contexts: Row, value: Callable[[int], Fraction]) -> Fraction:
    """Return the mean of value(x) over contexts x. contexts: their probabilities."""
    return sum((p * value(x) for x, p in enumerate(contexts)), Fraction(0))


def mixed(contexts: Row, probabilities: Sequence[Row], values: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the mean of values[x][a] for contexts x with probabilities `contexts` and arms a with probabilities[x]."""
    rows = zip(contexts, probabilities, values, strict=True)
    return sum((c * p * v for c, own, row in rows for p, v in zip(own, row, strict=True)), Fraction(0))


def exp_below(x: Fraction, terms: int = 60) -> Fraction:
    """Return a rational below e^x, x >= 0: the first `terms` terms of its series."""
    return sum((x**k / factorial(k) for k in range(terms)), Fraction(0))


def exp_above(x: Fraction, terms: int = 60) -> Fraction:
    """Return a rational above e^x for 0 <= x < terms/2: the series plus twice its next term."""
    return exp_below(x, terms) + 2 * x**terms / factorial(terms)
