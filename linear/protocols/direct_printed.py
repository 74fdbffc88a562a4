"""The direct method as alg:fedlinear prints it: V_m and b_m up, their sums down, every agent solves for itself.

Per call: M(d^2 + d) numbers up and as many down, one round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.ridge import Agents, RidgeData, solve_positive


@dataclass(frozen=True)
class DirectPrinted:
    regularisation: float = 1.0
    accuracy: float = 0.0
    name: str = "direct_printed"

    def fit(self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator) -> np.ndarray:
        agents = Agents(datasets, channel.epoch, self.regularisation)
        d = agents.dimension
        channel.begin_round()
        gram, moment = np.zeros((d, d)), np.zeros(d)
        for agent in range(agents.count):
            gram += channel.upload(agent, "gram", agents.gram(agent), (d, d))
            moment += channel.upload(agent, "moment", agents.moments()[agent], (d,))
        gram = channel.broadcast("gram", gram, (d, d))
        moment = channel.broadcast("moment", moment, (d,))
        system = gram + agents.shrinkage * np.eye(d)
        return solve_positive(system, moment, f"epoch {channel.epoch}, direct method")


def build(instance: Any) -> FLRoutine:
    return DirectPrinted(instance.regularisation)
