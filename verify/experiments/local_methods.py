"""Carry out FedAvg, LSGD-PFL, FedProx and SCAFFOLD on quadratic losses with full local gradients, step by step.

A state has one point for each agent, shape (M, d), and every function for a round accepts many states at once, shape
(..., M, d). In LSGD-PFL (local SGD for personalised federated learning) some coordinates are personal to each agent, in
FedAvg all are shared. The code shares nothing with the protocols of fedigw, which are compared with it.
"""

from collections.abc import Callable

import numpy as np

from linear.quadratics import Quadratics


def local_steps(
    problem: Quadratics,
    points: np.ndarray,
    steps: int,
    step_size: float,
    correction: np.ndarray | float = 0.0,
    proximal: float = 0.0,
) -> np.ndarray:
    """Return each agent's point, shape (..., M, d), after `steps` gradient steps on its own loss. correction: a vector
    added to every gradient. proximal: the weight of a quadratic term that pulls an agent back to its first point."""
    moved = points
    for _ in range(steps):
        moved = moved - step_size * (problem.gradients(moved) + correction + proximal * (moved - points))
    return moved


def fedavg_round(
    problem: Quadratics, points: np.ndarray, steps: int, step_size: float, server_step: float = 1.0
) -> np.ndarray:
    """Return the states (..., M, d) after a round of FedAvg, or of LSGD-PFL if the problem has personal coordinates."""
    moved = local_steps(problem, points, steps, step_size)
    return points + server_step * (problem.together(moved) - points)


def fedprox_round(
    problem: Quadratics,
    points: np.ndarray,
    proximal: float,
    server_step: float = 1.0,
    inexact: tuple[int, float] | None = None,
) -> np.ndarray:
    """Return the states (..., M, d) after a round of FedProx with proximal weight `proximal`. Agents solve their local
    problems exactly or, if `inexact` is (steps, step size), by gradient descent."""
    if inexact is None:
        shifted = problem.hessians + proximal * np.eye(points.shape[-1])
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
) -> tuple[np.ndarray, np.ndarray]:
    """Return points and control variates, each (..., M, d), after a round of SCAFFOLD. option: 1 sets each control
    variate to the agent's gradient at its first point of the round, 2 computes it from the local steps."""
    mean = (problem.weights @ controls)[..., None, :]
    moved = local_steps(problem, points, steps, step_size, correction=mean - controls)
    renewed = controls - mean + (points - moved) / (steps * step_size)
    after = problem.gradients(points) if option == 1 else renewed
    return points + server_step * (problem.together(moved) - points), after


def iterated(once: Callable[[np.ndarray], np.ndarray], start: np.ndarray, rounds: int) -> np.ndarray:
    """Return the state (n,) after applying the affine map `once` to `start` `rounds` times. The map's matrix is
    computed from its values at n + 1 states."""
    size = len(start)
    images = once(np.vstack([np.zeros(size), np.eye(size)]))
    whole = np.eye(size + 1)
    whole[:size, :size], whole[:size, size] = (images[1:] - images[0]).T, images[0]
    return np.asarray((np.linalg.matrix_power(whole, rounds) @ np.append(start, 1.0))[:size])


FOREVER = 2**40  # rounds after which nothing moves


def after(
    problem: Quadratics, advance: Callable[[np.ndarray], np.ndarray], start: np.ndarray, rounds: int = FOREVER
) -> np.ndarray:
    """Return the state (M, d) that a local method reaches after `rounds` rounds from the state `start`. advance(states)
    carries out one round and must be affine."""
    E = problem.embedding

    def coordinates(points: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum("m,mij,...mi->...j", problem.weights, E, points))

    def once(states: np.ndarray) -> np.ndarray:
        return coordinates(advance(np.einsum("mij,kj->kmi", E, states)))

    return np.asarray(E @ iterated(once, coordinates(start), rounds))


def accelerated(problem: Quadratics, rounds: int, step_size: float, momentum: float) -> np.ndarray:
    """Return the point (d,) after `rounds` rounds of accelerated gradient descent from 0 on the weighted sum of the
    agents' losses."""
    d = problem.width

    def once(states: np.ndarray) -> np.ndarray:
        x, before = states[:, :d], states[:, d:]
        y = x + momentum * (x - before)
        slopes = problem.weights @ problem.gradients(y[:, None])
        return np.hstack([y - step_size * slopes, x])

    return iterated(once, np.zeros(2 * d), rounds)[:d]


def fixed_point(problem: Quadratics, filters: np.ndarray) -> np.ndarray:
    """Return in closed form the state (M, d) that a round of a local method leaves unchanged. In a round, the local
    steps of agent m multiply its distance from its own minimiser by I - filters[m]. filters: (M, d, d)."""
    E = problem.embedding
    left = np.einsum("m,mij,mik,mkl->jl", problem.weights, E, filters, E)
    right = np.einsum("m,mij,mik,mk->j", problem.weights, E, filters, problem.minimisers)
    return np.asarray(E @ np.linalg.solve(left, right))


def spectral(hessians: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Apply a function to the eigenvalues of each of M symmetric matrices; return the resulting matrices, shape (M, d,
    d)."""
    values, vectors = np.linalg.eigh(hessians)
    return np.asarray((vectors * function(values)[:, None, :]) @ vectors.transpose(0, 2, 1))


def random_problem(rng: np.random.Generator, personal: bool = False) -> Quadratics:
    """Draw quadratic losses of 2 to 6 agents in 1 to 5 coordinates, with different minimisers and unequal weights.
    Hessians are often nearly singular or diagonal. personal: make some coordinates personal to each agent."""
    agents, size = int(rng.integers(2, 7)), int(rng.integers(1, 6))
    shared = int(rng.integers(0, size + 1)) if personal else size
    weights = rng.dirichlet(np.full(agents, rng.choice([0.3, 1.0, 10.0]))) + 1e-3
    spread = 10 ** -rng.uniform(0, 3)
    values = np.exp(rng.uniform(np.log(spread), 0, size=(agents, size)))
    # curvature at its largest or its smallest only: where the inequalities are tightest
    if rng.random() < 0.3:
        values = np.where(rng.random((agents, size)) < 0.5, 1.0, spread)
    turn = np.linalg.qr(rng.standard_normal((agents, size, size)))[0]
    if rng.random() < 0.4:
        turn = np.broadcast_to(np.eye(size), turn.shape)
    hessians = (turn * values[:, None, :]) @ turn.transpose(0, 2, 1)
    scale = 10 ** rng.uniform(-1, 1)
    minimisers = rng.standard_normal((agents, size)) * rng.choice([0.01, 1.0, 10.0], size=(agents, 1))
    return Quadratics.around(scale * hessians, weights / weights.sum(), minimisers, shared)


def random_state(rng: np.random.Generator, problem: Quadratics) -> np.ndarray:
    """Draw a state (M, d): zero in 3 of 10 draws, else the minimiser plus a random error of size 0.01 to 100."""
    if rng.random() < 0.3:
        return np.zeros_like(problem.minimisers)
    away = rng.standard_normal(problem.hessian.shape[0]) * 10 ** rng.uniform(-2, 2)
    return problem.best + problem.embedding @ away
