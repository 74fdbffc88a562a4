"""Make agents that differ: each has its own distribution of contexts and set of arms; all share one true function.

Probabilities of contexts are random multiples of 1/60. If there are K > 2 arms, agent m has all but arm m mod K. The
values of the functions are random multiples of 1/100.
"""

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from finite_class.federations import finite_federation
from finite_class.grids import on_grid
from finite_class.world import Agent

GRID = 100
SHARES = 60
EXAMPLES = ({"functions": 4, "contexts": 2, "arms": 3, "agents": 3, "horizon": 16},)


def make(
    rng: np.random.Generator,
    functions: int = 10,
    contexts: int = 5,
    arms: int = 4,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    values = rng.integers(0, GRID + 1, size=(functions, contexts, arms))
    members = []
    for m in range(agents):
        shares = rng.multinomial(SHARES, [1 / contexts] * contexts)
        own = tuple(a for a in range(arms) if arms <= 2 or a != m % arms)
        members.append(Agent(on_grid(shares, SHARES), own))
    return finite_federation(
        functions=on_grid(values, GRID),
        truth=0,
        agents=tuple(members),
        plan=doubling_plan(horizon, agents),
        learning_rate=learning_rate,
    )
