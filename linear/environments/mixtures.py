"""Make arms that are mixtures of ingredients: a feature holds the shares of the ingredients, and the true parameter
their values in [0,1].

Features are uniform over all shares (non-negative, with sum at most 1). All agents draw the same contexts uniformly.
Every parameter with coordinates in [0,1] predicts rewards in [0,1], as the protocol posterior_mean requires.
"""

import numpy as np

from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.federations import alike

EXAMPLES = (
    {"dimension": 1, "contexts": 3, "arms": 2, "agents": 2, "horizon": 16},
    {"dimension": 2, "contexts": 4, "arms": 3, "agents": 2, "horizon": 16},
)


def make(
    rng: np.random.Generator,
    dimension: int = 2,
    contexts: int = 8,
    arms: int = 3,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    shares = rng.dirichlet(np.ones(dimension + 1), (contexts, arms))[..., :dimension]
    values = rng.random(dimension)
    shared = FiniteContexts(shares, np.full(contexts, 1 / contexts))
    return alike(shared, agents, values / max(1.0, float(np.linalg.norm(values))), horizon, learning_rate)
