"""Distributed conjugate gradient with server-side reorthogonalisation: AGD's messages, at most min(d, n) rounds.

Opening: every agent sends (2/n) b_m. Each round the server sends a direction p and every agent answers (2/n) V_m p;
at the end the server sends the estimate. Per call with k rounds: Md(k+1) numbers up and as many down.
It ends when n norm(grad F)/2, a bound on the distance to w_S, meets its target.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import linear_communication
from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.ridge import Agents, RidgeData, SolverError

# Residuals are only known to rounding: a relative residual below this is as small as a direct solve leaves it.
ROUNDING = 1e-13
EXACT = 1e-6  # accuracy asked for by default: as good as exact beside the statistical error


@dataclass(frozen=True)
class ConjugateGradient:
    accuracy: float = EXACT
    heterogeneous: bool = False
    regularisation: float = 1.0
    name: str = "cg"

    def fit(self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator) -> np.ndarray:
        agents = Agents(datasets, channel.epoch, self.regularisation)
        target = linear_communication.target(
            agents.samples, agents.dimension, self.accuracy, self.heterogeneous
        )
        agents.check_condition(self.name)
        enough = 2 * math.sqrt(target) / agents.effective_samples
        return solve(agents, channel, enough)


def solve(agents: Agents, channel: Channel, enough: float, reorthogonalise: bool = True) -> np.ndarray:
    """Rounds until the gradient's norm is at most `enough` (or at rounding level); SolverError after min(d, n)."""
    shape, where = (agents.dimension,), f"epoch {channel.epoch}, conjugate gradient"
    residual = channel.upload_all("moment", agents.moments(), shape).sum(axis=0)  # -grad F(0)
    enough = max(enough, ROUNDING * math.sqrt(residual @ residual))
    most = min(agents.dimension, agents.samples)
    estimate: np.ndarray = np.zeros(agents.dimension)
    basis: np.ndarray = np.zeros((most, agents.dimension))
    direction, size, rounds = residual, float(residual @ residual), 0
    while math.sqrt(residual @ residual) > enough:
        if rounds == most:
            left = math.sqrt(residual @ residual)
            raise SolverError(f"{where}: gradient {left:.3g} after {rounds} rounds, target {enough:.3g}")
        basis[rounds] = direction_free = _unit(residual, basis[:rounds], reorthogonalise)
        free = float(direction_free @ residual) * direction_free
        direction = free if rounds == 0 else free + (float(free @ free) / size) * direction
        size = float(free @ free)
        channel.begin_round()
        asked = channel.broadcast("direction", direction, shape)
        answers = channel.upload_all("product", agents.products(asked), shape)
        product = answers.sum(axis=0) + agents.shrinkage * direction
        curvature = float(direction @ product)
        if not (math.isfinite(curvature) and curvature > 0):
            raise SolverError(f"{where}: curvature {curvature:.3g}, positive definiteness is lost")
        length = float(direction @ residual) / curvature
        estimate = estimate + length * direction
        residual = residual - length * product
        rounds += 1
    return channel.broadcast("estimate", estimate, shape)


def _unit(residual: np.ndarray, basis: np.ndarray, reorthogonalise: bool) -> np.ndarray:
    """The residual's direction, freed of the earlier ones: in exact arithmetic it is already orthogonal to them.

    Twice is enough (Kahan, Parlett): one pass leaves what cancellation hid.
    """
    free = residual
    if reorthogonalise:
        for _ in range(2):
            free = free - basis.T @ (basis @ free)
    return free / math.sqrt(free @ free)


def build(instance: Any) -> FLRoutine:
    return ConjugateGradient(EXACT, instance.heterogeneous, instance.regularisation)
