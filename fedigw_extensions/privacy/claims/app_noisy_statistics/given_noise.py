"""Compute the mean risk of the private ridge estimate over all sample paths in rationals, for a fixed noise matrix.

N is the noise on the Gram matrix V, B bounds its norm, tau >= 1 is the regulariser and P = N + (tau + B)I, so that tau
<= P <= tau + 2B; A = V + P. w is the true parameter and phi a feature. Rewards have variance v, and the noise on the
sum of reward x feature has standard deviation sigma. Averaged over rewards and this noise, the risk is

    mean over features of  v phi'A^{-1}VA^{-1}phi + sigma^2 phi'A^{-2}phi + (phi'A^{-1}Pw)^2
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from linear.counts import Cells, law


@dataclass(frozen=True)
class Fixed:
    """A ridge regression problem with a fixed noise matrix and C features in d dimensions, in exact Fractions.
    features (C, d) occur with the probabilities `chances` (C,). parameter (d,): the true parameter. penalty (d, d):
    noise matrix plus regulariser. reach: bound on the norm of the noise matrix. sigma_squared: variance of the noise
    on the sum of reward x feature. variance: variance of a reward."""

    features: np.ndarray
    chances: np.ndarray
    parameter: np.ndarray
    penalty: np.ndarray
    tau: Fraction
    reach: Fraction  # B
    sigma_squared: Fraction
    variance: Fraction
    samples: int


def inverse(matrix: np.ndarray) -> np.ndarray:
    if len(matrix) == 1:
        return np.array([[1 / matrix[0, 0]]], dtype=object)
    (a, b), (c, d) = matrix
    return np.array([[d, -b], [-c, a]], dtype=object) / (a * d - b * c)


def risk(given: Fixed) -> Fraction:
    """Return the mean squared error of the private ridge estimate's predictions for a fixed noise matrix, averaged
    over the samples, their rewards and the noise on the sum of reward x feature."""
    rewards = np.array([Fraction(0)] * len(given.chances), dtype=object)
    counts, masses = law(Cells(given.chances, given.features, rewards), given.samples)
    squares = np.array([np.outer(phi, phi) for phi in given.features], dtype=object)
    total = Fraction(0)
    for row, mass in zip(counts, masses, strict=True):
        gram = sum(count * square for count, square in zip(row, squares, strict=True))
        back = inverse(gram + given.penalty)
        pulled = back @ given.penalty @ given.parameter
        for phi, chance in zip(given.features, given.chances, strict=True):
            side = back @ phi
            spread = given.variance * (side @ gram @ side) + given.sigma_squared * (side @ side)
            total += mass * chance * (spread + (phi @ pulled) ** 2)
    return total


def bound(given: Fixed) -> Fraction:
    """Return the proved bound on the excess risk of the private ridge estimate for a fixed noise matrix."""
    d, tau = len(given.parameter), given.tau
    bias = (1 + 1 / tau) ** 2 * (tau / 4 + given.reach / 2)
    return (Fraction(d, 4) + given.sigma_squared * d / tau + bias) / (given.samples + 1)


def instances(rng: np.random.Generator, count: int) -> Iterator[Fixed]:
    """Yield three problems with one feature and 1, 16 and 64 samples, the last of which almost attains the bound,
    and then `count` random ones in one or two dimensions."""
    one, none = np.array([[Fraction(1)]], dtype=object), Fraction(0)
    for n in (1, 16, 64):
        yield Fixed(one, one[0], one[0], Fraction(n) * one, Fraction(n), none, none, none, n)
    for _ in range(count):
        d, kinds = int(rng.integers(1, 3)), int(rng.integers(1, 4))
        features = np.array([_in_ball(rng, d) for _ in range(kinds)], dtype=object)
        weights = [Fraction(int(w)) for w in rng.integers(1, 5, size=kinds)]
        chances = np.array([w / sum(weights) for w in weights], dtype=object)
        tau, reach = Fraction(int(rng.integers(1, 6))), Fraction(int(rng.integers(0, 5)))
        yield Fixed(
            features,
            chances,
            np.array(_in_ball(rng, d), dtype=object),
            _between(rng, d, tau, reach),
            tau,
            reach,
            Fraction(int(rng.integers(0, 9)), 4),
            Fraction(int(rng.integers(0, 2)), 4),
            int(rng.integers(1, 7)),
        )


def _in_ball(rng: np.random.Generator, d: int) -> list[Fraction]:
    pairs = ((1, 0, 1), (3, 4, 5), (-4, 3, 5), (5, 12, 13), (0, 1, 1))
    x, y, z = pairs[int(rng.integers(len(pairs)))]
    scale = Fraction(int(rng.integers(1, 5)), 4)
    return [scale * Fraction(x, z), scale * Fraction(y, z)][:d] if d == 2 else [scale]


def _between(rng: np.random.Generator, d: int, tau: Fraction, reach: Fraction) -> np.ndarray:
    values = [tau + 2 * reach * Fraction(int(rng.integers(0, 5)), 4) for _ in range(d)]
    if d == 1:
        return np.array([[values[0]]], dtype=object)
    turn: Any = np.array([[Fraction(3, 5), Fraction(4, 5)], [Fraction(-4, 5), Fraction(3, 5)]], dtype=object)
    middle = np.array([[values[0], Fraction(0)], [Fraction(0), values[1]]], dtype=object)
    return np.asarray(turn @ middle @ turn.T)
