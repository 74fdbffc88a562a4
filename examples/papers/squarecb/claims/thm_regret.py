"""thm:regret. With probability at least 1 - delta, SquareCB with mu = K and gamma = sqrt(KT/(Reg + log(2/delta))) loses

    at most 4 sqrt(KT Reg) + 8 sqrt(KT log(2/delta))

in T steps with K arms, where Reg bounds the square-loss regret of its online oracle. It plays an arm whose estimate is
a gap D below the best with probability 1/(mu + gamma D). Here the oracle is the exponentially weighted average of F
functions at rate 1/2, for which Reg = 2 log F. The runs have random functions on four contexts and Bernoulli rewards;
the regret is that of mean rewards.
"""

import math

import numpy as np

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import mean_at_most

K, F, CONTEXTS, STEPS, RUNS, DELTA = 2, 4, 4, 2000, 500, 0.05
REG = 2 * math.log(F)
LEADING = 4.0  # the constant of the theorem

claim = Claim(
    title="Regret of SquareCB",
    section="Regret",
    variants={
        "printed": Variant(
            r"P(\mathrm{Reg}_{CB}(T) > 4\sqrt{KT\,\mathrm{Reg}} + 8\sqrt{KT\log(2/\delta)}) \le \delta",
            ("the true function is in the class", "rewards in [0,1]"),
            Verdict.MEASURED,
        )
    },
    depends=("lem:igw",),
)


def bound(horizon: int) -> float:
    return LEADING * math.sqrt(K * horizon * REG) + 2 * LEADING * math.sqrt(K * horizon * math.log(2 / DELTA))


def play(rng: np.random.Generator) -> np.ndarray:
    """Simulate all runs of SquareCB side by side, where function 0 is true, and return their regrets after every
    step, shape (STEPS, RUNS)."""
    functions = rng.uniform(size=(RUNS, F, CONTEXTS, K))
    loss, lost, everyone = np.zeros((RUNS, F)), np.zeros((STEPS, RUNS)), np.arange(RUNS)
    gamma = math.sqrt(K * STEPS / (REG + math.log(2 / DELTA)))
    for t in range(STEPS):
        values = functions[everyone, :, rng.integers(CONTEXTS, size=RUNS)]  # (RUNS, F, K)
        weights = np.exp(-(loss - loss.min(axis=1, keepdims=True)) / 2)
        estimate = np.einsum("rf,rfk->rk", weights / weights.sum(axis=1, keepdims=True), values)
        best = estimate.argmax(axis=1)
        p = 1 / (K + gamma * (estimate.max(axis=1, keepdims=True) - estimate))
        p[everyone, best] += 1 - p.sum(axis=1)
        arm = (rng.random(RUNS)[:, None] > p.cumsum(axis=1)[:, :-1]).sum(axis=1)
        means = values[:, 0]
        lost[t] = means.max(axis=1) - means[everyone, arm]
        reward = rng.random(RUNS) < means[everyone, arm]
        loss += (values[everyone, :, arm] - reward[:, None]) ** 2
    return lost.cumsum(axis=0)


@claim.check("printed", control=dict(share=0.02), statistical=True)
def failures(task: Task, share: float = 1.0) -> Evidence:
    """Check that SquareCB's regret after the last step is above its bound in at most a share delta of the simulations.
    Negative control, which must fail: 2 % of the bound."""
    regret, stated = play(task.rng()), share * bound(STEPS)
    found = mean_at_most(regret[-1] > stated, 1.0, DELTA, task, "share of runs above the bound")
    steps = list(range(100, STEPS + 1, 100))
    curve = {"steps": steps, "bound": [bound(t) for t in steps]}
    curve["regret"] = np.quantile(regret, 0.95, axis=1)[99::100].tolist()
    figures = {**found.figures, "curve": curve}
    return Evidence(found.kind, found.summary, figures, vacuous=bound(STEPS) >= STEPS, level=task.level)


@claim.plot("Regret of SquareCB against its bound", "failures")
def regret_and_bound(axes, figures) -> None:
    """The picture shows the regret that 95 % of the simulations of SquareCB stay below, and the bound, at the
    learning rate for the last step."""
    curve = figures["failures"]["curve"]
    axes.plot(curve["steps"], curve["bound"], label="bound (Theorem 1)")
    axes.plot(curve["steps"], curve["regret"], label="95 % of the runs are below")
    axes.set(xlabel="T", ylabel="regret", yscale="log")
