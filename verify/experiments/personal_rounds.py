"""LSGD-PFL with full local gradients on small ridge problems, a round as an affine map: any number is a matrix power.

State: the shared block (da,), then every agent's personal block (M, db). f_m = mean (phi'x_m - r)^2 + norm(alpha)^2/n
+ (M/n) norm(beta_m)^2, equal sizes: their mean is the ridge objective of the lifted features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PersonalData:
    """features (M, E, da + db), rewards (M, E); the first da coordinates are shared."""

    features: np.ndarray
    rewards: np.ndarray
    shared: int

    @property
    def n(self) -> int:
        return int(self.rewards.size)

    def gradients(self, points: np.ndarray) -> np.ndarray:
        """(M, da + db) of every agent at its own point."""
        agents, each = self.rewards.shape
        weights = np.full(points.shape[1], agents / self.n)
        weights[: self.shared] = 1 / self.n
        residuals = np.einsum("mei,mi->me", self.features, points) - self.rewards
        return np.asarray(2 * np.einsum("me,mei->mi", residuals, self.features) / each + 2 * weights * points)

    def joined(self, state: np.ndarray) -> np.ndarray:
        """(M, da + db) points of the agents from the state."""
        agents = len(self.rewards)
        own = state[self.shared :].reshape(agents, -1)
        return np.hstack([np.tile(state[: self.shared], (agents, 1)), own])

    def total_gradient(self, state: np.ndarray) -> np.ndarray:
        """Of the mean objective, in the coordinates of the state."""
        found = self.gradients(self.joined(state)) / len(self.rewards)
        return np.concatenate([found[:, : self.shared].sum(0), found[:, self.shared :].ravel()])


def random_data(rng: np.random.Generator, agents: int, each: int, shared: int, own: int) -> PersonalData:
    """Bernoulli rewards with means phi'omega_m; nonnegative features and parameters of norm at most 1."""
    truths = np.abs(rng.standard_normal((agents, shared + own)))
    truths[:, :shared] = truths[0, :shared]
    truths /= np.linalg.norm(truths, axis=1).max()
    features = np.abs(rng.standard_normal((agents, each, shared + own)))
    features *= rng.random(features.shape) < 0.5
    features /= np.maximum(np.linalg.norm(features, axis=2, keepdims=True), 1)
    means = np.einsum("mei,mi->me", features, truths)
    return PersonalData(features, (rng.random(means.shape) < means).astype(float), shared)


def _affine(function: object, size: int) -> tuple[np.ndarray, np.ndarray]:
    assert callable(function)
    shift = function(np.zeros(size))
    return np.column_stack([function(axis) - shift for axis in np.eye(size)]), shift


def gap_after(data: PersonalData, rounds: int, step: float, local: int, server: float) -> float:
    """F - F* after `rounds` rounds from 0; step: h = local step_size server."""
    agents, _, width = data.features.shape
    size, d = step / (local * server), data.shared + agents * (width - data.shared)

    def once(state: np.ndarray) -> np.ndarray:
        start = data.joined(state)
        points = start
        for _ in range(local):
            points = points - size * data.gradients(points)
        moved = start + server * (points - start)
        return np.concatenate([moved[:, : data.shared].mean(0), moved[:, data.shared :].ravel()])

    matrix, shift = _affine(once, d)
    whole = np.block([[matrix, shift[:, None]], [np.zeros((1, d)), np.ones((1, 1))]])
    state = np.linalg.matrix_power(whole, rounds)[:d, d]
    hessian, gradient = _affine(data.total_gradient, d)
    off = state + np.linalg.solve(hessian, gradient)
    return float(off @ hessian @ off / 2)
