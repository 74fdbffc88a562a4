"""Make ridge problems, and record how fast each solver converges on them."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import own_agd_rate
from fedigw.channel import Channel
from linear.protocols import agd, cg, chebyshev
from linear.ridge import RidgeData, RidgeProblem, SolverError, loss_gap


def rational_descent(
    features: list[Fraction], rewards: list[Fraction], momenta: Sequence[Fraction]
) -> tuple[Fraction, list[Fraction]]:
    """Return the ridge estimate in one dimension, and the exact objective minus its minimum after each round of
    accelerated gradient descent from 0. Round k has the momentum momenta[k]; the step is 1/(largest curvature)."""
    n, gram = len(features), sum((f * f for f in features), Fraction(0))
    best = sum((f * r for f, r in zip(features, rewards, strict=True)), Fraction(0)) / (gram + 1)
    curvature, step = (gram + 1) / n, Fraction(n, 2 * (n + 1))
    now = point = Fraction(0)
    gaps = []
    for momentum in momenta:
        following = point - step * 2 * curvature * (point - best)
        point, now = following + momentum * (following - now), following
        gaps.append(curvature * (now - best) ** 2)
    return best, gaps


def problems(rng: np.random.Generator, full: bool) -> list[tuple[str, list[Any]]]:
    """Draw ridge data of three agents, by name: random, singular, with more dimensions than samples, and
    ill-conditioned; five of each, or twenty if `full`."""
    found = []
    for name, each, d, rank, condition in (
        ("random", 40, 5, 5, 1.0),
        ("singular", 40, 6, 3, 1.0),
        ("d > n", 4, 25, 25, 1.0),
        ("ill-conditioned", 200, 8, 8, 1e6),
    ):
        for _ in range(20 if full else 5):
            datasets = []
            for _ in range(3):
                phi = rng.standard_normal((each, d)) * np.geomspace(1, condition**-0.5, d)
                phi[:, rank:] = 0
                phi /= np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
                reward = (rng.random(each) < 0.7).astype(float)
                datasets.append(RidgeData(each, phi.T @ phi, phi.T @ reward))
            found.append((name, datasets))
    return found


def solver_curves(datasets: list[Any]) -> dict[str, Any]:
    """Return for every solver, by name, the data of a plot on one ridge problem: rounds, the objective minus its
    minimum after these rounds (`gap`), and the proved `rate` if there is one."""
    n = sum(data.count for data in datasets)
    grid = sorted({int(v) for v in np.linspace(1, 8 * math.sqrt(n), 40)})
    curves: dict[str, Any] = {}
    for name, solve, rate in (
        ("agd", agd.descend, own_agd_rate.loss_gap),
        ("chebyshev", chebyshev.iterate, own_agd_rate.polynomial_loss_gap),
    ):
        gaps = [
            loss_gap(datasets, solve(RidgeProblem(datasets, 1), Channel(len(datasets), 1), k)) for k in grid
        ]
        curves[name] = {"rounds": grid, "gap": gaps, "rate": [float(rate(n, k)) for k in grid]}
    reached, gaps = [0], [loss_gap(datasets, np.zeros(len(datasets[0].moment)))]
    for tolerance in np.geomspace(1e-1, 1e-14, 40):
        channel = Channel(len(datasets), 1)
        try:
            point = cg.solve(RidgeProblem(datasets, 1), channel, float(tolerance))
        except SolverError:
            break
        if channel.traffic.rounds > reached[-1]:
            reached.append(channel.traffic.rounds)
            gaps.append(loss_gap(datasets, point))
    curves["cg"] = {"rounds": reached, "gap": gaps}
    return curves
