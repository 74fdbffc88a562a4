"""lem:finite_error, sharpened: from P(fhat = f) <= e^{-kappa n eps_f} to the mean (entropy) and the tail."""

import sympy as sp

from bounds.proofs.chains.lem_finite_error_sharpened import budget, kappa, product, risk
from bounds.proofs.engine.calculus import Tangent
from bounds.proofs.engine.model import At, Chain, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation

Z, chosen, P, eps, n, N, entropy, mean_risk, z, x = reals("Z chosen P eps n N H E_risk z x")
threshold, failure, moment, sample = reals("threshold failure E_discount eps_sample")
log_N = -sp.log(1 / N)

EXPONENTIAL = Hypothesis(
    "exponential moment",
    "E e^{-Z_f} <= e^{-kappa n eps_f}",
    sp.Le(product, sp.exp(-kappa * budget)),
    kind="lemma",
    source="lem:finite_error exponential/all samples",
    renamed={risk: sample},  # of one sample; eps_f is the mean of all n
)
SETTING = Hypothesis(
    "setting",
    "Pi >= 0; 0 < P_f = P(fhat = f) <= 1 where it occurs; N = |F|, n samples",
    sp.And(n > 0, N >= 1, P > 0, P <= 1, eps >= 0, product >= 0),
    declares=(entropy, mean_risk),
    kind="definition",
)
ALL = Hypothesis(
    "all samples",
    "after the last sample: A = n eps_f is the exponent, and E e^{-Z_f} the product Pi of independent factors",
    sp.And(sp.Eq(budget, n * eps), sp.Eq(moment, product)),
    kind="definition",
    once=True,
)
MINIMISER = Hypothesis(
    "exact minimiser",
    "f is chosen (1) only if its empirical excess loss Z_f <= 0, because f* is in F",
    sp.Or(sp.Eq(chosen, 0), sp.And(sp.Eq(chosen, 1), Z <= 0)),
)
REALS = Hypothesis("real numbers", "z and x are any reals", declares=(z, x), kind="definition")
H1 = Hypothesis("H1", "rewards in [0,1] with mean f*")
CLASS = Hypothesis("F in [0,1]", "functions of the class take values in [0,1]")
BAD = Hypothesis(
    "bad functions",
    "the at most N - 1 functions with eps_f >= threshold (f* has eps = 0); failure: their probability",
    sp.And(sp.Ge(eps, threshold), threshold > 0),
    declares=(failure,),
    kind="definition",
)

STEPS = (
    Step(
        "exp increases",
        sp.Ge(sp.exp(z), sp.exp(x) + sp.exp(x) * (z - x)),
        ("real numbers",),
        "tangent at x",
        Tangent(z, x, (sp.exp(z),)),
    ),
    Step(
        "kappa positive",
        kappa * n > 0,
        ("setting",),
        "e^{-1/2} < 1",
        Smt(),
    ),
    Step(
        "exp above its tangent at 0",
        sp.Ge(sp.exp(-z), 1 - z),
        ("real numbers",),
        "tangent at 0",
        Tangent(z, sp.Integer(0), (sp.exp(-z),)),
    ),
    Step(
        "indicator",
        sp.Le(chosen, sp.exp(-Z)),
        ("exact minimiser", At("exp above its tangent at 0", {z: Z})),
        "e^{-Z} >= 1 when Z <= 0, and >= 0 always",
        Smt(),
    ),
    Step(
        "probability",
        sp.Le(P, moment),
        ("indicator", "setting", "exact minimiser", "all samples"),
        "averaged over the data",
        Summation("data", sp.Le(chosen, sp.exp(-Z))),
    ),
    Step(
        "log above its tangent",
        sp.Ge(-sp.log(P), -x - (P - sp.exp(x)) / sp.exp(x)),
        ("setting", "real numbers"),
        "-log is convex; tangent at e^x",
        Tangent(P, sp.exp(x), (1 / P**2,)),
    ),
    Step(
        "risk of one function",
        sp.Le(kappa * n * eps, -sp.log(P)),
        (
            *("probability", "all samples", "exponential moment", "setting"),
            At("log above its tangent", {x: -kappa * budget}),
        ),
        "take logarithms: eps_f <= ln(1/P_f)/(kappa n)",
        Smt(),
    ),
    Step(
        "weighted",
        sp.Le(kappa * n * P * eps, -P * sp.log(P)),
        ("risk of one function", "setting"),
        "times P_f",
        Smt(),
    ),
    Step(
        "mean by entropy",
        sp.Le(kappa * n * mean_risk, entropy),
        ("weighted", "setting"),
        "summed over the class: E risk <= H(fhat)/(kappa n)",
        Summation("function", sp.Le(sp.expand(kappa * n * P * eps), -P * sp.log(P))),
    ),
    Step(
        "entropy of one function",
        sp.Le(-P * sp.log(P), P * log_N - P + 1 / N),
        ("setting",),
        "-P ln P is concave; tangent at 1/N",
        Tangent(P, 1 / N, (1 / P,)),
    ),
    Step(
        "entropy at most ln N",
        sp.Le(entropy, log_N),
        ("entropy of one function", "setting"),
        "summed over N functions",
        Summation("function", sp.Le(-P * sp.log(P), P * log_N - P + 1 / N)),
    ),
    Step(
        "mean",
        sp.Le(kappa * n * mean_risk, log_N),
        ("mean by entropy", "entropy at most ln N"),
        "E risk <= ln|F|/(kappa n)",
        Smt(),
    ),
    Step(
        "a bad function is rare",
        sp.Le(P, sp.exp(-kappa * n * threshold)),
        (
            *("probability", "all samples", "exponential moment"),
            *("setting", "bad functions", "kappa positive"),
            At("exp increases", {z: -kappa * n * threshold, x: -kappa * budget}),
        ),
        "eps_f >= threshold",
        Smt(),
    ),
    Step(
        "tail",
        sp.Le(failure, (N - 1) * sp.exp(-kappa * n * threshold)),
        ("a bad function is rare", "setting", "bad functions"),
        "union over at most N - 1 functions; at threshold = ln((N-1)/delta)/(kappa n) this is delta",
        Summation("bad function", sp.Le(P, sp.exp(-kappa * n * threshold))),
    ),
)

CHAINS = (
    Chain(
        name="lem:finite_error sharpened",
        title="E risk <= H(fhat)/(kappa n) <= ln|F|/(kappa n); tail ln((|F|-1)/delta)/(kappa n)",
        variant="sharpened",
        file=__file__,
        hypotheses=(EXPONENTIAL, ALL, SETTING, MINIMISER, REALS, H1, CLASS, BAD),
        indexed={
            "data": (Z, chosen),
            "function": (P, eps, product, moment, budget, chosen, Z),
            "bad function": (P, eps, product, moment, budget, chosen, Z),
        },
        totals={
            "data": (Total(P, chosen), Total(moment, sp.exp(-Z))),
            "function": (
                Total(1, P),
                Total(N, sp.Integer(1)),
                Total(mean_risk, P * eps),
                Total(-entropy, P * sp.log(P)),
            ),
            "bad function": (Total(failure, P), Total(N - 1, sp.Integer(1))),
        },
        steps=STEPS,
        concludes=("mean", "mean by entropy", "tail"),
    ),
)
