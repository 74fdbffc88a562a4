"""Make an environment with one given gap between two arms, in which no agent can learn from others which arm is better.

Arm k has the feature (1, e_k)/sqrt2 with e_k a unit vector of the plane. The shared first coordinate gives the common
level 1/2. An agent's own two coordinates raise one arm and lower the other by half the gap: arm 0 is better for every
second agent, arm 1 for the rest. Gaps of order 1/sqrt T cost M agents a regret of order M sqrt T in T steps. Nothing is
random.
"""

import numpy as np

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from linear.contexts.finite import FiniteContexts
from linear.personalised.federations import personalised_federation

EXAMPLES = ({"gap": 0.125, "agents": 2, "horizon": 16},)
LARGEST = 0.5  # the parameter's squared norm is 1/2 + gap^2


def make(
    rng: np.random.Generator,
    gap: float = 0.125,
    agents: int = 4,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    if not 0 < gap <= LARGEST:
        raise InputError("gap", gap, f"must be a number above 0, at most {LARGEST}")
    contexts = FiniteContexts(np.array([[[1.0, 1, 0], [1, 0, 1]]]) / np.sqrt(2), np.ones(1))
    parameters = tuple(
        np.array([1.0, gap * sign, -gap * sign]) / np.sqrt(2)
        for sign in ((1, -1)[m % 2] for m in range(agents))
    )
    return personalised_federation(
        1, (contexts,) * agents, parameters, doubling_plan(horizon, agents), learning_rate=learning_rate
    )
