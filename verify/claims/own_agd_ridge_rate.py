"""own:agd_ridge_rate. Accelerated gradient descent on the ridge loss, from w_0 = 0, surely.

F(w) = (1/n) sum_i (phi_i'w - r_i)^2 + |w|^2/n with |phi_i| <= 1 and r_i in [0,1], w_S its minimiser;
L = 2(1+1/n), mu = 2/n:

    sharpened   F(w_k) - F(w_S) <= 1.25 exp(-k/sqrt(n+1))  and  |w_k - w_S|^2 <= 1.25 n exp(-k/sqrt(n+1))

An upper bound. The paper's term (A) needs the distance, not the loss. A claim of our own: col:linear rests on it.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.verdict import Verdict

ROUNDING = 1e-12  # squares of numbers below 2 after 60 contracting rounds: 15 digits are kept
ROUNDS = 60


def iterates(features: np.ndarray, rewards: np.ndarray, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """AGD's iterates (rounds+1, d) and the minimiser (d,) for features (n, d) and rewards (n,)."""
    n, d = features.shape
    hessian = features.T @ features / n + np.eye(d) / n
    target = features.T @ rewards / n
    mu, smooth = 2 / n, 2 * (1 + 1 / n)
    theta = np.sqrt(mu / smooth)
    x = z = np.zeros(d)
    path = [x]
    for _ in range(rounds):
        y = (x + theta * z) / (1 + theta)
        gradient = 2 * (hessian @ y - target)
        x, z = y - gradient / smooth, (1 - theta) * z + theta * (y - gradient / mu)
        path.append(x)
    return np.array(path), np.linalg.solve(hessian, target)


def below_rate(task: Task, speed: float = 1.0) -> Evidence:
    """Loss gap and distance against the bound on random and on ill-conditioned designs. speed: a faster, false rate."""
    rng = task.rng()
    worst = 0.0
    designs = 200 if task.full else 60
    for trial in range(designs):
        n, d = int(rng.integers(1, 200)), int(rng.integers(1, 8))
        features = rng.normal(size=(n, d)) * np.geomspace(1, 10.0 ** -(trial % 3), d)
        features /= max(1.0, float(np.linalg.norm(features, axis=1).max()))
        path, minimiser = iterates(features, rng.integers(0, 2, size=n).astype(float), ROUNDS)
        offset = path - minimiser
        gap = ((offset @ features.T) ** 2).mean(axis=1) + (offset**2).sum(axis=1) / n
        rate = 1.25 * np.exp(-speed * np.arange(ROUNDS + 1) / np.sqrt(n + 1))
        distance = (offset**2).sum(axis=1) / n
        worst = max(worst, float(((np.maximum(gap, distance) - ROUNDING) / rate).max()))
    figures = {"designs": designs, "rounds": ROUNDS, "worst_ratio": worst}
    if worst > 1:
        return Evidence(Verdict.REFUTED, f"a gap or distance is {worst:.3g} of the bound", figures)
    return Evidence(Verdict.SUPPORTED, f"at most {worst:.3f} of the bound on {designs} designs", figures)


CLAIM = Claim(
    label="own:agd_ridge_rate",
    title="Rounds of accelerated gradient descent on the ridge loss",
    section="Linear class",
    statement=__doc__ or "",
    tags=("linear", "optimisation"),
    variants={
        "sharpened": Variant(
            r"F(w_k)-F(w_S) \le \tfrac54 e^{-k/\sqrt{n+1}},\quad |w_k-w_S|^2 \le \tfrac54 n e^{-k/\sqrt{n+1}}",
            ("norm(phi) <= 1", "rewards in [0,1]", "lambda = 1/n", "w_0 = 0"),
            Verdict.SUPPORTED,
        )
    },
    checks=(
        Check(
            "designs",
            "sharpened",
            below_rate,
            partial(below_rate, speed=8.0),
            "random and ill-conditioned designs",
        ),
    ),
)
