"""lem:finite_error, sharpened, first half: E e^{-Z_f} <= e^{-kappa n eps_f}, kappa = 1 - e^{-1/2}.

D = f - f*, u = f*, loss l = D^2 + 2D(u - r). Hoeffding gives E e^{-l} <= e^{-D^2/2}, the chord on [0,1]
gives E e^{-l} <= 1 - kappa D^2, and independence multiplies the samples.
"""

import sympy as sp

from bounds.proofs.engine.calculus import Chord, Tangent
from bounds.proofs.engine.model import At, Chain, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Identity, Induction, Smt, Summation

D, u, r, s, z, y = reals("D u r s_reward z y")
discount, front, mgf, mean_discount, risk, factor = reals("discount front mgf discount_mean eps factor")
product, product_before, product_first, budget, budget_before, budget_first = reals(
    "Pi Pi_before Pi_0 A A_before A_0"
)
kappa = 1 - sp.exp(-sp.Rational(1, 2))
bernoulli = 1 - u + u * sp.exp(s)
weight = u * sp.exp(s) / bernoulli
exponent = u * s + s**2 / 8

H1 = Hypothesis("H1", "rewards in [0,1] with mean u = f*", sp.And(r >= 0, r <= 1, u >= 0, u <= 1))
CLASS = Hypothesis("F in [0,1]", "|D| <= 1, so y = D^2 lies in [0,1]", sp.And(D >= -1, D <= 1))
REALS = Hypothesis("real numbers", "s and z are any reals", declares=(s, z), kind="definition")
UNIT = Hypothesis("unit interval", "y is any number of [0,1]", sp.And(y >= 0, y <= 1), kind="definition")
DISCOUNT = Hypothesis(
    "discount",
    "discount = e^{-l} with l = D^2 + 2D(u - r); front = e^{-D^2 - 2Du}, s = 2D, mgf = E e^{sr}",
    sp.And(
        sp.Eq(discount, sp.exp(-(D**2) - 2 * D * (u - r))),
        sp.Eq(front, sp.exp(-(D**2) - 2 * D * u)),
        sp.Eq(s, 2 * D),
    ),
    declares=(mgf, mean_discount, factor, risk),
    kind="definition",
)
SAMPLES = Hypothesis(
    "independent samples",
    "Pi = Pi_before * factor (the mean of a product of independent samples), A = A_before + eps",
    sp.And(
        *(sp.Eq(product, product_before * factor), sp.Eq(budget, budget_before + risk)),
        *(factor >= 0, product_before >= 0),
    ),
    kind="definition",
)
NONE = Hypothesis(
    "no sample",
    "the empty product",
    sp.And(sp.Eq(product_first, 1), sp.Eq(budget_first, 0)),
    kind="definition",
)
ASSUMED = Hypothesis(
    "one sample fewer",
    "Pi_before <= e^{-kappa A_before}",
    sp.Le(product_before, sp.exp(-kappa * budget_before)),
    kind="induction",
)

HOEFFDING = (
    Step(
        "convex in the reward",
        sp.Le(sp.exp(s * r), 1 - r + r * sp.exp(s)),
        ("H1", "real numbers"),
        "e^{sr} lies below its chord on [0,1]",
        Chord(r, sp.Integer(0), sp.Integer(1), (s**2, sp.exp(s * r))),
    ),
    Step(
        "worst reward is Bernoulli",
        sp.Le(mgf, bernoulli),
        ("H1", "convex in the reward", "discount"),
        "averaged over the reward, whose mean is u",
        Summation("reward", sp.Le(sp.exp(s * r), sp.expand(1 - r + r * sp.exp(s)))),
    ),
    Step(
        "log of the Bernoulli",
        sp.Le(sp.log(bernoulli), exponent),
        ("H1", "real numbers"),
        "value and slope agree at 0; the second derivatives differ by (w - 1/2)^2",
        Tangent(s, sp.Integer(0), ((weight - sp.Rational(1, 2)) ** 2,)),
    ),
    Step(
        "exp above its tangent",
        sp.Ge(sp.exp(z), bernoulli + bernoulli * (z - sp.log(bernoulli))),
        ("H1", "real numbers"),
        "tangent at log of the Bernoulli",
        Tangent(z, sp.log(bernoulli), (sp.exp(z),)),
    ),
    Step(
        "Hoeffding",
        sp.Le(mgf, sp.exp(exponent)),
        (
            "H1",
            "worst reward is Bernoulli",
            "log of the Bernoulli",
            At("exp above its tangent", {z: exponent}),
        ),
        "E e^{s r} <= e^{us + s^2/8}",
        Smt(),
    ),
)
ONE_SAMPLE = (
    Step("factorised", sp.Eq(discount, front * sp.exp(s * r)), ("discount", "H1"), "e^{-l}", Identity()),
    Step(
        "averaged over the reward",
        sp.Eq(mean_discount, front * mgf),
        ("factorised", "discount"),
        "front does not depend on the reward",
        Summation("reward", sp.Eq(discount, front * sp.exp(s * r))),
    ),
    Step(
        "exponents add",
        sp.Eq(front * sp.exp(exponent), sp.exp(-(D**2) / 2)),
        ("discount", "H1"),
        "-D^2 - 2Du + 2Du + D^2/2",
        Identity(),
    ),
    Step("front positive", front > 0, ("discount",), "an exponential", Smt()),
    Step(
        "one reward",
        sp.Le(mean_discount, sp.exp(-(D**2) / 2)),
        ("averaged over the reward", "exponents add", "front positive", "Hoeffding"),
        "Hoeffding at s = 2D",
        Smt(),
    ),
    Step(
        "chord",
        sp.Le(sp.exp(-y / 2), 1 - kappa * y),
        ("unit interval",),
        "e^{-y/2} lies below its chord on [0,1]: this is where kappa = 1 - e^{-1/2} comes from",
        Chord(y, sp.Integer(0), sp.Integer(1), (sp.Rational(1, 4), sp.exp(-y / 2))),
    ),
    Step(
        "one context and arm",
        sp.Le(mean_discount, 1 - kappa * D**2),
        ("F in [0,1]", "one reward", At("chord", {y: D**2})),
        "the chord at y = D^2",
        Smt(),
    ),
    Step(
        "one sample",
        sp.Le(factor, 1 - kappa * risk),
        ("F in [0,1]", "one context and arm", "discount"),
        "averaged over contexts and arms; eps = E D^2",
        Summation("context and arm", sp.Le(mean_discount, sp.expand(1 - kappa * D**2))),
    ),
    Step(
        "below the exponential",
        sp.Le(1 - z, sp.exp(-z)),
        ("real numbers",),
        "tangent at 0",
        Tangent(z, sp.Integer(0), (sp.exp(-z),)),
    ),
    Step(
        "one sample, exponential",
        sp.Le(factor, sp.exp(-kappa * risk)),
        ("one sample", At("below the exponential", {z: kappa * risk})),
        "1 - z <= e^{-z}",
        Smt(),
    ),
)
ALL_SAMPLES = (
    Step(
        "exponents of samples add",
        sp.Eq(sp.exp(-kappa * budget_before) * sp.exp(-kappa * risk), sp.exp(-kappa * budget)),
        ("independent samples",),
        "A = A_before + eps",
        Identity(),
    ),
    Step(
        "one sample more",
        sp.Le(product, sp.exp(-kappa * budget)),
        ("independent samples", "one sample fewer", "one sample, exponential", "exponents of samples add"),
        "multiply",
        Smt(),
    ),
    Step(
        "no sample yet",
        sp.Le(product_first, sp.exp(-kappa * budget_first)),
        ("no sample", "empty exponent"),
        "1 <= e^0",
        Smt(),
    ),
    Step(
        "all samples",
        sp.Le(product, sp.exp(-kappa * budget)),
        ("no sample yet", "one sample more"),
        "E e^{-Z} <= e^{-kappa n eps_f}: induction over samples, whatever law each has",
        Induction(
            "one sample fewer",
            "no sample yet",
            "one sample more",
            later={product_before: product, budget_before: budget},
            first={product_before: product_first, budget_before: budget_first},
        ),
    ),
)

CHAINS = (
    Chain(
        name="lem:finite_error exponential",
        title="E e^{-Z_f} <= e^{-kappa n eps_f}",
        variant="sharpened",
        file=__file__,
        hypotheses=(H1, CLASS, REALS, UNIT, DISCOUNT, SAMPLES, NONE, ASSUMED),
        indexed={"reward": (r, discount), "context and arm": (D, u, mean_discount, front, mgf, s)},
        totals={
            "reward": (
                Total(1, sp.Integer(1)),
                Total(u, r),
                Total(mgf, sp.exp(s * r)),
                Total(mean_discount, discount),
            ),
            "context and arm": (Total(1, sp.Integer(1)), Total(factor, mean_discount), Total(risk, D**2)),
        },
        steps=(
            *HOEFFDING,
            *ONE_SAMPLE,
            *ALL_SAMPLES[:1],
            Step(
                "empty exponent",
                sp.Eq(sp.exp(-kappa * budget_first), 1),
                ("no sample",),
                "e^0 = 1",
                Identity(),
            ),
            *ALL_SAMPLES[1:],
        ),
        concludes=("all samples",),
    ),
)
