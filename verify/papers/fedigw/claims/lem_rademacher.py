"""lem:rademacher. The generalisation error is at most twice the Rademacher complexity.

For n independent samples with losses l_i(w), let L be the expected and Lhat the mean loss, and wh any output in a set
Omega. Then eps_gen = E[L(wh) - Lhat(wh)] <= 2R, where R = E sup_{w in Omega} (1/n) sum_i sigma_i l_i(w) with
independent random signs sigma_i. For linear models with the squared loss, features norm(phi) <= 1, rewards r in [0,1]
and Omega the ball norm(w) <= B,

    R <= 2B(B+1)/sqrt(n)      (contraction of (phi'w)^2, linearity of 2 r phi'w)

R is infinite for Omega = R^d (erratum E21). At phi = 1, r = 0, B = 1, R sqrt(n) tends to 1/sqrt(2 pi) = 0.399.
"""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from bounds.theorems.col_convex_raw import rademacher
from finite_class.lemmas.lem_error_decompose import symmetrisation
from finite_class.lemmas.lem_rademacher import ball
from finite_class.lemmas.sides import Sides
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments import learning_problems, random_worlds
from verify.experiments.ratios import at_most_one

claim = Claim(
    title="Generalisation error by Rademacher complexity",
    section="FL protocols",
    tags=("excess-risk", "plug-in"),
    errata=("erratum:E21",),
    variants={
        "printed": Variant(
            r"\varepsilon_{\mathrm{gen}} \le 2\mathfrak R(\mathcal F; n_{[M]})",
            ("independent samples", "the output lies in the class over which the supremum is taken"),
            Verdict.COQ,
        ),
        "repaired": Variant(
            r"\varepsilon_{\mathrm{gen}} \le 2\mathfrak R,\quad \mathfrak R \le 2B(B+1)/\sqrt n",
            (
                "independent samples; linear model, squared loss, norm(phi) <= 1, rewards in [0,1]",
                "the output satisfies norm(w) <= B surely",
            ),
            Verdict.COQ,
        ),
    },
    reference="Mohri, Rostamizadeh, Talwalkar, Foundations of Machine Learning, 2018, theorem 3.3",
)


@claim.check("printed", control=dict(shrink=Fraction(2, 5)))
def enumerated(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Compare the generalisation error with twice the Rademacher complexity on random learning problems with a few
    samples, by enumerating every dataset and all signs. Negative control, which must fail: 0.4 times the bound."""

    def one(rng: np.random.Generator) -> random_worlds.Case:
        problem = learning_problems.problem(rng)
        return symmetrisation(problem, shrink), learning_problems.describe(problem)

    return random_worlds.exact(task, one, (30, 300), "generalisation error against 2R")


@claim.check("repaired", control=dict(shrink=Fraction(9, 10)), name="ball")
def in_a_ball(task: Task, shrink: Fraction = Fraction(1)) -> Evidence:
    """Compare the Rademacher complexity of linear models |w| <= B in one dimension with its bound 2B(B+1)/sqrt(n) for n
    samples. The squares of both are computed in rationals for random data, by enumerating all signs. Negative control,
    which must fail: 0.9 times the squared bound."""
    rng = task.rng()
    one = [Fraction(1)]
    closest = ball(one, one, Fraction(1, 20), shrink), {"B": "1/20", "phi": ["1"], "r": ["1"]}
    cases: list[tuple[Sides, Any]] = [closest]  # R = 2B at n = 1
    for _ in range(200 if task.full else 12):
        n = int(rng.integers(1, 9))
        radius = Fraction(int(rng.choice([1, 2, 10, 20, 40, 80])), 20)
        features = [Fraction(int(k), 4) for k in rng.integers(-4, 5, n)]
        rewards = [Fraction(int(k), 4) for k in rng.integers(0, 5, n)]
        if rng.random() < 0.3:
            features, rewards = [Fraction(1)] * n, [Fraction(1)] * n
        shown = {"B": str(radius), "phi": [str(f) for f in features], "r": [str(r) for r in rewards]}
        cases.append((ball(features, rewards, radius, shrink), shown))
    return random_worlds.verdict(cases, "n R^2 against (2B(B+1))^2")


def supremum(matrix: np.ndarray, vector: np.ndarray, radius: float) -> float:
    """Return an upper bound, up to rounding, on the maximum of w'Aw - 2b'w over norm(w) <= B for A = matrix, b =
    vector, B = radius: the dual value at a Lagrange multiplier found by bisection."""
    values, axes = np.linalg.eigh(matrix)
    slopes = axes.T @ vector
    if values[-1] < 0 and np.linalg.norm(slopes / values) <= radius:
        return float(-(slopes**2 / values).sum())
    low = max(values[-1], 0.0)
    high = low + float(np.linalg.norm(vector)) / radius + 1.0
    for _ in range(200):
        middle = (low + high) / 2
        away = slopes / np.maximum(middle - values, 1e-150)  # whose square is finite
        low, high = (middle, high) if math.sqrt(away.dot(away)) > radius else (low, middle)
    # dual value: an upper bound of the maximum for every multiplier above the largest eigenvalue
    return float(high * radius**2 + (slopes**2 / np.maximum(high - values, 1e-300)).sum())


@claim.check("repaired", control=dict(shrink=0.5), name="dimensions")
def more_dimensions(task: Task, shrink: float = 1.0) -> Evidence:
    """Compare the Rademacher complexity of linear models of norm at most B with its bound 2B(B+1)/sqrt(n) on n random
    samples in two and three dimensions, in floating point, with suprema rounded up. Negative control, which must
    fail: half of the bound."""
    rng = task.rng()
    found = []
    for _ in range(60 if task.full else 5):
        d, n = int(rng.integers(2, 4)), int(rng.integers(1, 8))
        radius = float(rng.choice([0.05, 0.5, 1.0, 3.0]))
        features = rng.standard_normal((n, d))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        rewards = rng.choice([0.0, 0.5, 1.0], n)
        total = 0.0
        for signs in product((-1.0, 1.0), repeat=n):
            weighted = features * np.array(signs)[:, None]
            total += supremum(weighted.T @ features, weighted.T @ rewards, radius)
        ratio = total / (n * 2**n) / (shrink * float(rademacher(n, radius)))
        found.append((ratio, f"d = {d}, n = {n}, B = {radius}"))
    return at_most_one(found, "R", cases="designs", rounding=1e-9)
