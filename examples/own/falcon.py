"""user:falcon. FALCON (Simchi-Levi and Xu 2022) is FedIGW with one agent, and its regret is below the bound for M = 1.

The setting is a finite class of 8 functions, doubling epochs, the exact minimiser of the squared loss and inverse gap
weighting.
"""

import numpy as np

from fedigw.applicable import applicable
from fedigw.replications import simulate
from finite_class.environments.random_table import make
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import mean_at_most

STEPS, RUNS = 16384, 200
SHARE = 1.0  # of the bound that is claimed

claim = Claim(
    title="FALCON",
    section="Worked examples",
    variants={
        "stated": Variant(
            r"2(1-1/K) + C \sum_l E^l \sqrt{K e_{l-1}}", ("H1-H5 with M = 1",), Verdict.MEASURED
        )
    },
)


@claim.check("stated", control=dict(share=0.02), statistical=True)
def measured(task: Task, share: float | None = None) -> Evidence:
    """Compare the mean regret of 200 runs with the bound."""
    world = make(np.random.default_rng(0), agents=1, functions=8, contexts=4, arms=3, horizon=STEPS)
    bounds = applicable(world)
    claimed = (SHARE if share is None else share) * bounds.values["sharpened"]
    seed = int(task.rng().integers(2**31))
    sample = simulate(world, RUNS, seed).total_regret
    return mean_at_most(sample, float(STEPS), claimed, task, "mean regret", bounds.trivial["sharpened"])
