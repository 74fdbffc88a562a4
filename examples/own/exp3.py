"""user:exp3. EXP3 has an expected regret of at most sqrt(2 T A ln A) against any sequence of T losses in [0,1] of A
arms.

Auer, Cesa-Bianchi, Freund, Schapire (2002), with losses and the rate sqrt(2 ln A/(T A)): exponential weights on the
estimates loss/p of the arm that was played with probability p. Measured with A = 2 on the losses 0.475 and 0.525, which
are hard to distinguish.
"""

import math

import numpy as np

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import mean_at_most

ARMS, STEPS, RUNS, GAP = 2, 2000, 400, 0.05
LEADING = 2.0  # inside the root

claim = Claim(
    title="EXP3 on two arms",
    section="Worked examples",
    variants={
        "stated": Variant(r"\sqrt{2 T A \ln A}", ("losses in [0,1], fixed beforehand",), Verdict.MEASURED)
    },
)


def bound() -> float:
    return math.sqrt(LEADING * STEPS * ARMS * math.log(ARMS))


def losses() -> np.ndarray:
    """Return losses of shape (T, 2) in which arm 0 is better by GAP at every step."""
    return np.tile([0.5 - GAP / 2, 0.5 + GAP / 2], (STEPS, 1))


def excesses(rng: np.random.Generator) -> np.ndarray:
    """Return, shape (RUNS,), the loss of EXP3 minus that of the better arm, which lies between 0 and GAP T."""
    table, rate = losses(), math.sqrt(2 * math.log(ARMS) / (STEPS * ARMS))
    seen, paid = np.zeros((RUNS, ARMS)), np.zeros(RUNS)
    everyone = np.arange(RUNS)
    for loss in table:
        weights = np.exp(-rate * (seen - seen.min(axis=1, keepdims=True)))
        p = weights / weights.sum(axis=1, keepdims=True)
        arm = (rng.random(RUNS) > p[:, 0]).astype(int)
        paid += p @ loss  # the expectation over the draw: the same mean, less noise
        seen[everyone, arm] += loss[arm] / p[everyone, arm]
    return paid - table.sum(axis=0).min()


@claim.check("stated", control=dict(share=0.1), statistical=True)
def measured(task: Task, share: float = 1.0) -> Evidence:
    """Compare the mean regret of 400 runs with the bound."""
    return mean_at_most(
        np.maximum(excesses(task.rng()), 0), GAP * STEPS, share * bound(), task, "mean regret"
    )
