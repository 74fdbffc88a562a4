"""col:convex and col:convex_per: the rounds of the rows with full gradients reach the gap that they are for.

power is the R-th power of a round's contraction, growth the exponential that bounds it: (1-x)^R <= e^{-xR} = 1/growth.
The rows choose R so that growth is start/eps: gradient descent and AGD with the starts 1 and 5/4, SCAFFOLD with 3/2.
FedAvg and LSGD-PFL have a bias besides: u = sqrt(eps), v^2 = E gap, w^2 = E gap_inf (Minkowski in the mean over data),
a = 1 - s/2, k = (K-1) eta, and root = sqrt 2.
"""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Smt

gap, eps, mu, beta, n, power, growth, start, first, controls = reals(
    "gap eps mu beta n power growth start gap_0 Ev_0"
)
u, v, w, a, k, h, server, spread, root = reals("u v w a k h server spread root")

RIDGE = Hypothesis(
    "ridge",
    "mu = 2/n, beta = 2(1+1/n): lambda = 1/n, norm(phi) <= 1, n samples",
    sp.And(n > 0, eps > 0, sp.Eq(mu * n, 2), sp.Eq(beta * n, 2 * (n + 1))),
    kind="definition",
)
STARTS = Hypothesis(
    "starts",
    "gap_0 <= 1 and Ev_0 <= 4, from 0 with zero control variates",
    sp.And(first >= 0, first <= 1, controls >= 0, controls <= 4),
    kind="cited",
)
EXPONENTIAL = Hypothesis(
    "exponential",
    "(1-x)^R <= e^{-xR} for 0 <= x <= 1: power <= 1/growth",
    sp.And(power >= 0, growth > 0, sp.Le(power * growth, 1)),
    kind="cited",
)


def linear_row(name: str, title: str, theorem: Hypothesis, most: sp.Expr, because: str) -> Chain:
    """A row whose theorem is gap <= power start: start <= most, and growth >= most/eps."""
    rounds = Hypothesis("rounds", f"R so large that growth >= {most}/eps", sp.Ge(growth * eps, most))
    base = (theorem.name, "starts", "ridge")
    return Chain(
        name=name,
        title=title,
        file=__file__,
        hypotheses=(RIDGE, STARTS, EXPONENTIAL, theorem, rounds),
        steps=(
            Step("condition", sp.Eq(mu * (n + 1), beta), ("ridge",), "mu/beta = 1/(n+1)", Smt()),
            Step("start", sp.Le(start, most), base, because, Smt()),
            Step(
                "decay",
                sp.Le(power * most, eps),
                ("exponential", "rounds", "ridge"),
                "power <= 1/growth <= eps/start",
                Smt(),
            ),
            Step(
                "reached",
                sp.Le(gap, eps),
                ("start", "decay", theorem.name, "exponential"),
                "gap <= power start",
                Smt(),
            ),
            Step(
                "nine tenths",
                sp.Le(gap, sp.Rational(9, 10) * eps),
                ("start", "decay", theorem.name, "exponential"),
                "nothing is left over",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("reached",),
    )


DESCENT = Hypothesis(
    "descent",
    "gap_R <= (1 - mu/beta)^{2R} gap_0: gradient descent on quadratics, step 1/beta",
    sp.And(sp.Le(gap, power * start), sp.Eq(start, first)),
    kind="cited",
)
ACCELERATED = Hypothesis(
    "accelerated",
    "gap_R <= (1 - sqrt(mu/beta))^R (gap_0 + 1/4), (mu/2) norm(w_S)^2 <= 1/4: own:agd_rate",
    sp.And(sp.Le(gap, power * start), sp.Eq(start, first + sp.Rational(1, 4))),
    kind="cited",
)
CORRECTED = Hypothesis(
    "S1",
    "gap_R <= (1 - (13/32) mu/beta)^R (gap_0 + Ev_0/(4 beta)): app:scaffold_gradients at h = 1/(2 beta)",
    sp.And(sp.Le(gap, power * start), sp.Eq(4 * beta * (start - first), controls)),
    kind="cited",
)

LOCAL = Hypothesis(
    "1A",
    "v <= w + a^{-1/2} power (1 + w) and w^2 <= k^2 beta spread/(8 a^2), a = 1 - s/2 >= 1/2, gap_0 <= 1:"
    " app:local_gradients; a^{-1/2} <= sqrt 2",
    sp.And(
        sp.Le(v, w + root * power * (1 + w)),
        sp.Le(8 * a**2 * w**2, k**2 * beta * spread),
        2 * a >= 1,
        w >= 0,
        v >= 0,
        root > 0,
        sp.Eq(root**2, 2),
    ),
    kind="cited",
)
SMALL_STEP = Hypothesis(
    "step",
    "h = K eta server_step <= server_step sqrt(eps/(2 beta spread)), and k = (K-1) eta <= h/server_step",
    sp.And(
        beta > 0,
        spread > 0,
        server > 0,
        k >= 0,
        u > 0,
        sp.Le(k * server, h),
        sp.Le(2 * beta * spread * h**2, server**2 * u**2),
    ),
)
LOCAL_ROUNDS = Hypothesis(
    "rounds",
    "R so large that growth >= 2 sqrt2 (1 + sqrt(eps)/2)/sqrt(eps)",
    sp.Ge(growth * u, 2 * root * (1 + u / 2)),
)


def local_row(name: str, title: str) -> Chain:
    """FedAvg, or LSGD-PFL in its own norm: a half for the bias, a half for the decay."""
    return Chain(
        name=name,
        title=title,
        file=__file__,
        hypotheses=(EXPONENTIAL, LOCAL, SMALL_STEP, LOCAL_ROUNDS),
        steps=(
            Step(
                "drift",
                sp.Le(2 * beta * spread * k**2, u**2),
                ("step",),
                "k <= h/server_step, squared",
                Smt(),
            ),
            Step(
                "bias", sp.Le(w, u / 2), ("drift", "1A", "step"), "4 w^2 <= 2 k^2 beta spread <= u^2", Smt()
            ),
            Step(
                "decay",
                sp.Le(root * power * (1 + u / 2), u / 2),
                ("exponential", "rounds", "1A", "step"),
                "power <= 1/growth",
                Smt(),
            ),
            Step(
                "reached",
                sp.Le(v**2, u**2),
                ("bias", "decay", "1A", "exponential", "step"),
                "a half and a half",
                Smt(),
            ),
            Step(
                "nine tenths",
                sp.Le(v**2, sp.Rational(9, 10) * u**2),
                ("bias", "decay", "1A", "exponential", "step"),
                "nothing is left over",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("reached",),
    )


CHAINS = (
    linear_row(
        "col:convex gradient descent",
        "((n+1)/2) ln(1/eps) rounds of gradient descent reach eps",
        DESCENT,
        sp.Integer(1),
        "gap_0 <= 1",
    ),
    linear_row(
        "col:convex AGD",
        "sqrt(n+1) ln(1.25/eps) rounds of AGD reach eps",
        ACCELERATED,
        sp.Rational(5, 4),
        "1 + 1/4",
    ),
    linear_row(
        "col:convex SCAFFOLD",
        "(32/13)(n+1) ln(1.5/eps) rounds of SCAFFOLD reach eps",
        CORRECTED,
        sp.Rational(3, 2),
        "Ev_0/(4 beta) <= 1/2, as beta >= 2",
    ),
    local_row("col:convex FedAvg", "the step and rounds of FedAvg with full gradients reach eps"),
    local_row("col:convex_per LSGD-PFL", "the step and rounds of LSGD-PFL with full gradients reach eps"),
)
