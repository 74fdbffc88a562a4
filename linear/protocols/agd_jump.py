"""Accelerated gradient descent simulated in an eigenbasis: the estimate and the ledger of agd, any number of rounds.

A stand-in for long runs: at n = 10^10 the schedule asks for millions of rounds. It pools the agents' data, which the
protocol it stands for never does, and its ledger counts the messages that agd would have sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import linear_communication, own_agd_rate
from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.ridge import Agents, RidgeData, pooled
from linear.spectral import agd_jump


@dataclass(frozen=True)
class AcceleratedGradientJump:
    accuracy: float = linear_communication.DEFAULT_ACCURACY
    heterogeneous: bool = False
    regularisation: float = 1.0
    name: str = "agd_jump"

    def fit(self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator) -> np.ndarray:
        agents = Agents(datasets, channel.epoch, self.regularisation)
        shape = (agents.dimension,)
        target = linear_communication.target(
            agents.samples, agents.dimension, self.accuracy, self.heterogeneous
        )
        rounds = own_agd_rate.rounds_for_distance(agents.effective_samples, target)
        agents.check_condition(self.name)
        channel.stand_in(rounds, shape)
        data = pooled(datasets)
        estimate = agd_jump(
            data.gram / data.count, data.moment / data.count, agents.effective_samples, rounds
        )
        return channel.broadcast("estimate", estimate, shape)


def build(instance: Any) -> FLRoutine:
    return AcceleratedGradientJump(instance.accuracy, instance.heterogeneous, instance.regularisation)
