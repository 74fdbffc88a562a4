"""user:ucb1. UCB1 on two arms has an expected regret of at most 8 ln(T)/D + (1 + pi^2/3) D (Auer et al. 2002).

Rewards lie in [0,1], D is the difference of the two means and T the number of steps. At step t UCB1 plays the arm with
the largest mean + sqrt(2 ln t/n), where n counts the pulls of the arm.
"""

import math

import numpy as np

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import mean_at_most

MEANS, STEPS, RUNS = (0.9, 0.1), 500, 1000
D = MEANS[0] - MEANS[1]
LEADING = 8.0  # the constant of the theorem

claim = Claim(
    title="UCB1 on two arms",
    section="Worked examples",
    variants={
        "stated": Variant(
            r"\frac{8 \ln T}{\Delta} + (1 + \pi^2/3)\Delta", ("rewards in [0,1]",), Verdict.MEASURED
        )
    },
)


def bound() -> float:
    return LEADING * math.log(STEPS) / D + (1 + math.pi**2 / 3) * D


def regrets(rng: np.random.Generator) -> np.ndarray:
    """Play all runs side by side and return their regrets, shape (RUNS,)."""
    means = np.array(MEANS)
    counts, sums, lost = np.zeros((RUNS, 2)), np.zeros((RUNS, 2)), np.zeros(RUNS)
    everyone = np.arange(RUNS)
    for t in range(1, STEPS + 1):
        # every arm once, then the most promising
        tried = np.maximum(counts, 1)
        index = sums / tried + np.sqrt(2 * math.log(t) / tried)
        arm = np.full(RUNS, t - 1) if t <= 2 else np.argmax(index, axis=1)
        reward = rng.random(RUNS) < means[arm]
        counts[everyone, arm] += 1
        sums[everyone, arm] += reward
        lost += MEANS[0] - means[arm]
    return lost


@claim.check("stated", control=dict(share=0.1), statistical=True)
def measured(task: Task, share: float = 1.0) -> Evidence:
    """Compare the mean regret of 1000 runs with the bound."""
    return mean_at_most(regrets(task.rng()), STEPS * D, share * bound(), task, "mean regret")
