"""Play an epoch with finitely many contexts, at a cost that does not depend on the number of its steps.

The data of an epoch are how often each pair of context and arm occurred, which is multinomial, and the sums of its
rewards. From these follow sum phi phi' and sum r phi over samples with features phi and rewards r. The regret given the
estimate has a closed form without noise from the choice of arms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from fedigw.interfaces import Acting, Experience, Loss, Steps
from fedigw.rewards import Law, draw_point_counts, draw_sums, points
from linear.losses.squared import Squared
from linear.quadratics import Samples
from linear.ridge import RidgeData

MOST_SQUARES = 2_000_000  # numbers of phi phi' at once: 16 MB


@dataclass(frozen=True, eq=False)
class FiniteContexts:
    """Finitely many contexts of an agent in a linear world. features: (X, K, d). law: (X,), the contexts'
    probabilities. loss: the loss whose link function maps scores to mean rewards."""

    features: np.ndarray
    law: np.ndarray
    loss: Loss = field(default_factory=Squared)

    @property
    def arms(self) -> int:
        return int(self.features.shape[1])

    @property
    def dimension(self) -> int:
        return int(self.features.shape[2])

    @cached_property
    def cells(self) -> np.ndarray:
        return self.features.reshape(-1, self.dimension)

    @cached_property
    def of_shares(self) -> bool:
        return bool((self.features >= 0).all() and (self.features.sum(axis=2) <= 1 + 1e-12).all())

    def means(self, parameter: np.ndarray) -> np.ndarray:
        return self.loss.link(self.features @ parameter)

    def regret_rate(self, probabilities: np.ndarray, parameter: np.ndarray) -> Any:
        """Return the expected regret of a step, shape (...), for arm probabilities (..., X, K) and true `parameter`."""
        mean = self.means(parameter)
        gap = mean.max(axis=1, keepdims=True) - mean
        return np.einsum("...xk,xk->...", probabilities, gap * self.law[:, None])

    def largest_regret_rate(self, parameter: np.ndarray) -> float:
        mean = self.means(parameter)
        return float(self.law @ (mean.max(axis=1) - mean.min(axis=1)))

    def excess_risk(self, probabilities: np.ndarray, error: np.ndarray) -> Any:
        """Return the mean of the squared errors over contexts and arms, shape (...). probabilities: (..., X, K), of the
        arms. error: (..., X, K), predicted minus true mean rewards."""
        return np.einsum("...xk,...xk,x->...", probabilities, np.asarray(error) ** 2, self.law)

    def sums(self, counts: np.ndarray, rewards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums of phi phi' (..., d, d) and of r phi (..., d) over samples with features phi and rewards r.
        counts, rewards: (..., X K), how often each pair of context and arm occurred, and the sums of its rewards."""
        gram = (counts @ _squares(self)).reshape(*counts.shape[:-1], self.dimension, self.dimension)
        return gram, rewards @ self.cells

    def samples(self, values: np.ndarray, numbers: np.ndarray) -> Samples:
        """Return the samples as distinct (feature, reward) pairs with multiplicities. values, numbers: (X K, J), the
        possible rewards of each pair of context and arm, and how often each occurred."""
        met = numbers.T > 0
        cells = np.broadcast_to(np.arange(len(self.cells)), met.shape)
        return Samples(self.cells[cells[met]], values.T[met], numbers.T[met])

    def play(
        self, act: Acting, steps: Steps, parameter: np.ndarray, rewards: Law, rng: np.random.Generator
    ) -> Experience:
        """Play an epoch of one agent; return data and expected regret. parameter (d,): the true one. rewards: a law."""
        return self.play_each(act, [steps], parameter, rewards, rng)[0]

    def play_each(
        self,
        act: Acting,
        steps: Sequence[Steps],
        parameter: np.ndarray,
        rewards: Law,
        rng: np.random.Generator,
    ) -> list[Experience]:
        """Play an epoch of several agents with the same policy and model. Return each agent's data and expected regret.
        parameter (d,): the true one. rewards: their law."""
        probabilities = act(self.features)
        lost = float(self.regret_rate(probabilities, parameter))
        mean = self.means(parameter).ravel()
        chances = normalised(probabilities * self.law[:, None]).ravel()
        values, likely = points(np.clip(mean, 0.0, 1.0), rewards)
        drawn = []  # agent by agent: the draws of one do not depend on who plays with it
        for one in steps:
            met = rng.multinomial(one.full, chances)
            drawn.append((met, draw_point_counts(met, likely, rng)))
        counts, numbers = (np.stack(part) for part in zip(*drawn, strict=True))  # (M, X K), (M, X K, J)
        grams, moments = self.sums(counts.astype(float), (numbers * values).sum(axis=-1))
        kept = [
            self.samples(values, row) if one.keep else None for one, row in zip(steps, numbers, strict=True)
        ]
        return [
            Experience(RidgeData(one.full, grams[m], moments[m], kept[m]), one.played * lost)
            for m, one in enumerate(steps)
        ]

    def meet(
        self, shape: tuple[int, int], parameter: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw contexts one by one. Return features (*shape, K, d), mean rewards (*shape, K) and context indices
        (*shape). parameter (d,): the true one."""
        if len(self.law) == 1:
            index = np.zeros(shape, dtype=np.int64)
        else:
            index = np.searchsorted(np.cumsum(self.law)[:-1], rng.random(shape), side="right")
        return self.features[index], self.means(parameter)[index], index

    def describe(self) -> dict[str, Any]:
        return {"contexts": self.law.tolist(), "features": self.features.tolist()}


@dataclass(frozen=True, eq=False)
class Laws:
    """G probability distributions, each over its own X contexts with K arms, so that they can be played at once.
    features: (G X, K, d). law: (G, X), probabilities."""

    features: np.ndarray
    law: np.ndarray

    @classmethod
    def of(cls, laws: Sequence[FiniteContexts]) -> Laws:
        if len(laws) == 1:
            return cls(laws[0].features, laws[0].law[None])
        return cls(np.concatenate([one.features for one in laws]), np.stack([one.law for one in laws]))

    def regret_rates(self, probabilities: np.ndarray, parameter: np.ndarray) -> np.ndarray:
        """Return the expected regret of a step under each of the G distributions of contexts, shape (R, G).
        probabilities: (R, G X, K), of the arms. parameter: the true one."""
        mean = self.features @ parameter
        gap = mean.max(axis=1, keepdims=True) - mean
        lost = np.einsum("rxk,xk->rx", probabilities, gap * self.law.reshape(-1, 1))
        return np.asarray(lost.reshape(len(lost), *self.law.shape).sum(axis=2))

    def draw_laws(
        self,
        probabilities: np.ndarray,
        steps: np.ndarray,
        parameter: np.ndarray,
        rewards: Law,
        rng: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play steps[g] steps with contexts from each distribution g, in R replications. Return the sums over all
        samples of phi phi' (R, d, d) and of r phi (R, d), where phi are features and r is the reward. probabilities:
        (R, G X, K), of the arms. parameter: the true one."""
        laws, contexts = self.law.shape
        runs, d = len(probabilities), self.features.shape[2]
        chances = probabilities * self.law.reshape(-1, 1)
        chances = normalised(chances.reshape(runs, laws, contexts, -1)).reshape(runs, laws, -1)
        counts = rng.multinomial(steps, chances).reshape(runs, -1)
        cells = self.features.reshape(-1, d)
        mean = cells @ parameter
        sums = draw_sums(counts, mean, rewards, rng)
        return grams(counts.astype(float), cells), sums @ cells


def grams(counts: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return the sum over C feature vectors phi of count x phi phi', shape (R, d, d). cells: (C, d), the feature
    vectors. counts: (R, C)."""
    runs, d = len(counts), cells.shape[1]
    if runs < d:  # less work than to write down every phi phi'
        return np.stack([cells.T @ (row[:, None] * cells) for row in counts])
    found, most = np.zeros((runs, d * d)), max(1, MOST_SQUARES // (d * d))
    for start in range(0, len(cells), most):
        part = cells[start : start + most]
        found += counts[:, start : start + most] @ np.einsum("ci,cj->cij", part, part).reshape(len(part), -1)
    return found.reshape(runs, d, d)


@lru_cache(maxsize=32)  # thousands of agents with laws of their own must not all be held
def _squares(contexts: FiniteContexts) -> np.ndarray:
    return np.einsum("ci,cj->cij", contexts.cells, contexts.cells).reshape(len(contexts.cells), -1)


def normalised(weights: np.ndarray) -> np.ndarray:
    return np.asarray(weights / weights.sum(axis=(-2, -1), keepdims=True))
