"""Make features (1, u)/sqrt2 with norm(u) = 1, where neighbouring arms have opposite u, so that mean rewards differ.

The true parameters are random and equal in the shared coordinates. Their norm is 1 if there are at least two of these.
"""

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.environments.finite_contexts import direction, with_intercept
from linear.personalised.federations import personalised_federation

EXAMPLES = ({"shared": 2, "own": 1, "contexts": 2, "arms": 2, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    shared: int = 2,
    own: int = 1,
    contexts: int = 4,
    arms: int = 2,
    agents: int = 4,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    share = 1.0 if own == 0 else 0.5
    members = []
    for _ in range(agents):
        u = direction(rng, shared + own - 1, (contexts, arms))
        u[:, 1::2] = -u[:, 0 : arms - 1 : 2]
        members.append(FiniteContexts(with_intercept(u), np.full(contexts, 1 / contexts)))
    common = direction(rng, shared - 1) * np.sqrt(share)
    parameters = tuple(
        np.concatenate([[1.0], common, direction(rng, own) * np.sqrt(1 - share)]) / np.sqrt(2)
        for _ in range(agents)
    )
    return personalised_federation(
        shared, tuple(members), parameters, doubling_plan(horizon, agents), learning_rate=learning_rate
    )
