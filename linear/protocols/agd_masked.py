"""Accelerated gradient descent under secure aggregation: AGD's messages with pairwise masks that cancel in the sum.

The ledger and, to rounding, the estimate are AGD's; the server learns the sum of the gradients and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import linear_communication, own_agd_rate
from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.protocols.agd import descend
from linear.ridge import Agents, RidgeData
from linear.secure_aggregation import masks


class MaskedAgents(Agents):
    """Agents that mask every gradient."""

    def __init__(self, datasets: list[RidgeData], epoch: int, regularisation: float, rng: Any) -> None:
        super().__init__(datasets, epoch, regularisation)
        self._secrets: np.random.Generator = rng

    def gradients(self, point: np.ndarray) -> np.ndarray:
        return super().gradients(point) + masks(self.count, (self.dimension,), self._secrets)


@dataclass(frozen=True)
class MaskedAcceleratedGradient:
    accuracy: float = linear_communication.DEFAULT_ACCURACY
    heterogeneous: bool = False
    regularisation: float = 1.0
    name: str = "agd_masked"

    def fit(self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator) -> np.ndarray:
        agents = MaskedAgents(datasets, channel.epoch, self.regularisation, rng)
        agents.check_condition(self.name)
        return descend(agents, channel, self.rounds(agents.samples, agents.dimension))

    def rounds(self, samples: int, dimension: int) -> int:
        """What AGD's schedule asks for."""
        target = linear_communication.target(samples, dimension, self.accuracy, self.heterogeneous)
        return own_agd_rate.rounds_for_distance(samples / self.regularisation, target)


def build(instance: Any) -> FLRoutine:
    return MaskedAcceleratedGradient(instance.accuracy, instance.heterogeneous, instance.regularisation)
