"""Compute squared losses of the functions of a finite class as integers, so that ties between functions are exact.

Let the values of functions and the rewards be multiples of 1/D. At one context and arm, a function of value k/D has the
loss (N k^2 - 2 k D S)/D^2 on N samples with reward sum S, up to a sum that all functions share. D^2 times that is an
integer.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from fedigw import rewards as reward_laws

Functions = tuple[tuple[tuple[Fraction, ...], ...], ...]
TIES = ("first", "adversarial", "uniform")
AT_ONCE = 250_000  # losses held at once: they fit into the processor's cache


@dataclass(frozen=True)
class LossTable:
    """The values of the F functions of a class as integers over one denominator. numerators: (F, C), for every function
    and each of the C cells (pairs of context and arm)."""

    numerators: np.ndarray
    denominator: int

    def losses(self, counts: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Return the exact summed losses (..., F) of the functions, times the squared denominator and up to a term that
        all functions share. counts: (..., C), number of samples in each cell (context and arm). sums: (..., C), sums of
        their rewards times the denominator."""
        small = self._magnitude(int(np.max(counts.sum(axis=-1)))) < 2**62
        dtype = np.int64 if small else object
        k, squares = self._columns(dtype)
        return counts.astype(dtype) @ squares - 2 * (sums.astype(dtype) @ k)

    def minimal(self, counts: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Return which functions have exactly the least loss in each of R replications, shape (R, F). counts, sums: (R,
        C), number of samples in each cell (context and arm), and sums of their rewards times the denominator. Losses
        are compared in floats where their rounding errors are too small to matter, else as integers."""
        rows = max(1, AT_ONCE // len(self.numerators))
        if len(counts) > rows:
            parts = [slice(start, start + rows) for start in range(0, len(counts), rows)]
            return np.concatenate([self.minimal(counts[part], sums[part]) for part in parts])
        k, squares = self._columns(float)
        losses = counts.astype(float) @ squares - 2 * (sums.astype(float) @ k)
        magnitude = self._magnitude(int(np.max(counts.sum(axis=-1))))
        # every product and partial sum is below `magnitude`; C + 3 roundings of 2^-53 each
        error = 0.0 if magnitude < 2**53 else 2.0 * (counts.shape[1] + 3) * 2.0**-53 * magnitude
        minimal = losses <= losses.min(axis=1, keepdims=True) + error
        if error:
            for row in np.flatnonzero(minimal.sum(axis=1) > 1):
                exact = self.losses(counts[row].astype(object), sums[row].astype(object))
                minimal[row] = exact == exact.min()
        return minimal

    @cached_property
    def _kept(self) -> dict[Any, tuple[np.ndarray, np.ndarray]]:
        return {}

    def _columns(self, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
        if dtype not in self._kept:
            k = self.numerators.astype(dtype)
            self._kept[dtype] = k.T, (k**2).T
        return self._kept[dtype]

    def _magnitude(self, samples: int) -> int:
        return 3 * samples * self.denominator**2


def loss_table(functions: Functions, truth: int, rewards: reward_laws.Law) -> LossTable:
    """Return all functions' values as integers over the least common denominator of values and rewards."""
    values, _ = reward_laws.points(np.array(functions[truth], dtype=object), rewards)
    cells = [v for table in functions for row in table for v in row]
    distinct = {id(v): Fraction(v) for v in cells}  # equal values are mostly one object
    denominator = math.lcm(
        *{v.denominator for v in distinct.values()}, *(Fraction(v).denominator for v in values.ravel())
    )
    numerators = {key: int(v * denominator) for key, v in distinct.items()}
    scaled = np.array([numerators[id(v)] for v in cells], dtype=object)
    return LossTable(scaled.reshape(len(functions), -1), denominator)


def choose_minimiser(
    minimal: np.ndarray, truth: int | None, ties: str, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Return the index of one function with the least loss for each replication, shape (R,). minimal: (R, F), which
    functions have the least loss. ties: "first" takes the lowest index, "adversarial" the first function other than the
    true one if there is any, "uniform" one at random. truth: index of the true function."""
    if ties == "first":
        return minimal.argmax(axis=1)
    if ties == "adversarial":
        assert truth is not None  # a class without f* has no exact minimiser here
        wrong = minimal.copy()
        wrong[:, truth] = False
        return np.where(wrong.any(axis=1), wrong.argmax(axis=1), truth)
    if rng is None:
        raise ValueError("uniform ties need a random generator")
    draws = rng.random(minimal.shape)
    return np.where(minimal, draws, -1.0).argmax(axis=1)
