"""Choose the policy's learning rates (exploration parameter gamma) from the data, and bound the regret of each run, if
agents share only some coordinates of their parameters.

Put the shared coordinates and the personal ones of all agents into one long parameter. Every mean reward is linear in
it. Its squared norm is at most the number of agents, because every agent's parameter has norm at most 1. So the
confidence ellipsoid of linear/joint.py applies. The learning rate is 16 sqrt(K n)/b for K arms and n samples, where b
is the radius of the ellipsoid in all coordinates, which does not depend on the data. After the last epoch every agent
also sends the sums for its own coordinates, which the regret bound needs and the protocol never sends.
"""

from typing import Any

import numpy as np

from fedigw.federation import Federation
from fedigw.interfaces import PerAgent
from linear.joint import AllData, alone
from linear.personalised.lifted import lifted, places
from linear.personalised.model import PersonalisedRidge
from linear.personalised.world import PersonalisedWorld, placed
from linear.ridge import RidgeData


class LiftedAllData(AllData):
    """Chooses the learning rates of one run of FedIGW in which every message is simulated, and bounds its regret. Its
    estimate is one vector of the shared and all agents' personal coordinates."""

    def __init__(self, federation: Federation, replications: int) -> None:
        self.model = PersonalisedRidge.of(federation)
        super().__init__(federation, replications, self.model.lifted_dimension, float(len(federation.arms)))
        self.places = places(self.model.dimensions, self.model.shared)
        world = PersonalisedWorld.of(federation)
        self.groups = [
            (placed(contexts, place, self.model.lifted_dimension), members)
            for place, (contexts, members) in zip(self.places, world.groups(), strict=True)
        ]

    def in_use(self) -> tuple[Any, np.ndarray]:
        found = [PerAgent(estimate[place] for place in self.places) for estimate in self.estimate]
        return found, self.rate[:, None, None]

    def learn(self, learned: Any, system: Any, samples: int) -> None:
        vectors = np.zeros((len(learned), self.model.lifted_dimension))
        for vector, parts in zip(vectors, learned, strict=True):
            for place, part in zip(self.places, parts, strict=True):
                vector[place] = part
        super().learn(vectors, None, samples)

    def summed(self, data: Any) -> RidgeData:
        return alone(lifted(data, self.model.shared))
