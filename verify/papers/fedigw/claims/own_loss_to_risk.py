"""own:loss_to_risk. A bound on the excess risk by the loss gap without a factor n, for ridge regression with lambda
= 1/n.

F is the loss on n samples with features phi in R^d, w_S its minimiser and F* its minimum; Sigma = E phi phi', and
Sigma_hat is its mean over the samples. With s = 6.52 ln(d/delta') and n > s, with probability at least 1 - delta',
for all v,

    v' Sigma v <= max(2, s/(1 - s/n)) (F(w_S + v) - F*).

Proof: let c = s/(n-s) and A = Sigma + cI. The matrices A^{-1/2}(phi phi' + cI)A^{-1/2} have mean I and norm at most
(1+c)/c. The matrix Chernoff bound at half the mean gives Sigma_hat + cI >= (Sigma + cI)/2 except with probability d
exp(-(1/2 - ln(2)/2) n c/(1+c)) <= delta', since n c/(1+c) = s. So Sigma <= 2 Sigma_hat + cI, and cn = s/(1-s/n). A
bound by way of the squared distance would have a factor n: norm(v)^2 <= n (F(w_S + v) - F*).
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.own_ridge_excess_risk import CHERNOFF, loss_to_risk_factor
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.statistics.confidence import share_within

FAILURE = 0.2

claim = Claim(
    title="From loss error to excess risk without a factor n",
    section="Linear class",
    tags=("excess-risk", "linear"),
    reference="Tropp, User-friendly tail bounds for sums of random matrices, 2012, theorem 1.1",
    variants={
        "inequality": Variant(
            r"\|v\|_\Sigma^2 \le \max\bigl(2, \tfrac{s}{1-s/n}\bigr)(F(w_S+v)-F^*),\ s = 6.52\ln(d/\delta')",
            ("norm(phi) <= 1, n independent samples, lambda = 1/n, n > s",),
            Verdict.MEASURED,
        ),
        "constant": Variant(
            r"6.52 \ge 1/(\tfrac12-\tfrac{\ln2}{2})",
            ("matrix Chernoff at half the mean",),
            Verdict.CERTIFICATE,
        ),
    },
)


@claim.check("constant", control=dict(stated=Fraction(13, 2)))
def constant(task: Task, stated: Fraction = CHERNOFF) -> Evidence:
    """Check that 6.52 >= 1/(1/2 - ln(2)/2), where ln 2 is enclosed by partial sums of sum_k 2/((2k+1) 3^{2k+1}).
    Control, which must fail: 6.5."""
    terms = [Fraction(2, (2 * k + 1) * 3 ** (2 * k + 1)) for k in range(12)]
    low = sum(terms, Fraction(0))
    high = low + terms[-1] / 8  # later terms fall by a factor below 1/9
    needed_most, needed_least = 1 / (Fraction(1, 2) - high / 2), 1 / (Fraction(1, 2) - low / 2)
    figures = {"needed": [float(needed_least), float(needed_most)], "stated": float(stated)}
    if stated >= needed_most:
        said = f"1/(1/2 - ln(2)/2) <= {float(needed_most):.6f} <= {stated}"
        return Evidence(Verdict.CERTIFICATE, said, figures)
    if stated < needed_least:
        said = f"1/(1/2 - ln(2)/2) >= {float(needed_least):.6f} > {stated}"
        return Evidence(Verdict.REFUTED, said, figures)
    return Evidence(Verdict.UNDECIDED, "the enclosure of ln 2 is too wide", figures)


def largest_ratio(features: np.ndarray, law: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return, for each of R samples, the largest ratio v' Sigma v/(F(w_S + v) - F*) over all v, shape (R,): the
    largest eigenvalue of (Sigma_hat + I/n)^{-1} Sigma. features (C, d) and their law (C,); counts (R, C): how often
    each feature occurs in each sample."""
    d, n = features.shape[1], int(counts[0].sum())
    squares = np.einsum("ci,cj->cij", features, features).reshape(len(features), -1)
    sigma = (law @ squares).reshape(d, d)
    observed = (counts @ squares).reshape(-1, d, d) / n + np.eye(d) / n
    inverse_root = np.linalg.inv(np.linalg.cholesky(observed))
    return np.asarray(np.linalg.eigvalsh(inverse_root @ sigma @ inverse_root.transpose(0, 2, 1))[:, -1])


def designs(rng: np.random.Generator, d: int, n: int, bound: float) -> dict[str, tuple[Any, Any]]:
    """Return three pairs of features (C, d) and their law (C,), by name. In two of them some features are rare: in
    one so rare that a sample often misses them, in the other just frequent enough for the ratio of largest_ratio to
    exceed `bound`."""

    def rare(times: float) -> tuple[Any, Any]:
        return np.vstack([np.eye(d), np.zeros(d)]), np.array([times / n] * d + [1 - d * times / n])

    return {
        # one direction is missed with probability 0.3 > delta': the largest quantile there is, below the bound
        "missed directions": rare(-math.log(1 - 0.7 ** (1 / d))),
        "rare directions": rare(1.2 * bound),
        "random": (_ball(rng, 40, d), np.full(40, 1 / 40)),
    }


@claim.check("inequality", control=dict(below=0.9), statistical=True)
def frequency(task: Task, below: float | None = None) -> Evidence:
    """Check that some v violates the inequality with probability at most delta' = 0.2, on three laws of features in
    3 and 10 dimensions. Control, which must fail: as the bound, 0.9 of the (1 - delta')-quantile of an independent
    sample.

    A law for which no sample can violate the inequality is counted as vacuous.
    """
    rng = task.rng()
    replications = 4000 if task.full else 1000
    rows: list[dict[str, Any]] = []
    for d, n in ((3, 400), (10, 1000)):
        factor = loss_to_risk_factor(d, n, FAILURE)
        assert factor is not None
        chosen = designs(rng, d, n, factor)
        for name, (features, law) in chosen.items():
            pilot, ratio = (
                largest_ratio(features, law, rng.multinomial(n, law, size=replications).astype(float))
                for _ in range(2)
            )
            quantile = float(np.quantile(pilot, 1 - FAILURE, method="inverted_cdf"))
            limit = factor if below is None else below * quantile
            above = int((ratio > limit).sum())
            kind, _, high = share_within(above, replications, FAILURE, task.level / (4 * len(chosen)))
            most = n * float(np.linalg.eigvalsh((features.T * law) @ features)[-1])
            row = dict(where=f"{name}, d = {d}, n = {n}", bound=limit, most=most, vacuous=most <= limit)
            row |= {"quantile": quantile, "largest_met": float(ratio.max()), "high": high}
            rows.append(row | {"frequency": above / replications, **kind.fields})
    telling = [row for row in rows if not row["vacuous"]]
    worst = max(telling or rows, key=lambda row: float(row["frequency"]))
    largest = max(row["quantile"] / row["bound"] for row in rows)
    said = f"violated with frequency at most {worst['frequency']:.4f} (delta' = {FAILURE}) in {len(telling)} designs"
    said += (
        f" that could violate it ({worst['where']}); loose: the (1 - delta') quantile of the ratio is at most"
    )
    said += f" {largest:.2f} of the bound, {len(rows) - len(telling)} vacuous designs included"
    kind = max((Verdict.of(row) for row in telling), key=list(Verdict).index, default=Verdict.UNDECIDED)
    figures = {"rows": rows, "delta": FAILURE}
    return Evidence(kind, said, figures, vacuous=not telling, level=task.level)


def _ball(rng: np.random.Generator, count: int, d: int) -> np.ndarray:
    vectors = rng.standard_normal((count, d))
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1))
