"""own:agd_rate. How fast Nesterov's accelerated gradient descent with constant momentum converges.

w_k is the method's point after k rounds. For every function F with curvature between mu and L, minimiser w* and minimum
F*, from any w_0, with kappa = L/mu:

    F(w_k) - F* <= (1 - 1/sqrt kappa)^k (F(w_0) - F* + (mu/2) norm(w_0 - w*)^2)

Ridge regression with n samples and weight lambda = 1/n on the squared norm has kappa = n+1. From w_0 = 0, for every
dataset with features norm(phi) <= 1 and rewards r in [0,1], and with w_S the minimiser of F:

    F(w_k) - F* <= 1.25 exp(-k/sqrt(n+1)),   norm(w_k - w_S)^2 <= 1.25 n exp(-k/sqrt(n+1))

Gradient descent with step 1/L (part `descent`) then has norm(w_k - w_S)^2 <= (n/4) exp(-2k/(n+1)), as a step multiplies
the squared distance by at most (1 - mu/L)^2.

Proof: with s = sqrt kappa and z = w_{k-1} + s(w_k - w_{k-1}), a round multiplies V = F(w_k) - F* + (mu/2) norm(z -
w*)^2 by at most 1 - 1/s. For ridge regression F(w_0) - F* <= mean r^2 <= 1 and lambda norm(w_S)^2 <= 1/4.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import own_agd_rate
from linear.ridge import exact_minimiser, loss_gap, pooled
from linear.spectral import agd_jump
from verify.claim import Claim, Evidence, Task, Variant, Verdict
from verify.experiments.ratios import at_most_one
from verify.papers.fedigw.claims.own_agd_rate import all_functions
from verify.papers.fedigw.claims.own_agd_rate.convergence import problems, rational_descent, solver_curves
from verify.pictures import PROTOCOL_COLOUR, Figures, colours, stays_below


def performance_estimation() -> tuple[str, ...]:
    lines = ["worst case after k rounds at kappa = 9: quadratics, all functions (enclosed), textbook"]
    for k in (1, 2, 3):
        low, high = all_functions.lower(Fraction(3), k), all_functions.upper(Fraction(3), k)
        enclosed = "no certificate" if low is None or high is None else f"[{float(low)}, {float(high)}]"
        worst, textbook = all_functions.over_quadratics(9.0, k), all_functions.textbook(9.0, k)
        lines.append(f"  k = {k}: {worst:.4f}  {enclosed}  {textbook:.4f}")
    return tuple(lines)


HYPOTHESES = ("norm(phi) <= 1, rewards in [0,1], lambda = 1/n, w_0 = 0",)

claim = Claim(
    title="Rate of accelerated gradient descent on ridge regression",
    section="Linear class",
    tags=("optimisation", "linear"),
    notes=performance_estimation,
    reference="Nesterov, Introductory lectures on convex optimization, 2004, section 2.2",
    variants={
        "rate": Variant(
            r"F(w_k)-F^* \le \tfrac54 e^{-k/\sqrt{n+1}},\ \|w_k-w_S\|^2 \le \tfrac54 n e^{-k/\sqrt{n+1}}",
            HYPOTHESES,
            Verdict.COQ,
        ),
        "descent": Variant(
            r"\|w_k-w_S\|^2 \le \tfrac n4e^{-2k/(n+1)}",
            (*HYPOTHESES, "gradient descent with step 1/L"),
            Verdict.COQ,
        ),
        "all_functions": Variant(
            r"F(w_k)-F^* \le (1-\kappa^{-1/2})^k(F(w_0)-F^*+\tfrac\mu2\|w_0-w^*\|^2)",
            ("F is L-smooth and mu-strongly convex, kappa = L/mu, step 1/L, constant momentum",),
            Verdict.COQ,
        ),
    },
)


@claim.check("rate", control=dict(power=3), name="exact")
def exact_runs(task: Task, power: int = 1) -> Evidence:
    """Compare the exact objective minus its minimum after k rounds of accelerated gradient descent with the rate (1 -
    1/sqrt kappa)^k at condition number kappa. Ridge problems in one dimension are computed in rationals; the number of
    samples makes sqrt kappa an integer. Negative control, which must fail: the exponent 3k."""
    rng, found = task.rng(), []
    for root in (2, 3, 4, 6):
        n = root * root - 1
        for _ in range(6):
            features = [Fraction(int(v), 10) for v in rng.integers(0, 11, size=n)]
            rewards = [Fraction(int(v)) for v in rng.integers(0, 2, size=n)]
            best, gaps = rational_descent(features, rewards, [Fraction(root - 1, root + 1)] * 12)
            start = sum(((f * best) ** 2 for f in features), best**2) / n + best**2 / n
            for k, gap in enumerate(gaps, start=1):
                bound = start * (1 - Fraction(1, root)) ** (power * k)
                found.append((gap / bound if bound else 0, f"sqrt kappa = {root}, round {k}"))
    return at_most_one(found, "exact gap", Verdict.EXACT, "rational rounds in one dimension")


ROUNDING = 1e-12  # iterates are known to 1e-16 times norms up to sqrt(n)


@claim.check("rate", control=dict(speed=3.0))
def runs(task: Task, speed: float = 1.0) -> Evidence:
    """Compare two errors of accelerated gradient descent after k rounds on n samples with their rates: the objective
    minus its minimum with 1.25 exp(-k/sqrt(n+1)), and the squared distance from the minimiser with 1.25 n
    exp(-k/sqrt(n+1)). Ridge problems are random, singular or ill-conditioned. Negative control, which must fail: the
    rates after 3k rounds."""
    found = []
    for name, datasets in problems(task.rng(), task.full):
        data, best = pooled(datasets), exact_minimiser(datasets)
        n = data.count
        for k in sorted({int(v) for v in np.geomspace(1, 12 * math.sqrt(n), 25)}):
            point, faster = agd_jump(data.gram / n, data.moment / n, n, k), speed * k
            gap, distance = loss_gap(datasets, point), float(np.sum((point - best) ** 2))
            ratio = max(
                (gap - ROUNDING) / float(own_agd_rate.loss_gap(n, faster)),
                (distance - ROUNDING * n) / float(own_agd_rate.distance_squared(n, faster)),
            )
            found.append((ratio, f"{name}, round {k}"))
    curves = solver_curves(problems(task.rng(), False)[-1][1]) if speed == 1 else {}
    return at_most_one(found, "gap and distance", cases="rounds", curves=curves)


@claim.check("descent", control=dict(speed=1.5))
def steps(task: Task, speed: float = 1.0) -> Evidence:
    """Compare the squared distance of gradient descent from the minimiser after k steps on n samples with (n/4)
    exp(-2k/(n+1)) on ridge problems. The distance is computed from the eigenvalues of the Gram matrix. Negative
    control, which must fail: the rate after 1.5 k steps."""
    found = []
    for name, datasets in problems(task.rng(), task.full):
        data, best = pooled(datasets), exact_minimiser(datasets)
        n = data.count
        values, vectors = np.linalg.eigh(data.gram)
        for k in sorted({int(v) for v in np.geomspace(1, 12 * n, 25)}):
            left = (1 - (values + 1) / (n + 1)) ** k * (vectors.T @ best)
            bound = n / 4 * math.exp(-2 * speed * k / (n + 1))
            found.append(((float(left @ left) - ROUNDING * n) / bound, f"{name}, step {k}"))
    return at_most_one(found, "distance", cases="steps")


SMALL = 1e-6  # a gap after which nobody waits


@claim.plot("Convergence of each solver", "runs")
def convergence(axes: Any, figures: Figures) -> None:
    """The picture shows that every solid curve, the measured objective minus its minimum for a solver, is below the
    dashed rate of its colour. Conjugate gradients converge after a few rounds."""
    shown = next(iter(figures.values()))["curves"]
    colour_of = colours(PROTOCOL_COLOUR, shown)
    for name, curve in shown.items():
        gaps = np.maximum(np.array(curve["gap"]), 1e-18)
        colour = colour_of[name]
        axes.plot(curve["rounds"], gaps, color=colour, label=f"{name}, measured")
        if "rate" in curve:
            label = "chebyshev, rate (also of cg)" if name == "chebyshev" else f"{name}, rate"
            axes.plot(curve["rounds"], curve["rate"], "--", color=colour, label=label)
    reached = sorted(
        (min(k for k, gap in zip(curve["rounds"], curve["gap"], strict=True) if gap <= SMALL), name)
        for name, curve in shown.items()
        if min(curve["gap"]) <= SMALL
    )
    if reached:
        (first, fast), (last, slow) = reached[0], reached[-1]
        axes.set_title(f"{fast} reach a gap of {SMALL:g} after {first} rounds, {slow} after {last}")
    axes.set(yscale="log", ylim=(1e-18, 10), xlabel="rounds", ylabel="$F(w)-F^*$")


@claim.plot("Worst case of accelerated gradient descent after k rounds", "performance")
def worst_cases(axes: Any, figures: Figures) -> None:
    """The picture shows that the textbook rate is not attained: the worst function, computed exactly, is below it after
    every round, and the worst quadratic is lower still."""
    rows = next(iter(figures.values()))["rows"]
    for colour, kappa in zip(
        ("#1864ab", "#1a7f37", "#9a6700", "#862e9c"), sorted({r["kappa"] for r in rows}), strict=False
    ):
        mine = sorted((r for r in rows if r["kappa"] == kappa), key=lambda r: int(r["rounds"]))
        rounds = [r["rounds"] for r in mine]
        for key, style, label in (
            ("textbook", "--", f"textbook rate, kappa = {kappa}"),
            ("high", "o-", "worst function of all"),
            ("quadratics", "s:", "worst quadratic"),
        ):
            axes.plot(rounds, [r[key] for r in mine], style, color=colour, markersize=4, label=label)
    axes.set_title(
        stays_below("The worst function", [(r["high"], r["textbook"]) for r in rows], "the textbook rate")
    )
    axes.xaxis.get_major_locator().set_params(integer=True)
    shown = r"$(F(w_k)-F^*)\;/\;(F(w_0)-F^*+\frac{\mu}{2}\|w_0-w^*\|^2)$"
    axes.set(yscale="log", xlabel="rounds k", ylabel=shown)


claim.check("all_functions", control=dict(speed=2))(all_functions.performance)
