"""Make continuous contexts: in every step each arm has a new feature (1, u)/sqrt2 with u uniform on the unit sphere."""

import numpy as np

from fedigw.federation import Federation
from linear.contexts.sphere import SphereContexts
from linear.environments.finite_contexts import direction, with_intercept
from linear.federations import alike

EXAMPLES = (
    {"dimension": 3, "arms": 3, "agents": 2, "horizon": 16},
    {"dimension": 3, "arms": 3, "agents": 2, "horizon": 16, "loss": "logistic"},
)


def make(
    rng: np.random.Generator,
    dimension: int = 5,
    arms: int = 5,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
    loss: str = "squared",
    engine: str = "plane",
) -> Federation:
    return alike(
        SphereContexts(arms, dimension, engine),
        agents,
        with_intercept(direction(rng, dimension - 1)),
        horizon,
        learning_rate,
        loss,
    )
