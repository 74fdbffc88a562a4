"""Quadratic objectives of M agents, for protocols, audits and the reference computations of checks.

Agent m has the weight p_m and the objective f_m(w) = w'H_m w/2 - c_m'w, up to a constant. The first `shared`
coordinates are common to the agents, the others are each agent's own. Points are one per agent, (M, d), equal in the
shared coordinates.

Ridge regression is of this form: H_m = (2/n_m) V_m + 2 D_m and c_m = (2/n_m) b_m, where V_m = sum phi phi' and b_m =
sum r phi over the agent's n_m samples of features phi and rewards r. The diagonal matrix D_m has the weight on the
squared norm: lambda for shared coordinates, lambda/p_m for personal ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.local_problem import LocalProblem

MANY = 2**31  # more samples than a batch has


@dataclass(frozen=True)
class Samples:
    """One agent's dataset as S distinct samples with multiplicities: features (S, d), rewards (S,), counts (S,)."""

    features: np.ndarray
    rewards: np.ndarray
    counts: np.ndarray

    def or_zero(self) -> Samples:
        """Return the samples or, for an agent without any, samples with zero features, as many as a minibatch can need.
        Such an agent's loss does not count, because its weight is 0."""
        if len(self.rewards):
            return self
        return Samples(np.zeros((1, self.features.shape[1])), np.zeros(1), np.full(1, MANY))


class WithSamples:
    """Base class of objects that draw minibatches. samples: the agents' datasets; None if only sums are known."""

    if TYPE_CHECKING:  # a field

        @property
        def samples(self) -> Sequence[Samples] | None: ...

    @cached_property
    def _pool(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        assert self.samples is not None
        features = np.concatenate([s.features for s in self.samples])
        rewards = np.concatenate([s.rewards for s in self.samples])
        running = np.cumsum(np.concatenate([s.counts for s in self.samples]))
        sizes = np.array([int(s.counts.sum()) for s in self.samples])
        return features, rewards, running, np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes

    def draw(self, who: np.ndarray, batch: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw `batch` samples for every agent in `who`: features (P, batch, d) and rewards (P, batch)."""
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


@dataclass(frozen=True)
class Quadratics:
    """The objectives w'H_m w/2 - c_m'w of M agents, whose weighted sum is minimised.

    hessians   (M, d, d): the matrices H_m
    linear     (M, d): the vectors c_m
    weights    (M,): of the agents
    shared     number of coordinates that all agents have in common; they come first
    """

    hessians: np.ndarray
    linear: np.ndarray
    weights: np.ndarray
    shared: int

    @classmethod
    def around(
        cls, hessians: np.ndarray, weights: np.ndarray, minimisers: np.ndarray, shared: int
    ) -> Quadratics:
        return cls(hessians, (hessians @ minimisers[..., None])[..., 0], weights, shared)

    @property
    def width(self) -> int:
        return int(self.linear.shape[1])

    @cached_property
    def minimisers(self) -> np.ndarray:
        return np.asarray(np.linalg.solve(self.hessians, self.linear[..., None])[..., 0])

    @cached_property
    def embedding(self) -> np.ndarray:
        """Return the matrices (M, d, D) that map a vector of all D shared and personal coordinates to the agents'
        points. They are scaled such that the vector's squared norm is the weighted sum of the points' squared norms."""
        agents, size = self.linear.shape
        own = size - self.shared
        E = np.zeros((agents, size, self.shared + agents * own))
        E[:, : self.shared, : self.shared] = np.eye(self.shared)
        for m in range(agents):
            first = self.shared + m * own
            E[m, self.shared :, first : first + own] = np.eye(own) / np.sqrt(self.weights[m])
        return E

    @cached_property
    def hessian(self) -> np.ndarray:
        """Return the Hessian (D, D) of the weighted sum of objectives, in the D coordinates of `embedding`."""
        E = self.embedding
        return np.asarray(np.einsum("m,mij,mik,mkl->jl", self.weights, E, self.hessians, E))

    @cached_property
    def best(self) -> np.ndarray:
        """Return the minimiser of the weighted sum of objectives: a point per agent (M, d), equal in shared
        coordinates."""
        pull = np.einsum("m,mij,mi->j", self.weights, self.embedding, self.linear)
        return np.asarray(self.embedding @ np.linalg.solve(self.hessian, pull))

    @property
    def beta(self) -> float:
        return float(np.linalg.eigvalsh(self.hessians).max())

    @property
    def mu(self) -> float:
        return float(np.linalg.eigvalsh(self.hessian)[0])

    @property
    def heterogeneity(self) -> float:
        return float(self.weights @ (self.gradients(self.best) ** 2).sum(axis=1))

    def gradients(self, points: np.ndarray) -> np.ndarray:
        """Return the gradient of each agent's objective, shape (..., M, d), at points (..., M, d) or (d,)."""
        return np.asarray(np.matmul(self.hessians, points[..., None])[..., 0] - self.linear)

    def gap(self, points: np.ndarray) -> float:
        """Return half the weighted sum of (w - w*)'H_m(w - w*), where w* is the minimiser `best`. For points that agree
        in the shared coordinates this is the weighted sum of objectives minus its minimum. points: one per agent (M,
        d), or one for all (d,)."""
        away = points - self.best
        return float(self.weights @ np.einsum("mi,mij,mj->m", away, self.hessians, away)) / 2

    def distance(self, points: np.ndarray) -> float:
        """Return the weighted squared distance of the agents' points (M, d) from the minimiser `best`."""
        return float(self.weights @ ((points - self.best) ** 2).sum(axis=1))

    def together(self, points: np.ndarray) -> np.ndarray:
        """Return the points (..., M, d) with their shared coordinates replaced by the agents' weighted mean."""
        mean = points.copy()
        mean[..., : self.shared] = (self.weights @ points[..., : self.shared])[..., None, :]
        return mean


@dataclass(frozen=True)
class LocalQuadratics(Quadratics, WithSamples, LocalProblem):
    """The agents' quadratic objectives, for local methods such as FedAvg.

    regulariser        (M, d): diagonal of the Hessian of each agent's penalty on the squared norm
    strong_convexity   lower bound on the curvature of the weighted sum, known before the data
    samples            one dataset per agent with padded features, or None if only sums over samples were recorded
    """

    affine: ClassVar[bool] = True
    regulariser: np.ndarray
    strong_convexity: float
    samples: Sequence[Samples] | None = None

    def curvatures(self) -> np.ndarray:
        return np.asarray(np.linalg.eigvalsh(self.hessians)[:, 0])

    def smoothness(self, batch: int | None) -> float:
        if batch is not None and self.samples is not None:
            longest = max(float((s.features**2).sum(axis=1).max()) for s in self.samples)
            return float(2 * longest + self.regulariser.max())
        return self.beta

    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        everyone = len(who) == len(self.weights)
        if batch is None:
            hessians = self.hessians if everyone else self.hessians[who]
            linear = self.linear if everyone else self.linear[who]
            return np.asarray(np.matmul(hessians, points[..., None])[..., 0] - linear)
        features, rewards = self.draw(who, batch, rng)
        residual = np.einsum("pbd,pd->pb", features, points) - rewards
        data = np.einsum("pb,pbd->pd", residual, features) * (2 / batch)
        return np.asarray(data + self.regulariser[who] * points)

    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        system = self.hessians[who] + proximal * np.eye(self.width)
        right = self.linear[who] + proximal * anchors
        return np.asarray(np.linalg.solve(system, right[..., None])[..., 0])
