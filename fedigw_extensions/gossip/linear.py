"""What protocols without a server share: agents end with models of their own, so the constant of different laws holds.

From the next epoch on agents with different models choose arms by different rules, so even agents with one law of
contexts have different laws of features: the excess risk of the exact minimiser is (d/4 + 9/4)/n, not (d/4 + 1)/(n+1),
and with a root mean squared distance of v from it, (sqrt((d/4 + 9/4)/n) + v)^2. The consensus error is part of v.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from fedigw.interfaces import Guarantee, Setting
from fedigw.ledger import Traffic
from fedigw.network import Network
from linear.model import Ridge
from linear.ridge import RidgeProblem


def different_laws(model: Ridge) -> Ridge:
    """The same model with the constant C' = d/4 + 9/4."""
    return replace(model, heterogeneous=True)


def target(problem: RidgeProblem, tolerance: float | None) -> float:
    """delta^2 C'/n: the mean squared distance from w_S that keeps the excess risk within (1+delta)^2 C'/n."""
    chosen = problem.tolerance if tolerance is None else tolerance
    return chosen**2 * different_laws(Ridge(problem.dimension)).risk(problem.samples)


def gossip_guarantee(
    setting: Setting,
    claim: str,
    tolerance: float | None,
    cost: Callable[[Ridge, float, int], Traffic],
    surely: bool = True,
    missing: tuple[str, ...] = (),
) -> Guarantee:
    """What a solver with mean norm(w_m - w_S)^2 <= delta^2 C'/n promises. cost(model, delta, n)."""
    model = different_laws(Ridge.of(setting))
    delta = model.tolerance if tolerance is None else tolerance
    lacking = [*model.unproved, *missing]
    if not setting.equal:
        lacking.append("agents have different numbers of samples: gossip is proved for equal ones")
    return Guarantee(
        claim=claim,
        risk=lambda variant, n: (1 + delta) ** 2 * model.risk(n),
        distance=lambda n: delta**2 * model.risk(n) if surely and not lacking else math.inf,
        cost=lambda n: cost(model, delta, n),
        missing=tuple(lacking),
    )


def traffic(network: Network, rounds: int, size: int) -> Traffic:
    """One message of `size` numbers each way over every edge in every round."""
    many = rounds * len(network.edges)
    return Traffic(1, rounds, many, many, many * size, many * size, 64 * many * size, 64 * many * size)


def slopes(problem: RidgeProblem, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(M, d): gradients of M p_m f_m at the agents' own points, whose mean is that of F."""
    local = problem.local
    found = local.local_gradients(points, np.arange(problem.count), None, rng)
    return np.asarray(found * (problem.count * local.weights)[:, None])


def smoothness(problem: RidgeProblem) -> float:
    """beta of the M p_m f_m."""
    return float(problem.known().beta * problem.count * problem.local.weights.max())
