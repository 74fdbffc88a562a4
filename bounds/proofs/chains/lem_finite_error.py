"""lem:finite_error as printed: risk <= 25 log(|F|/delta)/n; its own algebra gives (2 + 4/sqrt 3)^2 = 18.571.

X^2 = n times the excess risk, Z the empirical excess loss (<= 0 at the minimiser), C^2 = log(|F|/delta).
"""

import sympy as sp

from bounds.proofs.chains.lem_finite_var import expected, variance
from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation

X, Z, C, V, n, N, risk, failed, mean_risk, delta = reals("X Z C V_sum n N risk failed E_risk delta")
F = sp.Rational
BERNSTEIN = Hypothesis(
    "Bernstein",
    "with probability 1 - delta for all f at once: X^2 - Z <= 2 sqrt(V) C + (4/3) C^2, V the summed variance",
    sp.And(X >= 0, C >= 0, V >= 0, sp.Le(X**2 - Z, 2 * sp.sqrt(V) * C + F(4, 3) * C**2)),
    kind="cited",
)
VARIANCE = Hypothesis(
    "lem:finite_var",
    "Var <= 4 E l for every sample",
    sp.Le(variance, 4 * expected),
    kind="lemma",
    source="lem:finite_var/printed",
)
H1 = Hypothesis("H1", "rewards in [0,1] with mean f*")
CLASS = Hypothesis("F in [0,1]", "functions of the class take values in [0,1]")
MINIMISER = Hypothesis("exact minimiser", "f* is in F (H1), so the minimiser has Z <= 0", Z <= 0)
MEAN = Hypothesis(
    "failure",
    "n risk = X^2 unless Bernstein's inequality fails (failed = 1, mean delta); the risk is at most 1 (F in [0,1])",
    sp.And(
        sp.Or(sp.And(sp.Eq(failed, 0), sp.Eq(n * risk, X**2)), sp.And(sp.Eq(failed, 1), risk <= 1)), n >= 1
    ),
    declares=(delta, mean_risk),
    kind="definition",
)
LEVEL = Hypothesis(
    "delta = 1/n",
    "C^2 = log(|F|/delta) at delta = 1/n",
    sp.And(sp.Eq(delta, 1 / n), sp.Eq(C**2, sp.log(N * n)), C >= 0, n >= 1, N >= 1),
    kind="special",
)

CHAINS = (
    Chain(
        name="lem:finite_error",
        title="excess risk <= 18.571 log(|F|/delta)/n <= 25 log(|F|/delta)/n",
        variant="repaired",
        file=__file__,
        hypotheses=(H1, CLASS, BERNSTEIN, VARIANCE, MINIMISER, MEAN, LEVEL),
        indexed={"data": (risk, failed, X, Z, V), "sample": (variance, expected)},
        totals={
            "data": (Total(1, sp.Integer(1)), Total(mean_risk, risk), Total(delta, failed)),
            "sample": (Total(V, variance), Total(X**2, expected)),
        },
        steps=(
            Step(
                "variance of the sum",
                sp.Le(V, 4 * X**2),
                ("lem:finite_var", "Bernstein"),
                "summed over independent samples",
                Summation("sample", sp.Le(variance, 4 * expected)),
            ),
            Step(
                "root of the variance",
                sp.Le(sp.sqrt(V), 2 * X),
                ("Bernstein", "variance of the sum"),
                "both non-negative",
                Smt(),
            ),
            Step(
                "(b)",
                sp.Le(X**2 - Z, 4 * C * X + F(4, 3) * C**2),
                ("Bernstein", "root of the variance"),
                "lem:finite_var",
                Smt(),
            ),
            Step(
                "completed square",
                sp.Le((X - 2 * C) ** 2 - Z, F(16, 3) * C**2),
                ("(b)",),
                "add 4 C^2",
                Smt(),
            ),
            Step(
                "own algebra",
                sp.Le(X, (2 + 4 / sp.sqrt(3)) * C),
                ("completed square", "exact minimiser", "Bernstein"),
                "X - 2C <= 4C/sqrt 3",
                Smt(),
            ),
            Step(
                "18.571",
                sp.Le(X**2, F(18571, 1000) * C**2),
                ("own algebra", "Bernstein"),
                "(2 + 4/sqrt 3)^2 = 18.5709...",
                Smt(),
            ),
            Step("25", sp.Le(X**2, 25 * C**2), ("18.571", "Bernstein"), "the printed constant", Smt()),
            Step(
                "18",
                sp.Le(X**2, 18 * C**2),
                ("completed square", "exact minimiser", "Bernstein"),
                "these steps do not give 18",
                Smt(),
                expect=Decision.REFUTED,
            ),
            Step(
                "mean",
                sp.Le(mean_risk, 25 * C**2 / n + delta),
                ("failure", "25"),
                "the risk is at most 1 on a set of probability delta",
                Summation("data", sp.Le(risk, 25 * C**2 / n + failed)),
            ),
            Step(
                "mean at delta = 1/n",
                sp.Le(mean_risk, (25 * sp.log(N * n) + 1) / n),
                ("mean", "delta = 1/n"),
                "C^2 = log(|F| n)",
                Smt(),
            ),
        ),
        concludes=("25", "18.571", "mean", "mean at delta = 1/n"),
    ),
)
