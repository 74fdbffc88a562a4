"""own:covering: kappa n E risk(g) <= ln N + 2 n eps for the neighbour g of fhat in a net of N functions; Minkowski.

As lem:finite_error, where fhat itself is in the list; here its neighbour g has an empirical excess loss of at most
2 n eps.
"""

import sympy as sp

from bounds.proofs.chains.lem_finite_error_mean import (
    ALL,
    CLASS,
    EXPONENTIAL,
    H1,
    REALS,
    SETTING,
    STEPS,
    N,
    P,
    Z,
    budget,
    chosen,
    entropy,
    eps,
    kappa,
    log_N,
    mean_risk,
    moment,
    n,
    product,
    x,
    z,
)
from bounds.proofs.engine.model import At, Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Identity, Smt, Summation

f, g, r, u, loss_f, loss_g, Z_f, radius, shift, growth, root, root_g, bound = reals(
    "f g r u l_f l_g Z_f radius shift growth root root_g bound"
)

PAIR = Hypothesis(
    "neighbours",
    "g in the net; f = fhat if g is its neighbour, else f = g; both, and rewards, in [0,1], abs(f - g) <= radius",
    sp.And(
        *(v >= 0 for v in (f, g, r, u, radius)),
        *(v <= 1 for v in (f, g, r, u)),
        f - g <= radius,
        g - f <= radius,
    ),
)
LOSSES = Hypothesis(
    "losses",
    "excess losses of one sample; Z and Z_f are their sums over the n samples",
    sp.And(
        sp.Eq(loss_f, (f - r) ** 2 - (u - r) ** 2),
        sp.Eq(loss_g, (g - r) ** 2 - (u - r) ** 2),
    ),
    kind="definition",
)
SHIFT = Hypothesis(
    "shift",
    "shift = 2 n radius, growth = e^shift",
    sp.And(sp.Eq(shift, 2 * n * radius), sp.Eq(growth, sp.exp(shift))),
    kind="definition",
)
CHOSEN = Hypothesis(
    "exact minimiser",
    "g is chosen (1) only if it is the neighbour of fhat, whose empirical excess loss is at most 0: f* is in F",
    sp.Or(sp.Eq(chosen, 0), sp.And(sp.Eq(chosen, 1), Z_f <= 0)),
)
ROOTS = Hypothesis(
    "roots",
    "root^2 and root_g^2 are the mean excess risks of fhat and of its neighbour; kappa n bound^2 = ln N + 2 n radius",
    sp.And(
        root >= 0,
        root_g >= 0,
        bound >= 0,
        sp.Eq(root_g**2, mean_risk),
        sp.Eq(kappa * n * bound**2, log_N + shift),
    ),
    kind="definition",
)
MINKOWSKI = Hypothesis("Minkowski", "root <= root_g + radius", sp.Le(root, root_g + radius), kind="cited")
USED = (
    "exp above its tangent at 0",
    "kappa positive",
    "log above its tangent",
    "entropy of one function",
    "entropy at most ln N",
)
exponent = shift - kappa * budget

CHAINS = (
    Chain(
        name="own:covering",
        title="sqrt(e) <= sqrt((ln N + 2 n radius)/(kappa n)) + radius",
        file=__file__,
        hypotheses=(
            EXPONENTIAL,
            ALL,
            SETTING,
            CHOSEN,
            REALS,
            H1,
            CLASS,
            PAIR,
            LOSSES,
            SHIFT,
            ROOTS,
            MINKOWSKI,
        ),
        indexed={
            "sample": (f, g, r, u, loss_f, loss_g),
            "data": (Z, Z_f, chosen),
            "function": (P, eps, product, moment, budget, chosen, Z, Z_f),
        },
        totals={
            "sample": (Total(n, sp.Integer(1)), Total(Z, loss_g), Total(Z_f, loss_f)),
            "data": (Total(P, chosen), Total(moment, sp.exp(-Z))),
            "function": (
                Total(1, P),
                Total(N, sp.Integer(1)),
                Total(mean_risk, P * eps),
                Total(-entropy, P * sp.log(P)),
            ),
        },
        steps=(
            *(step for step in STEPS if step.name in USED),
            Step(
                "one sample",
                sp.Le(loss_g, loss_f + 2 * radius),
                ("neighbours", "losses"),
                "(g - f)(g + f - 2r) <= 2 radius",
                Smt(),
            ),
            Step(
                "less than 2 radius",
                sp.Le(loss_g, loss_f + sp.Rational(19, 10) * radius),
                ("neighbours", "losses"),
                "attained at f = r = 0, g = 1",
                Smt(),
                expect=Decision.REFUTED,
            ),
            Step(
                "summed over samples",
                sp.Le(Z, Z_f + 2 * n * radius),
                ("one sample", "neighbours", "losses"),
                "n samples",
                Summation("sample", sp.Le(loss_g, loss_f + 2 * radius)),
            ),
            Step(
                "split",
                sp.Eq(growth * sp.exp(-Z), sp.exp(shift - Z)),
                ("shift", "summed over samples"),
                "exponents add",
                Identity(),
            ),
            Step(
                "indicator",
                sp.Le(chosen, growth * sp.exp(-Z)),
                (
                    *("exact minimiser", "summed over samples", "split", "shift"),
                    At("exp above its tangent at 0", {z: Z - shift}),
                ),
                "e^{shift - Z} >= 1 when Z <= shift, and > 0 always",
                Smt(),
            ),
            Step(
                "probability",
                sp.Le(P, growth * moment),
                ("indicator", "setting", "all samples"),
                "averaged over the data",
                Summation("data", sp.Le(chosen, growth * sp.exp(-Z))),
            ),
            Step(
                "exponents",
                sp.Eq(growth * sp.exp(-kappa * budget), sp.exp(exponent)),
                ("shift", "all samples"),
                "exponents add",
                Identity(),
            ),
            Step("growth positive", growth > 0, ("shift",), "an exponential", Smt()),
            Step(
                "risk of one function",
                sp.Le(kappa * n * eps, -sp.log(P) + shift),
                (
                    *(
                        "probability",
                        "all samples",
                        "exponential moment",
                        "setting",
                        "exponents",
                        "growth positive",
                    ),
                    At("log above its tangent", {x: exponent}),
                ),
                "take logarithms",
                Smt(),
            ),
            Step(
                "weighted",
                sp.Le(kappa * n * P * eps, -P * sp.log(P) + shift * P),
                ("risk of one function", "setting"),
                "times P_g",
                Smt(),
            ),
            Step(
                "mean by entropy",
                sp.Le(kappa * n * mean_risk, entropy + shift),
                ("weighted", "setting"),
                "summed over the net",
                Summation("function", sp.Le(sp.expand(kappa * n * P * eps), -P * sp.log(P) + shift * P)),
            ),
            Step(
                "neighbour",
                sp.Le(root_g, bound),
                ("mean by entropy", "entropy at most ln N", "roots", "kappa positive"),
                "kappa n root_g^2 <= kappa n bound^2",
                Smt(),
            ),
            Step(
                "excess risk",
                sp.Le(root, bound + radius),
                ("neighbour", "Minkowski"),
                "fhat is within radius of its neighbour",
                Smt(),
            ),
        ),
        concludes=("excess risk",),
    ),
)
