"""Make an environment with gap 1: in every context the best arm has mean reward 1 and all others have mean 0.

Which arm is best changes with the context. Features are unit vectors of the axes, and the true parameter is the first
of them, so every ridge estimate predicts values in [0,1], as the lower bound on the regret of exploration
(own:lower_bound) requires. Nothing is random.
"""

import numpy as np

from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.federations import alike

EXAMPLES = ({"dimension": 3, "arms": 3, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    dimension: int = 5,
    arms: int = 5,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    features = np.zeros((arms, arms, dimension))
    for context in range(arms):
        for arm in range(arms):
            if arm == context:
                features[context, arm, 0] = 1.0
            elif dimension > 1:
                features[context, arm, 1 + arm % (dimension - 1)] = 1.0
    shared = FiniteContexts(features, np.full(arms, 1 / arms))
    return alike(shared, agents, np.eye(dimension)[0], horizon, learning_rate)
