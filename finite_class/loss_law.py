"""Compute the probability with which each set of functions has the least loss on random data, for a finite class.

A sample adds an integer vector: for every other function, its loss minus that of the true function. The result depends
on the sum of n independent vectors. Three algorithms compute its law:

* rational: integer weights in a dictionary, one sample at a time (tiny instances)
* sparse floats: the same, in numpy
* lattice floats: the characteristic function to the power n and one inverse FFT (two or three functions, any n)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fedigw.law import TooLarge

RATIONAL_BUDGET = 4_000_000  # dictionary updates in 64-bit words: a few seconds
SPARSE_BUDGET = 60_000_000  # array elements sorted
LATTICE_CELLS = 2**23  # half of them are transformed: 64 MB
LATTICE_NOISE = 1e-15  # rounding of the FFT: smaller probabilities count as 0
LARGEST = 10**100  # of an increment
TAIL = 1e-18  # mass that the lattice may leave outside its window


@dataclass(frozen=True)
class Samples:
    """A group of n independent samples with one distribution. Each adds a vector of d loss differences: the loss of a
    function minus that of the true one. increments: (J, d), the integer vectors that a sample may add. probabilities:
    (J,), floats or Fractions."""

    increments: np.ndarray
    probabilities: Sequence[Any]
    n: int


def refuse_hopeless(groups: Sequence[Samples], exact: bool) -> None:
    """Raise TooLarge, before anything is computed, if the probability with which each function has the least loss would
    take more work than the budget. exact: whether it is computed in rationals."""
    kinds = [len({tuple(row) for row in g.increments.tolist()}) for g in groups]
    if exact:
        for g, k in zip(groups, kinds, strict=True):
            common = math.lcm(*(Fraction(p).denominator for p in g.probabilities))
            if g.n * k * _words(g.n, common) > RATIONAL_BUDGET:
                raise TooLarge
        return
    if math.prod(size for _, size, _ in _window(groups)) <= LATTICE_CELLS:
        return
    sparse = (g.n**2 // 2 * len(g.increments) for g, k in zip(groups, kinds, strict=True) if k > 1)
    if sum(sparse) > SPARSE_BUDGET:
        raise TooLarge


Law = dict[tuple[int, ...], Any]  # set of minimal entries (0 is f*, j is column j - 1) -> probability


def rational_law(groups: Sequence[Samples]) -> Law:
    """Return the exact probability with which each set of functions has the least loss. Raise TooLarge if this needs
    more work than RATIONAL_BUDGET."""
    base = 1 + 4 * max(1, sum(g.n * int(np.abs(g.increments).max(initial=0)) for g in groups))
    width = groups[0].increments.shape[1]
    weights, denominator, work = {0: 1}, 1, 0
    for group in groups:
        common = math.lcm(*(Fraction(p).denominator for p in group.probabilities))
        steps: dict[int, int] = {}
        for vector, p in zip(group.increments, group.probabilities, strict=True):
            # a vector becomes one integer, so that adding keys adds vectors
            key = sum(int(v) * base**j for j, v in enumerate(vector))
            steps[key] = steps.get(key, 0) + int(p * common)
        power, work = _rational_power(steps, group.n, work)
        denominator *= common**group.n
        work += len(weights) * len(power) * (1 + denominator.bit_length() // 64)
        if work > RATIONAL_BUDGET:
            raise TooLarge
        weights = _convolve(weights, power)
    law: Law = {}
    for key, weight in weights.items():
        least = _minimal(_decode(key, base, width))
        law[least] = law.get(least, 0) + weight
    return {least: Fraction(weight, denominator) for least, weight in law.items()}


def _words(n: int, denominator: int) -> int:
    return 1 + n * denominator.bit_length() // 64


def _rational_power(steps: dict[int, int], n: int, work: int) -> tuple[dict[int, int], int]:
    """Return the distribution of the sum of n independent steps, as value -> integer weight, and the work done so far.
    steps: the same for one step. Raise TooLarge if the work exceeds RATIONAL_BUDGET."""
    bits = _words(n, sum(steps.values()))
    if n * len(steps) * bits > RATIONAL_BUDGET:
        raise TooLarge
    if len(steps) <= 2:
        # binomial theorem: two kinds of step need no convolution
        (first, p), (second, q) = (
            (list(steps.items()) * 2)[:2] if len(steps) == 2 else [*steps.items(), (0, 0)]
        )
        if not q:
            return {n * first: p**n}, work + bits
        weights, coefficient = {}, 1
        for k in range(n + 1):
            weights[k * first + (n - k) * second] = coefficient * p**k * q ** (n - k)
            coefficient = coefficient * (n - k) // (k + 1)
        return weights, work + n * bits
    weights = {0: 1}
    for done in range(n):
        turn = len(weights) * len(steps) * (1 + done * bits // n)
        if work + (n - done) * turn > RATIONAL_BUDGET:  # no later turn is cheaper
            raise TooLarge
        work += turn
        weights = _convolve(weights, steps)
    return weights, work


def _convolve(left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
    result: dict[int, int] = {}
    for key, weight in left.items():
        for step, factor in right.items():
            result[key + step] = result.get(key + step, 0) + weight * factor
    return result


def _decode(key: int, base: int, width: int) -> list[int]:
    entries = []
    for _ in range(width):
        entry = (key + base // 2) % base - base // 2
        entries.append(entry)
        key = (key - entry) // base
    return entries


def _minimal(entries: Sequence[int]) -> tuple[int, ...]:
    full = [0, *entries]
    least = min(full)
    return tuple(j for j, entry in enumerate(full) if entry == least)


def float_law(groups: Sequence[Samples]) -> Law:
    """Return the probability with which each set of functions has the least loss, in floats. Raise TooLarge if neither
    the lattice nor the sparse algorithm can compute it."""
    window = _window(groups)
    cells = math.prod(size for _, size, _ in window)
    if cells <= LATTICE_CELLS:
        return _lattice_law(groups, window)
    return _sparse_law(groups)


def _window(groups: Sequence[Samples]) -> list[tuple[int, int, int]]:
    """Return, for each function, which values of its summed loss difference the FFT algorithm covers: (lowest value,
    number of values, step). The sum lies outside with probability at most TAIL (Bernstein's inequality). Raise TooLarge
    if squares of the differences overflow floats."""
    if any(abs(int(v)) > LARGEST for g in groups for v in g.increments.flat):
        raise TooLarge
    columns = []
    for j in range(groups[0].increments.shape[1]):
        step = math.gcd(*(int(v) for g in groups for v in g.increments[:, j])) or 1
        mean = variance = 0.0
        low = high = spread = 0
        for g in groups:
            values, p = g.increments[:, j].astype(float), np.asarray(g.probabilities, dtype=float)
            centre = float(values @ p)
            mean += g.n * centre
            variance += g.n * float((values - centre) ** 2 @ p)
            low += g.n * int(g.increments[:, j].min())
            high += g.n * int(g.increments[:, j].max())
            spread = max(spread, int(g.increments[:, j].max()) - int(g.increments[:, j].min()))
        # P(|sum - mean| >= w) <= 2 exp(-w^2/(2 (variance + spread w/3))): solved for w at TAIL
        exponent = math.log(2 / TAIL)
        third = spread * exponent / 3
        reach = third + math.sqrt(third**2 + 2 * variance * exponent)
        # a mean of large sums is rounded: it may lie outside of them
        bottom = min(high, max(low, step * math.floor((mean - reach) / step)))
        top = max(low, min(high, step * math.ceil((mean + reach) / step)))
        bottom = low + step * ((bottom - low) // step)
        columns.append((bottom, _fast((top - bottom) // step + 2), step))
    return columns


def _fast(size: int) -> int:
    size += size % 2
    while size <= LATTICE_CELLS and pow(30, size.bit_length(), size):
        size += 2
    return size


def _lattice_law(groups: Sequence[Samples], window: list[tuple[int, int, int]]) -> Law:
    shape = tuple(size for _, size, _ in window)
    along = [tuple(-1 if i == j else 1 for i in range(len(shape))) for j in range(len(shape))]
    # the transform of a real law is known from half of its last axis
    halves = (*(np.fft.fftfreq(size) for size in shape[:-1]), np.fft.rfftfreq(shape[-1]))
    axes = [2 * np.pi * half.reshape(along[j]) for j, half in enumerate(halves)]
    exponent: np.ndarray = np.zeros([len(half) for half in halves], dtype=complex)
    origin = [bottom for bottom, _, _ in window]
    for g in groups:
        shifted = np.zeros_like(exponent)
        for vector, p in zip(g.increments, np.asarray(g.probabilities, dtype=float), strict=True):
            phase = sum(
                (int(v) / step) * axis for v, axis, (_, _, step) in zip(vector, axes, window, strict=True)
            )
            # e^{i phase} - 1 without cancellation, so that n log(1 + .) keeps full precision for n in the millions
            shifted += p * (-2 * np.sin(phase / 2) ** 2 - 1j * np.sin(phase))
        squared = 2 * shifted.real + shifted.real**2 + shifted.imag**2
        with np.errstate(divide="ignore"):
            modulus = 0.5 * np.log1p(np.maximum(squared, -1.0))
        exponent += g.n * (np.maximum(modulus, -1e9) + 1j * np.arctan2(shifted.imag, 1 + shifted.real))
    for j, (axis, (_, _, step)) in enumerate(zip(axes, window, strict=True)):
        exponent += 1j * (origin[j] / step) * axis
    mass = np.maximum(np.fft.irfftn(np.exp(exponent), shape, range(len(shape))), 0.0)
    mass /= mass.sum()
    entries = [
        (bottom + step * np.arange(size)).reshape(along[j]) for j, (bottom, size, step) in enumerate(window)
    ]
    law = _group_by_minimal(entries, mass)
    return {least: p for least, p in law.items() if p > LATTICE_NOISE}


def _sparse_law(groups: Sequence[Samples]) -> Law:
    width = groups[0].increments.shape[1]
    reach = [sum(g.n * int(np.abs(g.increments[:, j]).max(initial=0)) for g in groups) for j in range(width)]
    radix = [2 * r + 1 for r in reach]
    if math.prod(radix) >= 2**62:
        raise TooLarge
    place = np.array([math.prod(radix[:j]) for j in range(width)], dtype=np.int64)
    keys, mass, work = np.array([int(place @ np.array(reach))]), np.array([1.0]), 0
    # sums never become fewer: each costs at least as much as now
    left = sum(g.n * len(g.increments) for g in groups)
    for g in groups:
        steps, p = g.increments.astype(np.int64) @ place, np.asarray(g.probabilities, dtype=float)
        for _ in range(g.n):
            if work + len(keys) * left > SPARSE_BUDGET:
                raise TooLarge
            work, left = work + len(keys) * len(steps), left - len(steps)
            keys, inverse = np.unique((keys[:, None] + steps).ravel(), return_inverse=True)
            mass = np.bincount(inverse, weights=(mass[:, None] * p).ravel())
    entries = [(keys // place[j]) % radix[j] - reach[j] for j in range(width)]
    return _group_by_minimal(entries, mass)


def _group_by_minimal(entries: list[np.ndarray], mass: np.ndarray) -> Law:
    """Return the probability with which each set of functions has the least loss. entries: for each function, its loss
    minus that of the true one, broadcast to the shape of `mass`. mass: probability of each combination."""
    least: np.ndarray = np.zeros_like(mass)
    for entry in entries:
        least = np.minimum(least, entry)
    code = (least == 0).astype(np.int64)
    for j, entry in enumerate(entries):
        code = code + (2 << j) * (entry == least)
    totals = {}
    for value in np.unique(code):
        key = tuple(j for j in range(len(entries) + 1) if value >> j & 1)
        totals[key] = float(mass[code == value].sum())
    return totals
