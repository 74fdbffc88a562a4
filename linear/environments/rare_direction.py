"""Make an environment with a rare direction: context j has features along coordinate j, and the last context is rare.

The feature of arm a in context j is s_a times the unit vector of coordinate j. The scales s_a are evenly spaced from 1
to 0, in random order of the arms. The last context has probability `rarity`. So the Gram matrix of n samples is
diagonal, and its last entry is about `rarity` n: solvers meet a badly conditioned system, and the last coordinate is
learned slowly.
"""

import numpy as np

from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.federations import alike

EXAMPLES = (
    {"dimension": 3, "arms": 3, "agents": 2, "horizon": 16},
    {"dimension": 3, "arms": 3, "agents": 2, "horizon": 16, "loss": "logistic"},
)


def make(
    rng: np.random.Generator,
    rarity: float = 0.01,
    dimension: int = 5,
    arms: int = 5,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
    loss: str = "squared",
) -> Federation:
    scales = np.linspace(1, 0, arms) if arms > 1 else np.ones(1)
    features = np.zeros((dimension, arms, dimension))
    for j in range(dimension):
        features[j, :, j] = rng.permutation(scales)
    law = np.full(dimension, (1 - rarity) / max(dimension - 1, 1))
    law[-1] = rarity if dimension > 1 else 1.0
    shared = FiniteContexts(features, law / law.sum())
    return alike(shared, agents, np.full(dimension, 1 / np.sqrt(dimension)), horizon, learning_rate, loss)
