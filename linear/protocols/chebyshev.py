"""Chebyshev semi-iteration: AGD's messages, the best fixed polynomial on [mu, L], a quarter of AGD's rounds.

Error after k rounds: T_k((L+mu-2h)/(L-mu))/T_k((L+mu)/(L-mu)) on an eigenvalue h, so gap_k <= 4 exp(-4k/sqrt(n+1)).
Per call with k rounds: Mdk numbers up, Md(k+1) down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import linear_communication, own_agd_rate
from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.ridge import Agents, RidgeData, SolverError


@dataclass(frozen=True)
class Chebyshev:
    accuracy: float = linear_communication.DEFAULT_ACCURACY
    heterogeneous: bool = False
    regularisation: float = 1.0
    name: str = "chebyshev"

    def fit(self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator) -> np.ndarray:
        agents = Agents(datasets, channel.epoch, self.regularisation)
        agents.check_condition(self.name)
        return iterate(agents, channel, self.rounds(agents.samples, agents.dimension))

    def rounds(self, samples: int, dimension: int) -> int:
        """What the schedule asks for."""
        target = linear_communication.target(samples, dimension, self.accuracy, self.heterogeneous)
        return own_agd_rate.chebyshev_rounds_for_distance(samples / self.regularisation, target)


def iterate(agents: Agents, channel: Channel, rounds: int) -> np.ndarray:
    """`rounds` rounds from 0 (three-term recurrence; Saad, Iterative Methods, alg. 12.1)."""
    n, shape = agents.effective_samples, (agents.dimension,)
    largest, smallest = own_agd_rate.smoothness(n), own_agd_rate.strong_convexity(n)
    # an interval somewhat wider than [mu, L] serves as well, and keeps the radius positive where they round to one
    centre = (largest + smallest) / 2
    radius = max((largest - smallest) / 2, 1e-9 * centre)
    ratio = centre / radius
    point, move, weight = np.zeros(agents.dimension), np.zeros(agents.dimension), 1 / ratio
    for index in range(rounds):
        channel.begin_round()
        asked = channel.broadcast("point", point, shape)
        answers = channel.upload_all("gradient", agents.gradients(asked), shape)
        gradient = answers.sum(axis=0) + agents.shrinkage * point
        if index == 0:
            move = -gradient / centre
        else:
            following = 1 / (2 * ratio - weight)
            move = following * weight * move - 2 * following / radius * gradient
            weight = following
        point = point + move
    if not np.isfinite(point).all():
        raise SolverError(f"epoch {channel.epoch}, chebyshev: the iterates overflow")
    return channel.broadcast("estimate", point, shape)


def build(instance: Any) -> FLRoutine:
    return Chebyshev(instance.accuracy, instance.heterogeneous, instance.regularisation)
