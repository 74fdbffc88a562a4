"""Where an agent's features come from. Finite contexts: epochs of any length at the cost of |X| K numbers.

An epoch of E steps enters only through counts N[x,a] ~ Multinomial(E, D(x)p(a|x)) and reward sums, so V and b are
sums over cells. Regret given the estimate is a closed form: no action noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fedigw.igw import inverse_gap_weights
from fedigw.interfaces import Experience
from linear.ridge import RidgeData


@dataclass(frozen=True, eq=False)
class FiniteContexts:
    """features (X, K, d), law (X,)."""

    features: np.ndarray
    law: np.ndarray

    @property
    def arms(self) -> int:
        return int(self.features.shape[1])

    @property
    def dimension(self) -> int:
        return int(self.features.shape[2])

    @cached_property
    def cells(self) -> np.ndarray:
        """(X K, d): the features, one row per cell."""
        return self.features.reshape(-1, self.dimension)

    @cached_property
    def squares(self) -> np.ndarray:
        """(X K, d d): phi phi' of every cell."""
        return np.einsum("ci,cj->cij", self.cells, self.cells).reshape(len(self.cells), -1)

    def means(self, parameter: np.ndarray) -> np.ndarray:
        """(X, K): expected rewards."""
        return np.asarray(self.features @ parameter)

    def kernel(self, estimate: np.ndarray, learning_rate: float) -> np.ndarray:
        """(..., X, K): arm probabilities under estimates (..., d)."""
        scores = np.einsum("xkd,...d->...xk", self.features, estimate)
        return inverse_gap_weights(scores, learning_rate)

    def regret_rate(self, kernel: np.ndarray, parameter: np.ndarray) -> Any:
        """(...): expected regret of a step under kernels (..., X, K)."""
        mean = self.means(parameter)
        gap = mean.max(axis=1, keepdims=True) - mean
        return np.einsum("...xk,xk->...", kernel, gap * self.law[:, None])

    def largest_regret_rate(self, parameter: np.ndarray) -> float:
        mean = self.means(parameter)
        return float(self.law @ (mean.max(axis=1) - mean.min(axis=1)))

    def excess_risk(self, kernel: np.ndarray, error: np.ndarray) -> Any:
        """(...): E (phi'error)^2 with actions from kernels (..., X, K), for errors (..., d)."""
        values = np.einsum("xkd,...d->...xk", self.features, error) ** 2
        return np.einsum("...xk,...xk,x->...", kernel, values, self.law)

    def sums(self, counts: np.ndarray, rewards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """gram (..., d, d) and moment (..., d) of counts and reward sums (..., X K)."""
        gram = (counts @ self.squares).reshape(*counts.shape[:-1], self.dimension, self.dimension)
        return gram, rewards @ self.cells

    def play(
        self,
        estimate: np.ndarray,
        learning_rate: float,
        full: int,
        played: int,
        parameter: np.ndarray,
        rewards: str,
        rng: np.random.Generator,
    ) -> Experience:
        """An epoch of `full` steps; regret over the first `played`."""
        kernel = self.kernel(estimate, learning_rate)
        regret = played * float(self.regret_rate(kernel, parameter))
        counts = rng.multinomial(full, normalised(kernel * self.law[:, None]).ravel())
        drawn = draw_reward_sums(counts, self.means(parameter).ravel(), rewards, rng)
        gram, moment = self.sums(counts.astype(float), drawn)
        return Experience(RidgeData(full, gram, moment), regret)

    def describe(self) -> dict[str, Any]:
        return {"contexts": self.law.tolist(), "features": self.features.tolist()}


def normalised(weights: np.ndarray) -> np.ndarray:
    """Probabilities that sum to 1 over the last two axes, whatever rounding did."""
    return np.asarray(weights / weights.sum(axis=(-2, -1), keepdims=True))


def draw_reward_sums(
    counts: np.ndarray, mean: np.ndarray, rewards: str, rng: np.random.Generator
) -> np.ndarray:
    """Sums of `counts` (..., C) rewards with means (C,): in {0,1}, equal to the mean, or mean +- min(mean, 1-mean)."""
    if rewards == "deterministic":
        return np.asarray(counts * mean)
    if rewards == "two_point":
        spread = np.minimum(mean, 1 - mean)
        high = rng.binomial(counts, 0.5)
        return np.asarray(counts * (mean - spread) + 2 * high * spread)
    return np.asarray(rng.binomial(counts, np.clip(mean, 0.0, 1.0)), dtype=float)
