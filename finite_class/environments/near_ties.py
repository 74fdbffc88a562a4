"""Make nearly tied arms: the best is better by a small gap, and every wrong function favours another arm by as much.

In the true function arm 0 has mean 1/2 + gap and all others 1/2. Each other function changes the value of one context
and arm to 1/2 + 2 gap. To refute such a function takes about 1/gap^2 samples of this context and arm, so the regret
comes closer to its bound than elsewhere.
"""

from fractions import Fraction

import numpy as np

from bounds.schedules import doubling_plan
from fedigw.federation import Federation
from finite_class.federations import alike

EXAMPLES = ({"contexts": 2, "arms": 3, "agents": 2, "horizon": 16},)


def make(
    rng: np.random.Generator,
    gap: Fraction = Fraction(1, 10),
    contexts: int = 3,
    arms: int = 3,
    agents: int = 10,
    horizon: int = 1024,
    learning_rate: str = "sharpened",
) -> Federation:
    half = Fraction(1, 2)
    best, tied, above = half + gap, (half,), (half + 2 * gap,)
    row = (best, *tied * (arms - 1))
    base = (row,) * contexts
    functions = [base]
    for x in range(contexts):
        for a in range(1, arms):
            rival = row[:a] + above + row[a + 1 :]
            functions.append((*base[:x], rival, *base[x + 1 :]))
    # the order decides ties: put the truth at a random place
    truth = int(rng.integers(len(functions)))
    functions[0], functions[truth] = functions[truth], functions[0]
    plan = doubling_plan(horizon, agents)
    return alike(tuple(functions), plan, truth, learning_rate=learning_rate, ties="adversarial")
