"""Make an environment with two contexts. One is rare, with probability `rarity`, and functions differ only there.

So only few samples teach anything, while the regret bound depends only on the total number of samples.
"""

from fractions import Fraction

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from finite_class.federations import alike

GRID = 100
EXAMPLES = ({"functions": 4, "arms": 3, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    rarity: Fraction = Fraction(1, 20),
    functions: int = 10,
    arms: int = 2,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    common = [Fraction(int(v), GRID) for v in rng.integers(0, GRID + 1, size=arms)]
    rare = rng.integers(0, GRID + 1, size=(functions, arms))
    table = tuple((tuple(common), tuple(Fraction(int(v), GRID) for v in row)) for row in rare)
    plan, law = doubling_plan(horizon, agents), (1 - rarity, rarity)
    return alike(table, plan, law=law, learning_rate=learning_rate, ties="adversarial")
