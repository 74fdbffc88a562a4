"""The agents' side of local methods on quadratic losses: every agent's own Hessian, gradients, samples.

f_m(w) = mean_i (phi_i'w - r_i)^2 + w'D_m w with a diagonal regulariser D_m, so grad f_m(w) = H_m w - c_m with
H_m = (2/n_m) V_m + 2 D_m and c_m = (2/n_m) b_m. Ridge has D_m = lambda I; personal coordinates have lambda/p_m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bounds.errors import InputError


@dataclass(frozen=True)
class Samples:
    """A local dataset as a multiset: features (S, d), rewards (S,), counts (S,) of equal samples."""

    features: np.ndarray
    rewards: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True)
class LocalQuadratics:
    """hessians (M, D, D), linear (M, D), weights p_m (M,); regulariser (M, D): the diagonal 2 D_m.
    samples: one multiset per agent (padded features), or None where only Gram matrices were kept."""

    hessians: np.ndarray
    linear: np.ndarray
    weights: np.ndarray
    regulariser: np.ndarray
    shared: int
    strong_convexity: float
    samples: Sequence[Samples] | None = None

    @property
    def width(self) -> int:
        return int(self.linear.shape[1])

    def smoothness(self, batch: int | None) -> float:
        """The largest eigenvalue of an agent's Hessian; for minibatches that of a single loss."""
        if batch is not None and self.samples is not None:
            longest = max(float((s.features**2).sum(axis=1).max()) for s in self.samples)
            return float(2 * longest + self.regulariser.max())
        return float(np.linalg.eigvalsh(self.hessians)[:, -1].max())

    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        """(P, D): H_m y - c_m, or the same over a minibatch drawn with replacement."""
        everyone = len(who) == len(self.weights)
        if batch is None:
            hessians = self.hessians if everyone else self.hessians[who]
            linear = self.linear if everyone else self.linear[who]
            return np.asarray(np.matmul(hessians, points[..., None])[..., 0] - linear)
        features, rewards = self._draw(who, batch, rng)
        residual = np.einsum("pbd,pd->pb", features, points) - rewards
        data = np.einsum("pb,pbd->pd", residual, features) * (2 / batch)
        return np.asarray(data + self.regulariser[who] * points)

    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        """(P, D): (H_m + proximal I)^{-1}(c_m + proximal anchor)."""
        system = self.hessians[who] + proximal * np.eye(self.width)
        right = self.linear[who] + proximal * anchors
        return np.asarray(np.linalg.solve(system, right[..., None])[..., 0])

    @cached_property
    def _pool(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """All agents' samples in a row: features, rewards, running counts; each agent's first place and number."""
        assert self.samples is not None
        features = np.concatenate([s.features for s in self.samples])
        rewards = np.concatenate([s.rewards for s in self.samples])
        running = np.cumsum(np.concatenate([s.counts for s in self.samples]))
        sizes = np.array([int(s.counts.sum()) for s in self.samples])
        return features, rewards, running, np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes

    def _draw(self, who: np.ndarray, batch: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """features (P, B, D) and rewards (P, B) of a minibatch of every participant."""
        if self.samples is None:
            raise InputError(
                "protocol.batch", batch, "needs the agents' samples, and only Gram matrices were kept"
            )
        features, rewards, running, first, sizes = self._pool
        if batch > sizes[who].min():
            agent = int(who[int(np.argmin(sizes[who]))])
            raise InputError(
                "protocol.batch", batch, f"is larger than agent {agent}'s data, {sizes[agent]} samples"
            )
        picked = first[who][:, None] + rng.integers(0, sizes[who][:, None], size=(len(who), batch))
        rows = np.searchsorted(running, picked, side="right")
        return features[rows], rewards[rows]
