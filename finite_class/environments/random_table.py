"""Make an environment with a random class: all values of functions are uniform on {0, 1/100, ..., 1}.

All agents have all arms and draw contexts uniformly. Function 0 is the true one.
"""

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from finite_class.federations import alike
from finite_class.grids import on_grid

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
    values = rng.integers(0, GRID + 1, size=(functions, contexts, arms))
    return alike(on_grid(values, GRID), doubling_plan(horizon, agents), learning_rate=learning_rate)
