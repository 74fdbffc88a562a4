"""lem:potential. The sum of the features' widths, each measured by the Gram matrix of the features before, grows like a
logarithm.

Features x_1, ..., x_n have d dimensions and norm at most 1. Let lam >= 1 and V_t = lam I + sum_{s<=t} x_s x_s'. The
width of x_t is x_t' V_{t-1}^{-1} x_t:

    sum_t min(1, x_t' V_{t-1}^{-1} x_t) <= 2 log(det V_n / lam^d) <= 2 d log(1 + n/(lam d))

The factor 2 is that of min(1, u) <= 2 log(1 + u). For lam >= 1 every u is at most 1, and u <= log(1 + u)/log 2 gives
1/log 2 = 1.4427 in its place, which is the smallest: one step with u = 1 attains it.
"""

import math

import numpy as np

from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.compared import at_most

claim = Claim(
    title="The elliptical potential",
    section="Self-normalised bounds",
    variants={
        "printed": Variant(
            r"\sum_t \min(1, \|x_t\|^2_{V_{t-1}^{-1}}) \le 2 \log(\det V_n/\lambda^d)",
            ("norm of x at most 1", "lam >= 1"),
            Verdict.FLOAT,
        ),
        "sharpened": Variant(
            r"\sum_t \|x_t\|^2_{V_{t-1}^{-1}} \le \log(\det V_n/\lambda^d)/\log 2",
            ("norm of x at most 1", "lam >= 1"),
            Verdict.FLOAT,
            tight=True,
        ),
    },
)


@claim.check("printed", control=dict(factor=0.9), given=dict(factor=2.0), name="potential")
@claim.check(
    "sharpened", control=dict(factor=1.4), given=dict(factor=1 / math.log(2)), name="smallest-factor"
)
def on_sequences(task: Task, factor: float) -> Evidence:
    """Compare sum_t min(1, x_t'V_{t-1}^{-1}x_t) with `factor` times log(det V_n/lam^d), for V_t = lam I + sum_{s<=t}
    x_s x_s', on random sequences of features x_t, on one repeated direction, and on a single step with width 1.
    Negative control, which must fail: a smaller factor."""
    rng, cases = task.rng(), [(1.0, factor * math.log(2), "one step, x = 1, lam = 1")]
    for _ in range(200):
        d, n, lam = int(rng.integers(1, 6)), int(rng.integers(1, 60)), float(rng.uniform(1, 4))
        x = rng.normal(size=(n, d))
        x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None] * rng.uniform(1, 2)
        if rng.random() < 0.2:
            x[:] = x[0]
        gram, left = lam * np.eye(d), 0.0
        for row in x:
            left += min(1.0, float(row @ np.linalg.solve(gram, row)))
            gram += np.outer(row, row)
        log_det = float(np.linalg.slogdet(gram)[1]) - d * math.log(lam)
        cases.append((left, factor * log_det, f"d = {d}, n = {n}, lam = {lam:.3f}"))
    return at_most(cases, "sum of widths")
