"""Variant best of lem:finite_error: any certified kappa and Chernoff exponent th give E risk <= ln|F|/(kappa n).

The certificate (bounds.constants.kappa) is E e^{-th l} <= 1 - kappa D^2 for every context, arm and reward law.
"""

from __future__ import annotations

import sympy as sp

from bounds.best.symbols import assume, inherited, lemma, smt
from bounds.proofs import At, Chain, Hypothesis, Identity, Induction, Step, Summation, Total, reals
from bounds.proofs.engine.calculus import Tangent

kappa, th, D, discount, factor, eps, z, x = reals("kappa th D discount factor eps z x")
Pi, Pi_before, Pi_first, A, A_before, A_first = reals("Pi Pi_before Pi_0 A A_before A_0")
Z, chosen, P, n, N, entropy, mean_risk, moment = reals("Z chosen P n N H E_risk E_discount")
# eps of the moment is that of one sample, which may have a law of its own; eps_f is the mean of all n.
OF_A_SAMPLE = {eps: reals("eps_sample")[0]}
log_N = -sp.log(1 / N)

SAMPLES = (
    Hypothesis(
        "certificate",
        "E e^{-th l} <= 1 - kappa D^2 at every context and arm, by interval arithmetic",
        sp.Le(discount, 1 - kappa * D**2),
        fixes={"context and arm": (kappa,)},
    ),
    assume("samples", "independent samples", Pi_before >= 0, factor >= 0, sp.Eq(Pi, Pi_before * factor)),
    assume("budget", "A = n eps_f, one sample after another", sp.Eq(A, A_before + eps)),
    assume("no sample", "nothing yet", sp.Eq(A_first, 0), sp.Eq(Pi_first, 1)),
)
EXPONENTIAL = Chain(
    name="best: exponential moment",
    title="E e^{-th Z_f} <= e^{-kappa n eps_f}",
    file=__file__,
    variant="best",
    hypotheses=(
        *SAMPLES,
        Hypothesis(
            "one sample fewer", "induction", sp.Le(Pi_before, sp.exp(-kappa * A_before)), kind="induction"
        ),
        Hypothesis("reals", "z is any real", declares=(z, eps, kappa), kind="definition"),
    ),
    steps=(
        Step(
            "one sample",
            sp.Le(factor, 1 - kappa * eps),
            ("certificate", "samples", "reals"),
            "averaged over contexts and arms; eps = E D^2",
            Summation("context and arm", sp.Le(discount, 1 - kappa * D**2)),
        ),
        Step(
            "below the exponential",
            sp.Le(1 - z, sp.exp(-z)),
            ("reals",),
            "tangent at 0",
            Tangent(z, sp.Integer(0), (sp.exp(-z),)),
        ),
        smt(
            "one sample, exponential",
            sp.Le(factor, sp.exp(-kappa * eps)),
            ("one sample", At("below the exponential", {z: kappa * eps})),
            "1 - z <= e^{-z}",
        ),
        Step(
            "exponents add",
            sp.Eq(sp.exp(-kappa * A_before) * sp.exp(-kappa * eps), sp.exp(-kappa * A)),
            ("budget", "reals"),
            "A = A_before + eps",
            Identity(),
        ),
        Step("e^0", sp.Eq(sp.exp(-kappa * A_first), 1), ("no sample", "reals"), "A_0 = 0", Identity()),
        smt(
            "one sample more",
            sp.Le(Pi, sp.exp(-kappa * A)),
            ("samples", "one sample fewer", "one sample, exponential", "exponents add"),
            "multiply",
        ),
        smt("no sample yet", sp.Le(Pi_first, sp.exp(-kappa * A_first)), ("no sample", "e^0"), "1 <= e^0"),
        Step(
            "all samples",
            sp.Le(Pi, sp.exp(-kappa * A)),
            ("no sample yet", "one sample more"),
            "induction over the samples, whatever law each has",
            Induction(
                "one sample fewer",
                "no sample yet",
                "one sample more",
                later={Pi_before: Pi, A_before: A},
                first={Pi_before: Pi_first, A_before: A_first},
            ),
        ),
    ),
    concludes=("all samples",),
    indexed={"context and arm": (D, discount)},
    totals={"context and arm": (Total(1, sp.Integer(1)), Total(factor, discount), Total(eps, D**2))},
)

MEAN = Chain(
    name="best: mean excess risk",
    title="E risk <= H(fhat)/(kappa n) <= ln|F|/(kappa n)",
    file=__file__,
    variant="best",
    hypotheses=(
        lemma(
            "exponential moment",
            "E e^{-th Z_f} <= e^{-kappa n eps_f}",
            sp.Le(Pi, sp.exp(-kappa * A)),
            "best: exponential moment/all samples",
            OF_A_SAMPLE,
        ),
        *inherited(SAMPLES, OF_A_SAMPLE),
        Hypothesis(
            "all samples",
            "after the last: A = n eps_f, and E e^{-th Z_f} is the product Pi of independent factors",
            sp.And(sp.Eq(A, n * eps), sp.Eq(moment, Pi)),
            once=True,
        ),
        Hypothesis(
            "setting",
            "0 < P_f <= 1 where f occurs; N = |F|; kappa, th > 0",
            sp.And(n > 0, N >= 1, P > 0, P <= 1, eps >= 0, kappa > 0, th > 0),
            declares=(entropy, mean_risk),
            fixes={"data": (th,), "function": (kappa, n, N)},
            kind="definition",
        ),
        assume(
            "exact minimiser",
            "f is chosen only if its empirical excess loss Z_f <= 0, because f* is in F",
            sp.Or(sp.Eq(chosen, 0), sp.And(sp.Eq(chosen, 1), Z <= 0)),
        ),
        Hypothesis("reals", "z and x are any reals", declares=(z, x), kind="definition"),
    ),
    steps=(
        Step(
            "exp above its tangent",
            sp.Ge(sp.exp(-z), 1 - z),
            ("reals",),
            "tangent at 0",
            Tangent(z, sp.Integer(0), (sp.exp(-z),)),
        ),
        smt(
            "indicator",
            sp.Le(chosen, sp.exp(-th * Z)),
            ("exact minimiser", "setting", At("exp above its tangent", {z: th * Z})),
            "e^{-th Z} >= 1 when Z <= 0, and >= 0 always",
        ),
        Step(
            "probability",
            sp.Le(P, moment),
            ("indicator", "setting", "exact minimiser", "all samples"),
            "averaged over the data",
            Summation("data", sp.Le(chosen, sp.exp(-th * Z))),
        ),
        Step(
            "log above its tangent",
            sp.Ge(-sp.log(P), -x - (P - sp.exp(x)) / sp.exp(x)),
            ("setting", "reals"),
            "-log is convex; tangent at e^x",
            Tangent(P, sp.exp(x), (1 / P**2,)),
        ),
        smt(
            "risk of one function",
            sp.Le(kappa * n * eps, -sp.log(P)),
            (
                *("probability", "all samples", "exponential moment", "setting"),
                At("log above its tangent", {x: -kappa * A}),
            ),
            "take logarithms",
        ),
        smt(
            "weighted",
            sp.Le(kappa * n * P * eps, -P * sp.log(P)),
            ("risk of one function", "setting"),
            "times P_f",
        ),
        Step(
            "mean by entropy",
            sp.Le(kappa * n * mean_risk, entropy),
            ("weighted", "setting"),
            "summed over the class",
            Summation("function", sp.Le(kappa * n * P * eps, -P * sp.log(P))),
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
        smt(
            "mean",
            sp.Le(kappa * n * mean_risk, log_N),
            ("mean by entropy", "entropy at most ln N"),
            "E risk <= ln|F|/(kappa n)",
        ),
    ),
    concludes=("mean",),
    indexed={"data": (Z, chosen), "function": (P, eps, Pi, moment, A, chosen, Z)},
    totals={
        "data": (Total(P, chosen), Total(moment, sp.exp(-th * Z))),
        "function": (
            Total(1, P),
            Total(N, sp.Integer(1)),
            Total(mean_risk, P * eps),
            Total(-entropy, P * sp.log(P)),
        ),
    },
)

CHAINS = (EXPONENTIAL, MEAN)
