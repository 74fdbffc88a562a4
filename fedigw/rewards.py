"""Define the reward laws: a reward in [0,1] with a given mean, as values with probabilities, drawn in sums or one by
one.

bernoulli      1 with probability mean, else 0
deterministic  the mean itself
two_point      mean +- min(mean, 1 - mean), each with probability 1/2: the largest symmetric spread within [0,1]
"""

from typing import Any

import numpy as np

LAWS = ("bernoulli", "deterministic", "two_point")


def points(mean: np.ndarray, law: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the J possible values of a reward and their probabilities, both (..., J), for means (...). They are exact
    for object arrays of Fractions. law: bernoulli, deterministic or two_point."""
    one = mean * 0 + 1
    if law == "deterministic":
        return mean[..., None], one[..., None]
    if law == "two_point":
        spread = np.minimum(mean, 1 - mean)
        return np.stack([mean - spread, mean + spread], -1), np.stack([one / 2, one / 2], -1)
    return np.stack([0 * mean, one], -1), np.stack([1 - mean, mean], -1)


def variance(mean: np.ndarray, law: str) -> np.ndarray:
    values, chances = points(mean, law)
    return np.asarray((chances * (values - mean[..., None]) ** 2).sum(axis=-1))


def draw_high(counts: np.ndarray, mean: np.ndarray, law: str, rng: np.random.Generator) -> np.ndarray:
    """Draw how many of `counts` (..., C) rewards take the higher of their two values, shape (..., C). mean (C,): the
    means of the C cells."""
    if law == "deterministic":
        return counts
    return rng.binomial(counts, 0.5 if law == "two_point" else np.clip(mean, 0.0, 1.0))


def sums_of(counts: np.ndarray, high: np.ndarray, mean: np.ndarray, law: str) -> np.ndarray:
    """Return the sums of `counts` rewards of which `high` took the higher of two values, shape (..., C). mean (C,): the
    means of the C cells."""
    if law == "deterministic":
        return np.asarray(counts * mean)
    if law == "two_point":
        spread = np.minimum(mean, 1 - mean)
        return np.asarray(counts * (mean - spread) + 2 * high * spread)
    return np.asarray(high, dtype=float)


def two_values(mean: np.ndarray, law: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and the higher possible value of a reward for each mean, shape (C,) each."""
    values, _ = points(mean, law)
    return values[..., 0], values[..., -1]


def draw_point_counts(counts: np.ndarray, chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw how often each of J possible values occurs among `counts` (..., C) rewards of C cells, shape (..., C, J).
    chances: the probabilities of the values."""
    if chances.shape[1] == 1:
        return counts[..., None]
    if chances.shape[1] == 2:
        high = rng.binomial(counts, chances[:, 1])
        return np.stack([counts - high, high], axis=-1)
    return np.asarray(rng.multinomial(counts, chances))


def draw(mean: np.ndarray, law: str, rng: np.random.Generator) -> np.ndarray:
    """Draw one reward for each mean, shape (n,). In single precision the uniforms have a grid of 2^-24, which is finer
    than any noise here."""
    if law == "deterministic":
        return mean
    if law == "two_point":
        spread = np.minimum(mean, 1 - mean)
        return np.asarray(mean + spread * np.where(rng.random(len(mean)) < 0.5, -1, 1))
    return (rng.random(len(mean), dtype=np.float32) < mean).astype(float)


def one(mean: Any, law: str) -> tuple[tuple[Any, Any], ...]:
    """Return the possible rewards with their probabilities, as (reward, probability) pairs, for one mean. For a
    Bernoulli law the larger reward is first."""
    values, chances = points(np.array([mean], dtype=object if not isinstance(mean, float) else float), law)
    pairs = list(zip(values[0], chances[0], strict=True))
    return tuple(reversed(pairs) if law == "bernoulli" else pairs)
