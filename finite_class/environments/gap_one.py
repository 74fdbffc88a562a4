"""Make an environment with gap 1: in every context one arm has mean reward 1 and all others mean 0.

With K arms, function j has the value 1 at arm (x + j) mod K in context x, for j = 0, ..., max(K, 2) - 1. Function 0 is
the true one. Nothing is random. A lower bound on regret is proved here (own:lower_bound): exploration costs at least
that much with any learned functions.
"""

from fractions import Fraction

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from finite_class.federations import alike

EXAMPLES = ({"contexts": 2, "arms": 3, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    contexts: int = 2,
    arms: int = 2,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    functions = tuple(
        tuple(tuple(Fraction(int(a == (x + j) % arms)) for a in range(arms)) for x in range(contexts))
        for j in range(max(arms, 2))
    )
    plan = doubling_plan(horizon, agents)
    return alike(functions, plan, learning_rate=learning_rate, ties="adversarial")
