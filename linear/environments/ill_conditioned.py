"""Make a badly conditioned environment: the scale of the features falls geometrically from coordinate to coordinate, so
that the eigenvalues of their Gram matrix fall from 1 to 1/condition.

First-order methods need about sqrt(condition) rounds, conjugate gradient at most as many as dimensions.
"""

import numpy as np

from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.environments.finite_contexts import ball, direction, with_intercept
from linear.federations import alike

EXAMPLES = (
    {"dimension": 3, "contexts": 4, "arms": 3, "agents": 2, "horizon": 16},
    {"dimension": 3, "contexts": 4, "arms": 3, "agents": 2, "horizon": 16, "loss": "logistic"},
)


def make(
    rng: np.random.Generator,
    condition: float = 1e4,
    dimension: int = 5,
    contexts: int = 8,
    arms: int = 5,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
    loss: str = "squared",
) -> Federation:
    scale = np.geomspace(1, condition**-0.5, max(dimension - 1, 1))[: dimension - 1]
    shared = FiniteContexts(
        with_intercept(ball(rng, (contexts, arms), dimension - 1) * scale), np.full(contexts, 1 / contexts)
    )
    return alike(shared, agents, with_intercept(direction(rng, dimension - 1)), horizon, learning_rate, loss)
