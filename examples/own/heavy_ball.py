"""Define gradient descent with momentum (Polyak's heavy ball) as an FL protocol, for the notebook about protocols."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol


@dataclass(frozen=True)
class HeavyBall(FLProtocol):
    """Federated gradient descent with momentum (Polyak's heavy ball), with one gradient of every agent in each round.
    It has no guarantee, so no regret bound is printed."""

    rounds: int = 20
    step_size: float = 0.5
    momentum: float = 0.5
    name: ClassVar[str] = "heavy_ball"

    def fit(self, problem: Any, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        """Run all rounds of heavy-ball descent from 0 and return the fitted model. All messages go through the
        channel, which counts them."""
        shape = (problem.dimension,)
        point = before = np.zeros(shape)
        for _ in range(self.rounds):
            who = channel.begin_round()
            sent = channel.broadcast("point", point, shape)
            gradient = channel.total(
                "gradient", problem.gradients(sent, who), shape, problem.shrinkage * point
            )
            point, before = point - self.step_size * gradient + self.momentum * (point - before), point
            channel.observe(point)
        return Fitted(channel.broadcast("estimate", point, shape))
