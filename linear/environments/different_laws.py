"""Make agents whose contexts have different distributions: each has its own random features and probabilities; the true
parameter is the same.

For this case ridge regression has another bound on its excess risk, (d/4 + 9/4)/n in d dimensions after n samples.
"""

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.environments.finite_contexts import ball, direction, with_intercept
from linear.federations import linear_federation

EXAMPLES = ({"dimension": 3, "contexts": 2, "arms": 3, "agents": 3, "horizon": 16},)


def make(
    rng: np.random.Generator,
    dimension: int = 5,
    contexts: int = 4,
    arms: int = 5,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    members = tuple(
        FiniteContexts(
            with_intercept(ball(rng, (contexts, arms), dimension - 1)), rng.dirichlet(np.ones(contexts))
        )
        for _ in range(agents)
    )
    return linear_federation(
        agents=members,
        parameter=with_intercept(direction(rng, dimension - 1)),
        plan=doubling_plan(horizon, agents),
        learning_rate=learning_rate,
    )
