"""Local methods on quadratics, carried out step by step: FedAvg, LSGD-PFL, FedProx and SCAFFOLD, without noise.

Rounds take many states of `linear.quadratics` at once, (..., M, d); for FedAvg all coordinates are shared. A second
implementation: nothing here uses the protocols of fedigw, so that these can be compared with it.
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
) -> tuple[np.ndarray, np.ndarray]:
    """(points, controls (M, d)) after a round."""
    mean = (problem.weights @ controls)[..., None, :]
    moved = local_steps(problem, points, steps, step_size, correction=mean - controls)
    renewed = controls - mean + (points - moved) / (steps * step_size)
    after = problem.gradients(points) if option == 1 else renewed
    return points + server_step * (problem.together(moved) - points), after


def iterated(once: Callable[[np.ndarray], np.ndarray], start: np.ndarray, rounds: int) -> np.ndarray:
    """Return start (n,) after `rounds` rounds of an affine map, which takes many states (k, n) at once: its matrix is
    read off and composed with itself."""
    size = len(start)
    images = once(np.vstack([np.zeros(size), np.eye(size)]))
    whole = np.eye(size + 1)
    whole[:size, :size], whole[:size, size] = (images[1:] - images[0]).T, images[0]
    return np.asarray((np.linalg.matrix_power(whole, rounds) @ np.append(start, 1.0))[:size])


FOREVER = 2**40  # rounds after which nothing moves


def after(
    problem: Quadratics, advance: Callable[[np.ndarray], np.ndarray], start: np.ndarray, rounds: int = FOREVER
) -> np.ndarray:
    """Return the state (M, d) after `rounds` rounds `advance` from the state `start`."""
    E = problem.embedding

    def coordinates(points: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum("m,mij,...mi->...j", problem.weights, E, points))

    def once(states: np.ndarray) -> np.ndarray:
        return coordinates(advance(np.einsum("mij,kj->kmi", E, states)))

    return np.asarray(E @ iterated(once, coordinates(start), rounds))


def accelerated(problem: Quadratics, rounds: int, step_size: float, momentum: float) -> np.ndarray:
    """Return the point (d,) of accelerated gradient descent from 0 on the weighted sum, all coordinates shared."""
    d = problem.width

    def once(states: np.ndarray) -> np.ndarray:
        x, before = states[:, :d], states[:, d:]
        y = x + momentum * (x - before)
        slopes = problem.weights @ problem.gradients(y[:, None])
        return np.hstack([y - step_size * slopes, x])

    return iterated(once, np.zeros(2 * d), rounds)[:d]


def fixed_point(problem: Quadratics, filters: np.ndarray) -> np.ndarray:
    """(M, d): the closed formula, the argmin over states of sum p_m norm(x_m - w_m)^2_{Q(H_m)}. filters: Q(H_m)."""
    E = problem.embedding
    left = np.einsum("m,mij,mik,mkl->jl", problem.weights, E, filters, E)
    right = np.einsum("m,mij,mik,mk->j", problem.weights, E, filters, problem.minimisers)
    return np.asarray(E @ np.linalg.solve(left, right))


def spectral(hessians: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return a function of each Hessian, through its eigenvalues, shape (M, d, d)."""
    values, vectors = np.linalg.eigh(hessians)
    return np.asarray((vectors * function(values)[:, None, :]) @ vectors.transpose(0, 2, 1))


def random_problem(rng: np.random.Generator, personal: bool = False) -> Quadratics:
    """A heterogeneous problem: 2 to 6 agents, 1 to 5 coordinates, uneven weights, often flat or aligned Hessians."""
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
    """(M, d): zero, or anywhere near or far from the minimum."""
    if rng.random() < 0.3:
        return np.zeros_like(problem.minimisers)
    away = rng.standard_normal(problem.hessian.shape[0]) * 10 ** rng.uniform(-2, 2)
    return problem.best + problem.embedding @ away
