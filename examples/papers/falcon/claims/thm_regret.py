"""thm:regret. FALCON loses O(sqrt(KT log(|F| T))). Its algorithm is FedIGW with one agent, so an explicit bound holds:

    repaired    2(1-1/K) + C sum_{l>=2} E^l sqrt(K e_{l-1}), the sharpened sum of FedIGW's Theorem 4.1 for M = 1

There are K arms, E^l steps in epoch l, and e_{l-1} is the excess risk of the model learned in epoch l-1; C is a
number. The paper hides the constant, so the printed line has no number to compare with. The runs have a class of 8
functions, doubling epochs, the exact minimiser of the squared loss and inverse gap weighting. What was found: no
logarithm of T is needed for the mean regret.
"""

import numpy as np

from bounds.theorem import Applied
from fedigw.applicable import applicable
from fedigw.federation import Federation
from fedigw.replications import simulate
from finite_class.environments.random_table import make
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import mean_at_most

STEPS, RUNS = 16384, 200
SHARE = 1.0  # of the bound that is claimed

claim = Claim(
    title="Regret of FALCON with explicit constants",
    section="Regret",
    variants={
        "repaired": Variant(
            r"2(1-1/K) + C \sum_l E^l \sqrt{K e_{l-1}}",
            ("the truth is in the class", "M = 1"),
            Verdict.MEASURED,
        ),
    },
    depends=("fedigw:thm:global_regret/sharpened",),
)


def played(steps: int) -> tuple[Federation, Applied]:
    """Return the world with so many steps, and its bounds."""
    world = make(np.random.default_rng(0), agents=1, functions=8, contexts=4, arms=3, horizon=steps)
    return world, applicable(world)


@claim.check("repaired", control=dict(share=0.02), statistical=True, name="mean-regret")
def measured(task: Task, share: float = SHARE) -> Evidence:
    """Compare FALCON's mean regret in 200 runs with the bound. The negative control claims 2 % of it."""
    world, bounds = played(STEPS)
    sample = simulate(world, RUNS, int(task.rng().integers(2**31))).regret.cumsum(axis=1)
    claimed = share * bounds.values["sharpened"]
    found = mean_at_most(
        sample[:, -1], float(STEPS), claimed, task, "mean regret", bounds.trivial["sharpened"]
    )
    steps = [2**epoch for epoch in range(2, STEPS.bit_length())]
    curve = {
        "steps": steps,
        "bound": [played(t)[1].values["sharpened"] for t in steps],
        "regret": sample.mean(axis=0)[1:].tolist(),
    }
    return Evidence(
        found.kind, found.summary, {**found.figures, "curve": curve}, found.vacuous, level=found.level
    )


@claim.plot("Regret of FALCON against the bound", "mean-regret")
def regret_and_bound(axes, figures) -> None:
    """The picture shows that the mean regret after every epoch stays below the bound for so many steps, at the end
    seven times."""
    curve = figures["mean-regret"]["curve"]
    axes.plot(curve["steps"], curve["bound"], label="bound on the mean")
    axes.plot(curve["steps"], curve["regret"], label="mean of 200 runs")
    axes.set(xlabel="T", ylabel="regret", xscale="log", yscale="log")
