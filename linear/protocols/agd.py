"""Distributed accelerated gradient descent (Nesterov, constant step), for as many rounds as its rate asks for.

Each round the server sends a point and every agent answers with its gradient there; at the end the server sends the
estimate. Per call with k rounds: Mdk numbers up, Md(k+1) down; k = ceil(sqrt(n+1) ln(1.25 n/eps)), eps = delta^2 e(n).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import linear_communication, own_agd_rate
from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.ridge import Agents, RidgeData, SolverError


@dataclass(frozen=True)
class AcceleratedGradient:
    """early_stopping: end as soon as n norm(grad F)/2, a bound on the distance to w_S, meets the target."""

    accuracy: float = linear_communication.DEFAULT_ACCURACY
    heterogeneous: bool = False
    regularisation: float = 1.0
    early_stopping: bool = False
    name: str = "agd"

    def fit(self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator) -> np.ndarray:
        agents = Agents(datasets, channel.epoch, self.regularisation)
        agents.check_condition(self.name)
        target = linear_communication.target(
            agents.samples, agents.dimension, self.accuracy, self.heterogeneous
        )
        # stop when n norm(grad)/2 <= sqrt(target)
        enough = 2 * math.sqrt(target) / agents.effective_samples if self.early_stopping else -1.0
        return descend(agents, channel, self.rounds(agents.samples, agents.dimension), enough)

    def rounds(self, samples: int, dimension: int) -> int:
        """What the schedule asks for."""
        target = linear_communication.target(samples, dimension, self.accuracy, self.heterogeneous)
        return own_agd_rate.rounds_for_distance(samples / self.regularisation, target)


def descend(agents: Agents, channel: Channel, rounds: int, enough: float = -1.0) -> np.ndarray:
    """`rounds` rounds from 0 by message passing, or fewer once the gradient's norm is at most `enough`.

    On an early end at y the step from y is returned: a gradient step of length 1/L never leads away from w_S.
    """
    n, shape = agents.effective_samples, (agents.dimension,)
    step, momentum = 1 / own_agd_rate.smoothness(n), own_agd_rate.momentum(n)
    current = point = np.zeros(agents.dimension)
    for _ in range(rounds):
        channel.begin_round()
        asked = channel.broadcast("point", point, shape)
        answers = channel.upload_all("gradient", agents.gradients(asked), shape)
        gradient = answers.sum(axis=0) + agents.shrinkage * point
        following = point - step * gradient
        point = following + momentum * (following - current)
        current = following
        if enough >= 0 and math.sqrt(gradient @ gradient) <= enough:
            break
    if not np.isfinite(current).all():
        raise SolverError(f"epoch {channel.epoch}, agd: the iterates overflow")
    return channel.broadcast("estimate", current, shape)


def build(instance: Any) -> FLRoutine:
    return AcceleratedGradient(instance.accuracy, instance.heterogeneous, instance.regularisation)
