"""Make agents with different true functions: every agent draws its own from one random class of functions.

Values are uniform on {0, 1/100, ..., 1}. All agents have all arms and draw contexts uniformly.
"""

from fractions import Fraction

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from fedigw.interfaces import PerAgent
from finite_class.federations import finite_federation
from finite_class.grids import on_grid
from finite_class.world import Agent

GRID = 100
EXAMPLES = ({"functions": 4, "contexts": 2, "arms": 3, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    functions: int = 10,
    contexts: int = 5,
    arms: int = 2,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    table = on_grid(rng.integers(0, GRID + 1, size=(functions, contexts, arms)), GRID)
    truths = PerAgent(map(int, rng.integers(functions, size=agents)))
    everybody = (Agent((Fraction(1, contexts),) * contexts, tuple(range(arms))),) * agents
    return finite_federation(
        table, truths, everybody, doubling_plan(horizon, agents), learning_rate=learning_rate
    )
