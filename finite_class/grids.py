"""Make tables of Fractions that are multiples of 1/grid. Equal values share one object, which saves memory."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np


def on_grid(values: np.ndarray, grid: int) -> Any:
    """Return the Fractions value/grid for an array (...) of integers from 0 to `grid`, as nested tuples."""
    points = _points(grid)

    def cells(nested: Any) -> Any:
        return tuple(map(cells, nested)) if isinstance(nested, list) else points[nested]

    return cells(values.tolist())


@lru_cache(maxsize=8)
def _points(grid: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(value, grid) for value in range(grid + 1))
