"""thm:regret. UCB1 has an expected regret of at most 8 sum_i ln(T)/D_i + (1 + pi^2/3) sum_i D_i.

Rewards lie in [0,1], D_i is how far the mean of arm i is below the largest, the first sum is over D_i > 0, and T is the
number of steps. At step t UCB1 plays the arm with the largest mean + sqrt(2 ln t/n), where n counts its pulls; before,
it pulls each arm once.

    sharpened   sum_i ((2 ln T)^{1/3} + 2^{-1/3})^3/D_i + 1.12 sum_i D_i over D_i > 0: 2 in the place of 8 for large T

Proof. After its first pull, arm i is pulled at step t only if the index of the best arm is below its mean, or the index
of arm i is not below the best mean. The first has probability at most (t-1)/t^4, by Hoeffding for each of t-1 counts,
and sum_{t>1} (t-1)/t^4 < 0.12. The second happens once for each count n, at most: for n >= 2 ln T/(D_i - e)^2 the mean
of n pulls is then e too large, which has probability at most exp(-2 n e^2), in sum at most 1/(2 e^2). The paper's proof
counts all pairs of counts instead. So the expected pulls are at most 1.12 + 2 ln T/(D_i - e)^2 + 1/(2 e^2), and the
best e gives the formula. It is below the printed bound for all T >= 4.
"""

import math
from dataclasses import replace

import numpy as np

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import mean_at_most

MEANS, STEPS, RUNS = np.array([0.9, 0.5, 0.1]), 1000, 1000
GAPS = MEANS.max() - MEANS
LEADING = 8.0  # the constant of the theorem

claim = Claim(
    title="Regret of UCB1",
    section="Regret",
    variants={
        "printed": Variant(
            r"8 \sum_{i: \Delta_i > 0} \frac{\ln T}{\Delta_i} + (1 + \pi^2/3) \sum_i \Delta_i",
            ("rewards in [0,1]",),
            Verdict.MEASURED,
        ),
        "sharpened": Variant(
            r"\sum_{i: \Delta_i > 0} \left(\frac{((2 \ln T)^{1/3} + 2^{-1/3})^3}{\Delta_i} + 1.12 \Delta_i\right)",
            ("rewards in [0,1]",),
            Verdict.MEASURED,
        ),
    },
)


def bound(steps: int, sharp: bool) -> float:
    """Return the printed bound on the regret of UCB1 after `steps` steps, or with `sharp` the sharpened one."""
    leading, rest = LEADING * math.log(steps), 1 + math.pi**2 / 3
    if sharp:
        leading, rest = ((2 * math.log(steps)) ** (1 / 3) + 2 ** (-1 / 3)) ** 3, 1.12
    return float((leading / GAPS[GAPS > 0]).sum() + rest * GAPS.sum())


def regrets(rng: np.random.Generator) -> np.ndarray:
    """Simulate all runs of UCB1 side by side and return their regret after every step, shape (STEPS, RUNS)."""
    counts, sums, lost = np.zeros((RUNS, len(MEANS))), np.zeros((RUNS, len(MEANS))), np.zeros((STEPS, RUNS))
    everyone = np.arange(RUNS)
    for t in range(STEPS):
        tried = np.maximum(counts, 1)
        index = sums / tried + np.sqrt(2 * math.log(t + 1) / tried)
        arm = np.full(RUNS, t) if t < len(MEANS) else np.argmax(index, axis=1)
        counts[everyone, arm] += 1
        sums[everyone, arm] += rng.random(RUNS) < MEANS[arm]
        lost[t] = GAPS[arm]
    return lost.cumsum(axis=0)


@claim.check("printed", control=dict(share=0.1), given=dict(share=1.0), statistical=True, name="measured")
@claim.check(
    "sharpened", control=dict(share=0.2), given=dict(share=1.0, sharp=True), statistical=True, name="sharp"
)
def measured(task: Task, share: float, sharp: bool = False) -> Evidence:
    """Compare the mean regret of 1000 simulations of UCB1 with a bound. Control, which must fail: a tenth or a fifth of
    the bound."""
    regret = regrets(task.rng())
    claimed = share * bound(STEPS, sharp)
    found = mean_at_most(regret[-1], STEPS * GAPS.max(), claimed, task, "mean regret")
    steps = list(range(50, STEPS + 1, 50))
    curve = {
        "steps": steps,
        "bound": [bound(t, sharp) for t in steps],
        "regret": regret[49::50].mean(axis=1).tolist(),
    }
    return replace(found, figures={**found.figures, "curve": curve})


@claim.plot("Regret of UCB1 against its bounds", "measured", "sharp")
def regret_and_bound(axes, figures) -> None:
    """The picture shows that the mean regret of UCB1 on three arms with means 0.9, 0.5 and 0.1 stays below the bound
    of the theorem and the sharpened one."""
    curve = figures["measured"]["curve"]
    axes.plot(curve["steps"], curve["bound"], label="bound (Theorem 1)")
    axes.plot(curve["steps"], figures["sharp"]["curve"]["bound"], label="sharpened")
    axes.plot(curve["steps"], curve["regret"], label="mean of 1000 runs")
    axes.set(xlabel="T", ylabel="regret", yscale="log")
