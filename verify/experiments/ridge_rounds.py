"""Deterministic FL on small ridge problems, round by round as affine maps: any number of rounds is a matrix power.

A reference of its own, written from the definitions, against which the guaranteed rounds of col:convex are held.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bounds.own_agd_rate import momentum


@dataclass(frozen=True)
class RidgeData:
    """features (M, E, d), rewards (M, E); objective mean (phi'w - r)^2 + norm(w)^2/n, n = M E."""

    features: np.ndarray
    rewards: np.ndarray

    @property
    def n(self) -> int:
        return int(self.rewards.size)

    @cached_property
    def hessians(self) -> np.ndarray:
        """(M, d, d) of the agents' own objectives."""
        grams = np.einsum("mei,mej->mij", self.features, self.features) / self.features.shape[1]
        return np.asarray(2 * (grams + np.eye(grams.shape[1]) / self.n))

    @cached_property
    def linear(self) -> np.ndarray:
        """(M, d): grad f_m(w) = H_m w - linear_m."""
        return np.asarray(2 * np.einsum("mei,me->mi", self.features, self.rewards) / self.features.shape[1])

    @cached_property
    def minimiser(self) -> np.ndarray:
        return np.asarray(np.linalg.solve(self.hessians.mean(0), self.linear.mean(0)))

    def gap(self, w: np.ndarray) -> float:
        off = w - self.minimiser
        return float(off @ self.hessians.mean(0) @ off / 2)

    def gradients(self, points: np.ndarray) -> np.ndarray:
        """(M, d) of every agent at its own point (M, d)."""
        return np.asarray(np.einsum("mij,mj->mi", self.hessians, points) - self.linear)


def random_data(rng: np.random.Generator, agents: int, each: int, dimension: int) -> RidgeData:
    """Agents with their own directions, some rare: eigenvalues from 1/n up; Bernoulli rewards of a common w*."""
    truth = np.abs(rng.standard_normal(dimension))
    truth /= np.linalg.norm(truth)
    features = np.zeros((agents, each, dimension))
    for m in range(agents):
        law = rng.dirichlet(np.full(dimension, 0.3))
        axes = rng.choice(dimension, each, p=law)
        features[m, np.arange(each), axes] = rng.choice([0.3, 1.0], each)
    features[0, 0] = truth
    means = features @ truth
    return RidgeData(features, (rng.random(means.shape) < means).astype(float))


def gap_after(
    round_map: Callable[[np.ndarray], np.ndarray], size: int, rounds: int, data: RidgeData
) -> float:
    """The gap after `rounds` rounds from 0; the state's first d entries are the model."""
    shift = round_map(np.zeros(size))
    matrix = np.column_stack([round_map(axis) - shift for axis in np.eye(size)])
    whole = np.block([[matrix, shift[:, None]], [np.zeros((1, size)), np.ones((1, 1))]])
    state = np.linalg.matrix_power(whole, rounds)[:size, size]
    return data.gap(state[: data.features.shape[2]])


def gradient_descent(data: RidgeData, rounds: int, step: float) -> float:
    d = data.features.shape[2]

    def once(x: np.ndarray) -> np.ndarray:
        return x - step * data.gradients(np.tile(x, (len(data.rewards), 1))).mean(0)

    return gap_after(once, d, rounds, data)


def accelerated(data: RidgeData, rounds: int, step: float) -> float:
    d, weight = data.features.shape[2], float(momentum(float(data.n)))

    def once(state: np.ndarray) -> np.ndarray:
        x, before = state[:d], state[d:]
        y = x + weight * (x - before)
        return np.concatenate([y - step * data.gradients(np.tile(y, (len(data.rewards), 1))).mean(0), x])

    return gap_after(once, 2 * d, rounds, data)


def local_steps(
    data: RidgeData, rounds: int, step: float, local: int, server: float, corrected: bool
) -> float:
    """FedAvg; corrected: SCAFFOLD, option II, from zero control variates. step: h = local step_size server."""
    agents, d = len(data.rewards), data.features.shape[2]
    size = step / (local * server)

    def once(state: np.ndarray) -> np.ndarray:
        x, controls = state[:d], state[d:].reshape(-1, d)
        mean = controls.mean(0) if corrected else np.zeros(d)
        points = np.tile(x, (agents, 1))
        for _ in range(local):
            gradients = data.gradients(points)
            points = points - size * (gradients - controls + mean if corrected else gradients)
        after = x + server * (points.mean(0) - x)
        if not corrected:
            return after
        renewed = controls - mean + (x - points) / (local * size)
        return np.concatenate([after, renewed.ravel()])

    return gap_after(once, d * (agents + 1) if corrected else d, rounds, data)
