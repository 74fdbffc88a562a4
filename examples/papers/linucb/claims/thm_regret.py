"""thm:regret. With probability at least 1 - delta, for all T, the regret of OFUL is at most

    4 sqrt(T d log(lam + T/d)) (sqrt(lam) S + R sqrt(2 log(1/delta) + d log(1 + T/(lam d))))

after T steps in d dimensions, where lam >= 1 is the weight on the squared norm, S bounds the norm of the true
parameter theta, and the noise is R-sub-Gaussian. OFUL plays the arm with the largest x'theta over the confidence
ellipsoid of thm:ellipsoid. The runs have four random unit vectors in the plane in every step, noise uniform in [-R,
R] and theta of norm S = 1.
"""

from pathlib import Path

import numpy as np

from fedigw import outside
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import mean_at_most

THEOREM = outside.load(Path(__file__).parents[1] / "theorems" / "thm_regret.py").THEOREM
D, ARMS, STEPS, RUNS, NOISE, DELTA = 2, 4, 1000, 500, 0.5, 0.05
SIZES = {"d": D, "delta": DELTA, "lam": 1.0, "S": 1.0, "R": NOISE}

claim = Claim(
    title="Regret of OFUL",
    section="Regret",
    variants={
        "printed": Variant(
            r"P(\exists T: Reg(T) > 4\sqrt{T d\log(\lambda+T/d)}(\ldots)) \le \delta",
            ("lam >= 1", "norm of x at most 1", "norm of theta at most S", "R-sub-Gaussian noise"),
            Verdict.MEASURED,
        )
    },
    depends=("lem:potential", "thm:ellipsoid"),
)


def play(rng: np.random.Generator) -> np.ndarray:
    """Simulate all runs of OFUL side by side and return their regret after every step, shape (STEPS, RUNS)."""
    angle = rng.uniform(0, 2 * np.pi, RUNS)
    theta = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    gram, moments = np.tile(np.eye(D), (RUNS, 1, 1)), np.zeros((RUNS, D))
    lost, everyone = np.zeros((STEPS, RUNS)), np.arange(RUNS)
    for t in range(STEPS):
        direction = rng.uniform(0, 2 * np.pi, (RUNS, ARMS))
        x = np.stack([np.cos(direction), np.sin(direction)], axis=2)
        (a, b), (_, c) = np.moveaxis(gram, 0, -1)
        det = a * c - b * b
        inverse = np.moveaxis(np.array([[c, -b], [-b, a]]) / det, -1, 0)
        estimate = np.einsum("rij,rj->ri", inverse, moments)
        radius = 1 + NOISE * np.sqrt(np.log(det) + 2 * np.log(1 / DELTA))  # thm:ellipsoid at lam = S = 1
        width = np.sqrt(np.einsum("rki,rij,rkj->rk", x, inverse, x))
        arm = np.argmax(np.einsum("rki,ri->rk", x, estimate) + radius[:, None] * width, axis=1)
        means, chosen = np.einsum("rki,ri->rk", x, theta), x[everyone, arm]
        reward = means[everyone, arm] + rng.uniform(-NOISE, NOISE, RUNS)
        lost[t] = means.max(axis=1) - means[everyone, arm]
        gram += chosen[:, :, None] * chosen[:, None, :]
        moments += reward[:, None] * chosen
    return lost.cumsum(axis=0)


@claim.check("printed", control=dict(share=0.001), statistical=True)
def failures(task: Task, share: float = 1.0) -> Evidence:
    """Check that the regret of OFUL is above its bound after some step in at most a share delta of the simulations.
    Negative control, which must fail: a thousandth of the bound."""
    regret = play(task.rng())
    cases = (THEOREM.case("printed", None, {**SIZES, "T": t}) for t in range(1, STEPS + 1))
    bound = np.array([float(THEOREM.bound(case)) for case in cases])
    above = (regret > share * bound[:, None]).any(axis=0)
    found = mean_at_most(above, 1.0, DELTA, task, "share of runs above the bound")
    every = slice(99, None, 100)
    curve = {
        "steps": list(range(100, STEPS + 1, 100)),
        "regret": np.quantile(regret, 0.95, axis=1)[every].tolist(),
    }
    curve["bound"] = bound[every].tolist()
    return Evidence(
        found.kind,
        found.summary,
        {**found.figures, "curve": curve},
        vacuous=bool(bound[-1] >= 2 * STEPS),
        level=task.level,
    )


@claim.plot("Regret of OFUL against its bound", "failures")
def regret_and_bound(axes, figures) -> None:
    """The picture shows the regret that 95 % of the simulations of OFUL stay below, and the bound, which is far
    above: its worst case is d sqrt T for d dimensions and T steps."""
    curve = figures["failures"]["curve"]
    axes.plot(curve["steps"], curve["bound"], label="bound (Theorem 3)")
    axes.plot(curve["steps"], curve["regret"], label="95 % of the runs are below")
    axes.set(xlabel="T", ylabel="regret", yscale="log")
