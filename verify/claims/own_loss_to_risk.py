"""own:loss_to_risk. From loss error to excess risk without a factor n, for ridge regression with lambda = 1/n:

    s = 6.52 ln(d/delta'), n > s: with probability >= 1 - delta', for all v at once
    norm(v)^2_Sigma <= max(2, s/(1 - s/n)) (F(w_S + v) - F*)

Proof: with c = s/(n-s), A = Sigma + cI, the matrices A^{-1/2}(phi phi' + cI)A^{-1/2} have mean I and norm at most
(1+c)/c; matrix Chernoff at half the mean gives Sigma_hat + cI >= (Sigma + cI)/2 except with probability
d exp(-(1/2 - ln(2)/2) n c/(1+c)) <= delta', as n c/(1+c) = s. So Sigma <= 2 Sigma_hat + cI, and cn = s/(1-s/n).
The squared distance, by contrast, costs a factor n: norm(v)^2 <= n (F(w_S + v) - F*).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np

from bounds.linear_excess_risk import CHERNOFF, loss_to_risk_factor
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.statistics.confidence import binomial_lower, binomial_upper
from verify.verdict import Verdict

FAILURE = 0.2


def constant(task: Task, stated: Fraction = Fraction(str(CHERNOFF))) -> Evidence:
    """6.52 >= 1/(1/2 - ln(2)/2), with ln 2 enclosed by partial sums of sum_k 2/((2k+1) 3^{2k+1}) and its tail."""
    terms = [Fraction(2, (2 * k + 1) * 3 ** (2 * k + 1)) for k in range(12)]
    low = sum(terms, Fraction(0))
    high = low + terms[-1] / 8  # later terms fall by a factor below 1/9
    needed_most, needed_least = 1 / (Fraction(1, 2) - high / 2), 1 / (Fraction(1, 2) - low / 2)
    figures = {"needed": [float(needed_least), float(needed_most)], "stated": float(stated)}
    if stated >= needed_most:
        return Evidence(
            Verdict.CERTIFIED, f"1/(1/2 - ln(2)/2) <= {float(needed_most):.6f} <= {stated}", figures
        )
    if stated < needed_least:
        return Evidence(
            Verdict.REFUTED, f"1/(1/2 - ln(2)/2) >= {float(needed_least):.6f} > {stated}", figures
        )
    return Evidence(Verdict.INCONCLUSIVE, "the enclosure of ln 2 is too wide", figures)


def largest_ratio(features: np.ndarray, law: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(R,): sup over v of norm(v)^2_Sigma/(F(w_S + v) - F*), the largest eigenvalue of (Sigma_hat + I/n)^{-1} Sigma.

    features (C, d), law (C,), counts (R, C).
    """
    d, n = features.shape[1], int(counts[0].sum())
    squares = np.einsum("ci,cj->cij", features, features).reshape(len(features), -1)
    sigma = (law @ squares).reshape(d, d)
    observed = (counts @ squares).reshape(-1, d, d) / n + np.eye(d) / n
    inverse_root = np.linalg.inv(np.linalg.cholesky(observed))
    return np.asarray(np.linalg.eigvalsh(inverse_root @ sigma @ inverse_root.transpose(0, 2, 1))[:, -1])


def frequency(task: Task, shrink: float = 1.0) -> Evidence:
    """How often some v violates the inequality, against delta', on designs with rare directions and random ones."""
    rng = task.rng()
    replications = 4000 if task.full else 1000
    level = task.level / 8
    rows = []
    for d, n in ((3, 400), (10, 1000)):
        factor = loss_to_risk_factor(d, n, FAILURE)
        assert factor is not None
        # each of d directions met about ln(d/delta') times: some are missed with probability about delta'
        rare = math.log(d / FAILURE) / n
        designs = {
            "rare directions": (np.vstack([np.eye(d), np.zeros(d)]), np.array([rare] * d + [1 - d * rare])),
            "random": (_ball(rng, 40, d), np.full(40, 1 / 40)),
        }
        for name, (features, law) in designs.items():
            ratio = largest_ratio(features, law, rng.multinomial(n, law, size=replications).astype(float))
            above = int((ratio > shrink * factor).sum())
            high, low = (
                binomial_upper(above, replications, level),
                binomial_lower(above, replications, level),
            )
            rows.append(
                {
                    "where": f"{name}, d = {d}, n = {n}",
                    "factor": shrink * factor,
                    "largest_met": float(ratio.max()),
                    "frequency": above / replications,
                    "high": high,
                    "low": low,
                }
            )
    figures = {"rows": rows, "delta": FAILURE}
    refuted = [row for row in rows if float(str(row["low"])) > FAILURE]
    if refuted:
        where, share = refuted[0]["where"], refuted[0]["frequency"]
        return Evidence(
            Verdict.REFUTED,
            f"{where}: violated with frequency {share} > {FAILURE}",
            figures,
            level=task.level,
        )
    decided = all(float(str(row["high"])) <= FAILURE for row in rows)
    worst = max(rows, key=lambda row: float(str(row["largest_met"])) / float(str(row["factor"])))
    return Evidence(
        Verdict.SUPPORTED if decided else Verdict.INCONCLUSIVE,
        f"violated with frequency at most {max(float(str(r['frequency'])) for r in rows):.4f} (delta' = {FAILURE});"
        f" largest ratio {worst['largest_met']:.3g} of {worst['factor']:.3g} ({worst['where']})",
        figures,
        level=task.level,
    )


def _ball(rng: np.random.Generator, count: int, d: int) -> np.ndarray:
    vectors = rng.standard_normal((count, d))
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1))


CLAIM = Claim(
    label="own:loss_to_risk",
    title="From loss error to excess risk without a factor n",
    section="Linear class",
    statement=__doc__ or "",
    tags=("excess-risk", "linear"),
    reference="Tropp, User-friendly tail bounds for sums of random matrices, 2012, theorem 1.1",
    variants={
        "inequality": Variant(
            r"\|v\|_\Sigma^2 \le \max\bigl(2, \tfrac{s}{1-s/n}\bigr)(F(w_S+v)-F^*),\ s = 6.52\ln(d/\delta')",
            ("norm(phi) <= 1, n independent samples, lambda = 1/n, n > s",),
            Verdict.SUPPORTED,
        ),
        "constant": Variant(
            r"6.52 \ge 1/(\tfrac12-\tfrac{\ln2}{2})", ("matrix Chernoff at half the mean",), Verdict.CERTIFIED
        ),
    },
    checks=(
        Check(
            "frequency", "inequality", frequency, partial(frequency, shrink=0.06), "how often it is violated"
        ),
        Check(
            "constant", "constant", constant, partial(constant, stated=Fraction(13, 2)), "enclosure of ln 2"
        ),
    ),
)
