"""Local methods on quadratics, carried out step by step: FedAvg, LSGD-PFL, FedProx and SCAFFOLD, without noise.

f_m(w) = (1/2)(w - w_m)'H_m(w - w_m), weights p_m. The first `shared` coordinates are common to the agents, the others
are each agent's own (FedAvg: all are shared). A state is one point per agent, (M, d), equal in the shared coordinates;
rounds take many states at once, (..., M, d).
This is a road of its own: it knows nothing of the product's protocols, which can be held to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Quadratics:
    """hessians (M, d, d), weights (M,), minimisers (M, d); shared: how many coordinates are common."""

    hessians: np.ndarray
    weights: np.ndarray
    minimisers: np.ndarray
    shared: int

    @cached_property
    def embedding(self) -> np.ndarray:
        """(M, d, D): x_m = E_m u, u orthonormal coordinates of the states for the norm sum p_m norm(x_m)^2."""
        agents, size = self.minimisers.shape
        own = size - self.shared
        E = np.zeros((agents, size, self.shared + agents * own))
        E[:, : self.shared, : self.shared] = np.eye(self.shared)
        for m in range(agents):
            first = self.shared + m * own
            E[m, self.shared :, first : first + own] = np.eye(own) / np.sqrt(self.weights[m])
        return E

    @cached_property
    def hessian(self) -> np.ndarray:
        """(D, D): of the weighted sum in those coordinates."""
        E = self.embedding
        return np.asarray(np.einsum("m,mij,mik,mkl->jl", self.weights, E, self.hessians, E))

    @cached_property
    def best(self) -> np.ndarray:
        """(M, d): the minimiser of sum p_m f_m(x_m) over the states."""
        pull = np.einsum("m,mij,mik,mk->j", self.weights, self.embedding, self.hessians, self.minimisers)
        return np.asarray(self.embedding @ np.linalg.solve(self.hessian, pull))

    @property
    def beta(self) -> float:
        return float(np.linalg.eigvalsh(self.hessians).max())

    @property
    def mu(self) -> float:
        return float(np.linalg.eigvalsh(self.hessian)[0])

    @property
    def heterogeneity(self) -> float:
        """zeta*^2 = sum p_m norm(grad f_m)^2 at the minimiser."""
        return float(self.weights @ (self.gradients(self.best) ** 2).sum(axis=1))

    def gradients(self, points: np.ndarray) -> np.ndarray:
        """(M, d): of each f_m at its agent's point."""
        return np.asarray(((points - self.minimisers)[..., None, :] @ self.hessians)[..., 0, :])

    def gap(self, points: np.ndarray) -> float:
        """F - F* of a state."""
        away = points - self.best
        return float(self.weights @ np.einsum("mi,mij,mj->m", away, self.hessians, away)) / 2

    def distance(self, points: np.ndarray) -> float:
        """sum p_m norm(x_m - best_m)^2."""
        return float(self.weights @ ((points - self.best) ** 2).sum(axis=1))

    def together(self, points: np.ndarray) -> np.ndarray:
        """(M, d): the shared coordinates averaged, the others kept: the orthogonal projection Pi."""
        mean = points.copy()
        mean[..., : self.shared] = (self.weights @ points[..., : self.shared])[..., None, :]
        return mean


def local_steps(
    problem: Quadratics,
    points: np.ndarray,
    steps: int,
    step_size: float,
    correction: np.ndarray | float = 0.0,
    proximal: float = 0.0,
) -> np.ndarray:
    """(M, d): each agent's point after gradient steps on f_m + correction'y + (proximal/2) norm(y - start)^2."""
    moved = points
    for _ in range(steps):
        moved = moved - step_size * (problem.gradients(moved) + correction + proximal * (moved - points))
    return moved


def fedavg_round(
    problem: Quadratics, points: np.ndarray, steps: int, step_size: float, server_step: float = 1.0
) -> np.ndarray:
    """FedAvg, or LSGD-PFL where some coordinates are the agents' own."""
    moved = local_steps(problem, points, steps, step_size)
    return points + server_step * (problem.together(moved) - points)


def fedprox_round(
    problem: Quadratics,
    points: np.ndarray,
    proximal: float,
    server_step: float = 1.0,
    inexact: tuple[int, float] | None = None,
) -> np.ndarray:
    """FedProx; inexact: (steps, step size) of gradient descent on the local problem instead of its solution."""
    if inexact is None:
        size = points.shape[-1]
        shifted = problem.hessians + proximal * np.eye(size)
        target = proximal * points - problem.gradients(np.zeros_like(points))
        moved = np.linalg.solve(shifted, target[..., None])[..., 0]
    else:
        moved = local_steps(problem, points, *inexact, proximal=proximal)
    return points + server_step * (problem.together(moved) - points)


def scaffold_round(
    problem: Quadratics,
    points: np.ndarray,
    controls: np.ndarray,
    steps: int,
    step_size: float,
    server_step: float = 1.0,
    option: int = 2,
    sign: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """(points, controls (M, d)) after a round; sign -1: option II with its new part's sign wrong, for controls."""
    mean = (problem.weights @ controls)[..., None, :]
    moved = local_steps(problem, points, steps, step_size, correction=mean - controls)
    if option == 1:
        after = problem.gradients(points)
    else:
        after = controls - mean + sign * (points - moved) / (steps * step_size)
    return points + server_step * (problem.together(moved) - points), after


def control_error(problem: Quadratics, points: np.ndarray, controls: np.ndarray) -> float:
    """Ev = sum p_m norm(c_m - grad f_m(x))^2."""
    return float(problem.weights @ ((controls - problem.gradients(points)) ** 2).sum(axis=1))


def limit(
    problem: Quadratics,
    advance: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    doublings: int = 40,
) -> np.ndarray:
    """The state after 2^doublings rounds: a round is affine, its matrix is read off and composed with itself."""
    E, weights = problem.embedding, problem.weights
    size = E.shape[2]

    def coordinates(points: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum("m,mij,...mi->...j", weights, E, points))

    still = coordinates(advance(np.zeros_like(start)))
    matrix = (coordinates(advance(np.einsum("mij,kj->kmi", E, np.eye(size)))) - still).T
    for _ in range(doublings):
        matrix, still = matrix @ matrix, matrix @ still + still
    return np.asarray(E @ (matrix @ coordinates(start) + still))


def fixed_point(problem: Quadratics, filters: np.ndarray) -> np.ndarray:
    """(M, d): the closed formula, the argmin over states of sum p_m norm(x_m - w_m)^2_{Q(H_m)}. filters: Q(H_m)."""
    E = problem.embedding
    left = np.einsum("m,mij,mik,mkl->jl", problem.weights, E, filters, E)
    right = np.einsum("m,mij,mik,mk->j", problem.weights, E, filters, problem.minimisers)
    return np.asarray(E @ np.linalg.solve(left, right))


def spectral(hessians: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """(M, d, d): a function of each Hessian, through its eigenvalues."""
    values, vectors = np.linalg.eigh(hessians)
    return np.asarray((vectors * function(values)[:, None, :]) @ vectors.transpose(0, 2, 1))


def random_problem(rng: np.random.Generator, personal: bool = False) -> Quadratics:
    """A heterogeneous problem: 2 to 6 agents, 1 to 5 coordinates, uneven weights, often flat or aligned Hessians."""
    agents, size = int(rng.integers(2, 7)), int(rng.integers(1, 6))
    shared = int(rng.integers(0, size + 1)) if personal else size
    weights = rng.dirichlet(np.full(agents, rng.choice([0.3, 1.0, 10.0]))) + 1e-3
    spread = 10 ** -rng.uniform(0, 3)
    values = np.exp(rng.uniform(np.log(spread), 0, size=(agents, size)))
    if (
        rng.random() < 0.3
    ):  # curvature at its largest or its smallest only: where the inequalities are tightest
        values = np.where(rng.random((agents, size)) < 0.5, 1.0, spread)
    turn = np.linalg.qr(rng.standard_normal((agents, size, size)))[0]
    if rng.random() < 0.4:
        turn = np.broadcast_to(np.eye(size), turn.shape)
    hessians = (turn * values[:, None, :]) @ turn.transpose(0, 2, 1)
    scale = 10 ** rng.uniform(-1, 1)
    minimisers = rng.standard_normal((agents, size)) * rng.choice([0.01, 1.0, 10.0], size=(agents, 1))
    return Quadratics(scale * hessians, weights / weights.sum(), minimisers, shared)


def random_state(rng: np.random.Generator, problem: Quadratics) -> np.ndarray:
    """(M, d): zero, or anywhere near or far from the minimum."""
    if rng.random() < 0.3:
        return np.zeros_like(problem.minimisers)
    away = rng.standard_normal(problem.hessian.shape[0]) * 10 ** rng.uniform(-2, 2)
    return problem.best + problem.embedding @ away
