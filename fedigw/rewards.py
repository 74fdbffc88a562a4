"""Laws of rewards: a reward in [0,1] with a given mean takes finitely many values.

bernoulli       1 with probability mean, else 0
deterministic   the mean itself
two_point       mean +- min(mean, 1 - mean), each with probability 1/2: the largest symmetric spread within [0,1]

A user may add a law, a part that derives from RewardLaw.
"""

from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.federation import keys_of
from fedigw.interfaces import RewardLaw

Law = str | RewardLaw
LAWS = ("bernoulli", "deterministic", "two_point")


def law_of(value: Any) -> Law:
    """Return the reward law that the key `rewards` of an instance file gives: a name, a user's file, or a table with a
    name. Raise InputError if it is none of these, or if a user's law has wrong means or rewards outside [0,1]."""
    if isinstance(value, str) and value in LAWS:
        return value
    from fedigw.conformance import check_reward_law
    from fedigw.parts import named, reward_laws

    law: RewardLaw = named("rewards", value, reward_laws(), LAWS)
    if problems := check_reward_law(law):
        raise InputError("rewards", law.from_file or law.name, problems[0])
    return law


def described(law: Law) -> Any:
    """Return a reward law as the value of the key `rewards` in an instance file."""
    return law if isinstance(law, str) else keys_of(law)


def points(mean: np.ndarray, law: Law) -> tuple[np.ndarray, np.ndarray]:
    """Return the J possible values of a reward and their probabilities, both (..., J), for mean rewards (...). For
    Fractions they are exact. law: the name of a law (bernoulli, deterministic, two_point), or a user's own."""
    if isinstance(law, RewardLaw):
        return law.points(mean)
    one = mean * 0 + 1
    if law == "deterministic":
        return mean[..., None], one[..., None]
    if law == "two_point":
        spread = np.minimum(mean, 1 - mean)
        return np.stack([mean - spread, mean + spread], -1), np.stack([one / 2, one / 2], -1)
    return np.stack([0 * mean, one], -1), np.stack([1 - mean, mean], -1)


def variance(mean: np.ndarray, law: Law) -> np.ndarray:
    values, chances = points(mean, law)
    return np.asarray((chances * (values - mean[..., None]) ** 2).sum(axis=-1))


def draw_numbers(
    counts: np.ndarray, mean: np.ndarray, law: Law, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw many rewards in each of C cells (a cell is a context with an arm), and count how often each of the J
    possible values occurs. counts: (..., C), number of rewards in each cell. mean: (..., C), their mean. Return the
    values and how often each was drawn, both (..., C, J)."""
    values, chances = points(np.clip(mean, 0.0, 1.0), law)
    return values, draw_point_counts(counts, chances, rng)


def draw_sums(counts: np.ndarray, mean: np.ndarray, law: Law, rng: np.random.Generator) -> np.ndarray:
    """Draw the sum of many rewards in each of C cells (a cell is a context with an arm), shape (..., C). counts: (...,
    C), number of rewards in each cell. mean: (..., C), their mean."""
    if law == "bernoulli":  # the same draws, without an array of both values
        return np.asarray(rng.binomial(counts, np.clip(mean, 0.0, 1.0)), dtype=float)
    values, numbers = draw_numbers(counts, mean, law, rng)
    return np.asarray((numbers * values).sum(axis=-1))


def draw_point_counts(counts: np.ndarray, chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw how often each of J possible values occurs among the rewards of each of C cells (a cell is a context with an
    arm), shape (..., C, J). counts: (..., C), number of rewards. chances: (..., C, J), probabilities of the values."""
    if chances.shape[-1] == 1:
        return counts[..., None]
    if chances.shape[-1] == 2:
        high = rng.binomial(counts, chances[..., 1])
        return np.stack([counts - high, high], axis=-1)
    return np.asarray(rng.multinomial(counts, chances))


def draw(mean: np.ndarray, law: Law, rng: np.random.Generator) -> np.ndarray:
    """Draw one reward for each mean, shape (n,). Bernoulli rewards are drawn in single precision, which changes their
    probabilities by at most 2^-24."""
    if law == "deterministic":
        return mean
    if law == "two_point":
        spread = np.minimum(mean, 1 - mean)
        return np.asarray(mean + spread * np.where(rng.random(len(mean)) < 0.5, -1, 1))
    if law == "bernoulli":
        return (rng.random(len(mean), dtype=np.float32) < mean).astype(float)
    values, chances = points(mean, law)
    reached = rng.random(len(mean))[:, None] >= np.cumsum(chances, axis=-1)[:, :-1]
    return np.asarray(values[np.arange(len(mean)), reached.sum(axis=-1)])


def one(mean: Any, law: Law) -> tuple[tuple[Any, Any], ...]:
    """Return the possible rewards for one mean, as (reward, probability) pairs; for the Bernoulli law 1 is first."""
    values, chances = points(np.array([mean], dtype=object if not isinstance(mean, float) else float), law)
    pairs = list(zip(values[0], chances[0], strict=True))
    return tuple(reversed(pairs) if law == "bernoulli" else pairs)
