"""What the exact sides of the lemmas share: an inequality at one instance, and one agent's arm probabilities, gaps and
means over contexts, in rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bounds.igw import inverse_gap_weights

Row = tuple[Fraction, ...]
Table = tuple[Row, ...]  # contexts x arms


@dataclass(frozen=True)
class Sides:
    """An inequality left <= right at one instance."""

    left: Fraction
    right: Fraction

    def shrunk(self, share: Fraction) -> Sides:
        """Return the inequality with `share` of its right side."""
        return Sides(self.left, share * self.right)

    @property
    def holds(self) -> bool:
        return self.left <= self.right

    @property
    def ratio(self) -> float:
        return float(self.left / self.right) if self.right else (0.0 if self.left <= 0 else float("inf"))


def arm_probabilities(row: Sequence[Fraction], rate: Fraction) -> Row:
    """(K,) inverse gap weighting in rationals."""
    return tuple(inverse_gap_weights(np.array(row, dtype=object), rate))


def gaps(row: Sequence[Fraction]) -> Row:
    """(K,) distance of each arm from the best."""
    return tuple(max(row) - value for value in row)


def average(contexts: Row, value: Callable[[int], Fraction]) -> Fraction:
    """E_x value(x)."""
    return sum((p * value(x) for x, p in enumerate(contexts)), Fraction(0))
