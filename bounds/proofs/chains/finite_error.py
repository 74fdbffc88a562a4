"""lem:finite_error as printed: risk <= 25 log(|F|/delta)/n; its own algebra gives (2 + 4/sqrt 3)^2 = 18.571.

X^2 = n times the excess risk, Z the empirical excess loss (<= 0 at the minimiser), C^2 = log(|F|/delta).
"""

import sympy as sp

from bounds.proofs.model import Chain, Hypothesis, Outcome, Step, Total, reals
from bounds.proofs.rules import Smt, Summation

X, Z, C, V, n, tail, risk, failed, mean_risk, delta = reals("X Z C Var n tail risk failed E_risk delta")
F = sp.Rational
BERNSTEIN = Hypothesis(
    "Bernstein",
    "with probability 1 - delta for all f at once: X^2 - Z <= 2 sqrt(V) C + (4/3) C^2, V the summed variance",
    sp.And(X >= 0, C >= 0, V >= 0, sp.Le(X**2 - Z, 2 * sp.sqrt(V) * C + F(4, 3) * C**2)),
    kind="cited",
)
VARIANCE = Hypothesis("lem:finite_var", "V <= 4 X^2, summed over samples", sp.Le(V, 4 * X**2), kind="cited")
MINIMISER = Hypothesis("exact minimiser", "f* is in F (H1), so the minimiser has Z <= 0", Z <= 0)
MEAN = Hypothesis(
    "failure",
    "the risk is at most tail unless the tail fails (failed = 1), and always at most 1 (F in [0,1])",
    sp.And(
        sp.Or(sp.And(sp.Eq(failed, 0), sp.Le(risk, tail)), sp.And(sp.Eq(failed, 1), risk <= 1)), tail >= 0
    ),
    declares=(delta, mean_risk),
    kind="definition",
)

CHAINS = (
    Chain(
        name="lem:finite_error",
        title="excess risk <= 18.571 log(|F|/delta)/n <= 25 log(|F|/delta)/n",
        variant="repaired",
        file=__file__,
        hypotheses=(BERNSTEIN, VARIANCE, MINIMISER, MEAN),
        indexed={"data": (risk, failed)},
        totals={"data": (Total(1, sp.Integer(1)), Total(mean_risk, risk), Total(delta, failed))},
        steps=(
            Step(
                "root of the variance",
                sp.Le(sp.sqrt(V), 2 * X),
                ("Bernstein", "lem:finite_var"),
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
                expect=Outcome.REFUTED,
            ),
            Step(
                "mean",
                sp.Le(mean_risk, tail + delta),
                ("failure",),
                "the risk is at most 1 on a set of probability delta",
                Summation("data", sp.Le(risk, tail + failed)),
            ),
        ),
        concludes=("25", "18.571", "mean"),
    ),
)
