"""Make an environment from a CSV file: a log of contexts, arms and rewards, or a table with the rewards of all arms.

fedigw/logged.py describes the file. Contexts occur as often as in it, and the true function is the mean reward of each
context and arm. If rewards are 0 or 1, this is the same as replaying the file, that is, drawing lines with the same
context and arm with replacement. The other functions of the class are the true one with the contexts permuted. The
class contains the true function, so the regret theorems apply. Means without a common denominator up to 2^20 are
rounded to multiples of 2^-20.
"""

from fractions import Fraction
from math import lcm

import numpy as np

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from fedigw import logged
from fedigw.federation import Federation
from finite_class.federations import alike

MOST_CELLS = 10**6  # of all functions together: contexts times arms times functions
FINEST = 2**20  # counted in such units, the rewards of 2^42 steps are integers of 64 bits
EXAMPLES = (
    {"file": "examples/logged_steps.csv", "functions": 3, "agents": 2, "horizon": 16},
    {"file": "examples/all_rewards.csv", "functions": 2, "agents": 2, "horizon": 16},
)


def make(
    rng: np.random.Generator,
    file: str = "examples/logged_steps.csv",
    functions: int = 10,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    data = logged.read(file)
    means = [[data.mean(context, arm) for arm in data.arms] for context in data.contexts]
    if lcm(*(mean.denominator for row in means for mean in row)) > FINEST:
        means = [[Fraction(round(mean * FINEST), FINEST) for mean in row] for row in means]
    truth = tuple(map(tuple, means))
    cells = len(data.contexts) * len(data.arms)
    if functions < 1 or functions * cells > MOST_CELLS:
        raise InputError("functions", functions, f"must be from 1 to {MOST_CELLS // cells} for this file")
    others = (rng.permutation(len(truth)) for _ in range(functions - 1))
    law = tuple(Fraction(n, sum(data.visits)) for n in data.visits)
    table = (truth, *(tuple(truth[x] for x in order) for order in others))
    return alike(table, doubling_plan(horizon, agents), law=law, learning_rate=learning_rate)
