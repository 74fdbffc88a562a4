"""Enumerate the possible data of an epoch of n steps as counts: how often each cell occurred.

A cell is a feature vector with the reward that came with it. Counts are multinomial, and ridge regression depends on
the samples only through them. So a sum over all sequences of samples is a sum over the C(n+S-1, S-1) ways to split n
steps over S cells.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from fedigw.rewards import Law
from fedigw.rewards import one as reward_law


@dataclass(frozen=True)
class Cells:
    """The S possible pairs of feature vector and reward of one step, as floats or Fractions. chances: (S,),
    probabilities. features: (S, d). rewards: (S,)."""

    chances: np.ndarray
    features: np.ndarray
    rewards: np.ndarray

    def outcomes(self, steps: int) -> int:
        return math.comb(steps + len(self.chances) - 1, len(self.chances) - 1)


def cells(features: np.ndarray, weights: np.ndarray, means: np.ndarray, rewards: Law) -> Cells:
    """Return the possible (feature, reward) pairs of a step. features: (C, d). weights: (C,), their probabilities.
    means: (C,), their mean rewards. rewards: the law of rewards. Equal pairs are joined, and so are all pairs with
    feature zero, whose reward does not change the data."""
    merged: dict[tuple[Any, ...], Any] = {}
    for feature, weight, mean in zip(features, weights, means, strict=True):
        for reward, chance in reward_law(mean, rewards):
            if weight * chance > 0:
                key = (*feature.tolist(), reward if any(feature) else 0 * reward)
                merged[key] = merged.get(key, 0) + weight * chance
    keys = list(merged)
    kind = features.dtype
    return Cells(
        np.array([merged[key] for key in keys], dtype=kind),
        np.array([key[:-1] for key in keys], dtype=kind),
        np.array([key[-1] for key in keys], dtype=kind),
    )


def variance(mean: Any, rewards: Law) -> Any:
    return sum(chance * (reward - mean) ** 2 for reward, chance in reward_law(mean, rewards))


@lru_cache(maxsize=32)
def compositions(steps: int, parts: int) -> np.ndarray:
    """Return all ways to write `steps` as an ordered sum of `parts` non-negative integers, shape (O, parts)."""
    if parts == 1:
        return np.array([[steps]])
    if steps < parts:  # few steps: the cells that they fall into, in the same order
        places = np.array(list(combinations_with_replacement(range(parts), steps)), dtype=np.int64)[::-1]
        counted = np.zeros((len(places), parts), dtype=np.int64)
        np.add.at(counted, (np.arange(len(places))[:, None], places), 1)
        counted.setflags(write=False)
        return counted
    blocks = []
    for first in range(steps + 1):
        rest = compositions(steps - first, parts - 1)
        blocks.append(np.column_stack([np.full(len(rest), first), rest]))
    found = np.concatenate(blocks)
    found.setflags(write=False)
    return found


def law(given: Cells, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all possible counts of the S (feature, reward) pairs in `steps` steps, shape (O, S), and their
    probabilities (O,). These are exact if the pairs' probabilities are Fractions."""
    found = compositions(steps, len(given.chances))
    if given.chances.dtype != object:
        factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, steps + 1)))])
        logs = factorials[steps] - factorials[found].sum(axis=1) + found @ np.log(given.chances)
        return found, np.exp(logs)
    masses = []
    for row in found.tolist():
        left, mass = steps, Fraction(1)
        for count, chance in zip(row, given.chances, strict=True):
            mass *= math.comb(left, count) * chance**count
            left -= count
        masses.append(mass)
    return found.astype(object), np.array(masses, dtype=object)
