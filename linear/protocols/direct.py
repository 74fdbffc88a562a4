"""The direct method with minimal messages: one round, the upper triangle of V_m and b_m up, the estimate down.

Per call: M(d(d+1)/2 + d) numbers up, Md down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.ridge import Agents, RidgeData, solve_positive


@dataclass(frozen=True)
class Direct:
    regularisation: float = 1.0
    accuracy: float = 0.0
    name: str = "direct"

    def fit(self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator) -> np.ndarray:
        agents = Agents(datasets, channel.epoch, self.regularisation)
        d = agents.dimension
        upper = np.triu_indices(d)
        channel.begin_round()
        system, right = agents.shrinkage * np.eye(d), np.zeros(d)
        for agent in range(agents.count):
            message = np.concatenate([agents.gram(agent)[upper], agents.moments()[agent]])
            received = channel.upload(agent, "gram and moment", message, (len(message),))
            half = np.zeros((d, d))
            half[upper] = received[: len(upper[0])]
            system += half + half.T - np.diag(np.diag(half))
            right += received[len(upper[0]) :]
        estimate = solve_positive(system, right, f"epoch {channel.epoch}, direct method")
        return channel.broadcast("estimate", estimate, (d,))


def build(instance: Any) -> FLRoutine:
    return Direct(instance.regularisation)
