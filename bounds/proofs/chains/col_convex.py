"""col:convex for ridge regression: the step and rounds of a stochastic row reach eps, which gives the excess risk.

growth is q^{-R}; a^2 = C/(n+1) is the excess risk of the exact minimiser, b^2 what the solver adds in the norm of
Sigma. The accuracies are n eps = delta^2 a^2 (road 1); max(2,s) eps = delta^2 a^2 and delta' = delta a^2 (road 2).
"""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Smt

gap, eps, mu, distance, growth, first, second, h = reals("E_gap eps mu d_0 growth c1 c2 h")
e, e_gap, a, b, delta, n, factor, failure = reals("e e_by_gap a b delta n factor failure")

SETTING = Hypothesis(
    "setting",
    "n samples, mu, eps, delta, h > 0; d_0, c1, c2, a, b, delta' >= 0",
    sp.And(
        *(x > 0 for x in (n, mu, eps, delta, h)),
        *(x >= 0 for x in (distance, first, second, a, b, failure)),
    ),
    kind="definition",
)
AVERAGE = Hypothesis(
    "theorem 1B or S2",
    "E gap <= (mu/2) d_0/(q^{-R} - 1) + c1 h + c2 h^2 (c2 = 0 for SCAFFOLD)",
    sp.Le(gap, mu / 2 * distance / (growth - 1) + first * h + second * h**2),
    kind="cited",
)
CHOICE = Hypothesis(
    "step and rounds",
    "c1 h + c2 h^2 <= eps/2, and R so large that q^{-R} >= 1 + mu d_0/eps (q^{-R} > 1)",
    sp.And(
        sp.Le(first * h + second * h**2, eps / 2),
        sp.Ge(growth, 1 + mu * distance / eps),
        growth > 1,
    ),
)
DISTANCE = Hypothesis(
    "T1",
    "e <= (a + b)^2 with b^2 <= n E gap: Minkowski, norm(v)^2 <= n gap",
    sp.And(sp.Le(e, (a + b) ** 2), sp.Le(b**2, n * gap)),
    kind="cited",
)
FIRST = Hypothesis("accuracy of road 1", "eps = delta^2 C/(n(n+1))", sp.Eq(eps * n, delta**2 * a**2))
GAP = Hypothesis(
    "T2",
    "e <= (a + b)^2 + delta' with b^2 <= max(2,s) E gap: matrix Chernoff, predictions clipped",
    sp.And(sp.Le(e_gap, (a + b) ** 2 + failure), sp.Le(b**2, factor * gap), factor >= 2),
    kind="cited",
)
SECOND = Hypothesis(
    "accuracy of road 2",
    "eps = delta^2 C/(max(2,s)(n+1)), delta' = delta C/(n+1)",
    sp.And(sp.Eq(eps * factor, delta**2 * a**2), sp.Eq(failure, delta * a**2)),
)

SOLVER = Chain(
    name="col:convex rounds",
    title="the step and the rounds of a stochastic row reach E gap <= eps",
    file=__file__,
    hypotheses=(SETTING, AVERAGE, CHOICE),
    steps=(
        Step(
            "start",
            sp.Le(mu / 2 * distance / (growth - 1), eps / 2),
            ("step and rounds", "setting"),
            "q^{-R} - 1 >= mu d_0/eps",
            Smt(),
        ),
        Step(
            "reached",
            sp.Le(gap, eps),
            ("start", "theorem 1B or S2", "step and rounds", "setting"),
            "a half and a half",
            Smt(),
        ),
        Step(
            "nine tenths",
            sp.Le(gap, sp.Rational(9, 10) * eps),
            ("start", "theorem 1B or S2", "step and rounds", "setting"),
            "nothing is left over",
            Smt(),
            expect=Decision.REFUTED,
        ),
    ),
    concludes=("reached",),
)


def road(
    name: str, title: str, risk: sp.Symbol, theorem: Hypothesis, accuracy: Hypothesis, bound: sp.Expr
) -> Chain:
    """From E gap <= eps to the excess risk."""
    target = Hypothesis(
        "reached",
        "E gap <= eps",
        sp.Le(gap, eps),
        kind="lemma",
        source="col:convex rounds/reached",
    )
    base = (theorem.name, accuracy.name, "setting")
    return Chain(
        name=name,
        title=title,
        file=__file__,
        hypotheses=(SETTING, AVERAGE, CHOICE, target, theorem, accuracy),
        steps=(
            Step("solver", sp.Le(b, delta * a), ("reached", *base), "b^2 <= delta^2 a^2", Smt()),
            Step(
                "excess risk", sp.Le(risk, bound), ("solver", *base), "(a + b)^2 <= (1 + delta)^2 a^2", Smt()
            ),
            Step(
                "smaller",
                sp.Le(risk, sp.Rational(99, 100) * bound),
                ("solver", *base),
                "attained if b = delta a",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("excess risk",),
    )


CHAINS = (
    SOLVER,
    road("col:convex road 1", "e <= (1+delta)^2 C/(n+1)", e, DISTANCE, FIRST, (1 + delta) ** 2 * a**2),
    road(
        "col:convex road 2",
        "e <= ((1+delta)^2 + delta) C/(n+1)",
        e_gap,
        GAP,
        SECOND,
        ((1 + delta) ** 2 + delta) * a**2,
    ),
)
