"""The sharpened induction: E sup_pi S[Reghat - A2 Reg] <= beta S/gamma in every epoch.

For all c >= 1, all K, all t, g with 2ct < 1: A2 = 1/(1 - ct), beta = (2t + c g^2/(4t))/(1 - 2ct).
Only one inequality is inducted: the term -Reg(pihat) pays for the greedy policy.
"""

import sympy as sp

from bounds.proofs.engine.model import At, Chain, Decision, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Induction, Smt, Summation, Supremum
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import THROUGH_GREEDY, VALUES
from bounds.proofs.vocabulary.sharpening import (
    A2,
    B_PREVIOUS,
    CONSTANTS_SIGNS,
    MEANS,
    MEANS_OF,
    PARAMETERS,
    S,
    S_previous,
    beta,
    c,
    g,
    gamma,
    gamma_previous,
    joint_split,
    moved,
    r,
    t,
    w,
)
from bounds.proofs.vocabulary.transfer import CARRIED, CHOSEN, LEARNING_RATE, V_UPPER, summed

first_b, first_S, first_gamma = reals("Eb_first S_first gamma_first")
bound = (
    2 * t * w + 2 * t * r * at.ratio_max * at.b_previous + gamma / (4 * t) * at.ratio_max * at.previous_error
)
one = at.reg - at.reg_hat + t / gamma * (at.inverse_hat + at.inverse) + gamma / (4 * t) * at.error
every = (
    at.sum_reg
    - at.sum_reg_hat
    + t / gamma * (at.sum_inverse_hat + at.sum_inverse)
    + gamma / (4 * t) * at.sum_error
)
SPLIT = joint_split(
    "split, greedy", "pihat against pi", (at.bias_hat, at.inverse_hat), (at.bias, at.inverse), t
)
ASSUMED = Hypothesis(
    "one epoch earlier",
    "E b_previous <= beta S_previous / gamma_previous",
    sp.Le(at.mean_b_previous, beta * S_previous / gamma_previous),
    kind="induction",
)
FIRST = Hypothesis(
    "first epoch",
    "fhat^1 = 0, so Reghat^1 = 0 and b^1 = sup -A2 S[Reg] = 0",
    sp.And(sp.Eq(first_b, 0), first_S >= 0, first_gamma > 0),
    kind="definition",
)
NAMES = Hypothesis("sums", "names of the sums and means", declares=(at.b,), kind="definition")

STEPS = (
    Step(
        "one agent",
        sp.Le(at.reghat, one),
        ("through the greedy policy", "split, greedy", "parameters", "rates"),
        "the joint split of Delta(pihat) - Delta(pi); -Reg(pihat) is kept",
        Smt(),
    ),
    summed(
        "all agents",
        sp.Le(at.sum_reghat, every),
        sp.Le(at.length * at.reghat, sp.expand(at.length * one)),
        ("H2", "one agent", "parameters", "rates"),
        "weights E",
    ),
    moved("V at pi", at.sum_inverse, at.sum_reg, "", "lem:V_upper, then the previous epoch, then H5"),
    moved("V at the greedy", at.sum_inverse_hat, at.sum_reg_hat, "hat", "the same at pihat"),
    Step(
        "every policy",
        sp.Le(at.sum_reghat - A2 * at.sum_reg, bound),
        (
            *("all agents", "V at pi", "V at the greedy", "error carried", "A2 at least 1"),
            *(At("regret non-negative", point="hat"), "rates", "ratios", "parameters"),
        ),
        "-S[Reg(pihat)] absorbs the pihat term because c t A2 <= 1; and 1 + c t A2 = A2",
        Smt(),
    ),
    Step(
        "supremum",
        sp.Le(at.b, bound),
        ("every policy", "rates", "ratios", "parameters"),
        "no policy on the right",
        Supremum(at.b),
    ),
    Step(
        "mean",
        sp.Le(at.mean_b, bound.subs(MEANS_OF)),
        ("H2", "H4", "supremum", "sums", "rates", "parameters"),
        "lengths and rates do not depend on the data",
        Summation("data", sp.Le(at.b, sp.expand(bound))),
    ),
    Step(
        "closes",
        sp.Le(at.mean_b, beta * w),
        ("mean", "one epoch earlier", *MEANS),
        "2t + 2ct beta + c g^2/(4t) = beta",
        Smt(),
    ),
    Step(
        "below beta",
        sp.Le(at.mean_b, (beta - t) * w),
        ("mean", "one epoch earlier", *MEANS),
        "the induction does not close below beta",
        Smt(),
        expect=Decision.REFUTED,
    ),
    Step(
        "first epoch closes",
        sp.Le(first_b, beta * first_S / first_gamma),
        ("first epoch", "beta positive"),
        "0 is at most anything non-negative",
        Smt(),
    ),
    Step(
        "b in every epoch",
        sp.Le(at.mean_b, beta * w),
        ("first epoch closes", "closes"),
        "induction over epochs",
        Induction(
            "one epoch earlier",
            "first epoch closes",
            "closes",
            later={at.mean_b_previous: at.mean_b, S_previous: S, gamma_previous: gamma, **at.NEXT},
            first={at.mean_b_previous: first_b, S_previous: first_S, gamma_previous: first_gamma},
        ),
    ),
    Step(
        "beta at t = 1/(8c)",
        sp.Eq(beta, 1 / (3 * c) + 8 * c**2 * g**2 / 3),
        ("parameters", "t = 1/(8c)"),
        "(1/(4c) + 2 c^2 g^2) / (3/4)",
        Smt(),
    ),
)

CHAINS = (
    Chain(
        name="lem:true_virtual_loss sharpened",
        title="E sup_pi S[Reghat - A2 Reg] <= beta S/gamma",
        variant="sharpened",
        file=__file__,
        hypotheses=(
            *(
                at.H1,
                at.H2,
                at.H3,
                at.H4,
                at.H5,
                at.RATES,
                at.RATIOS,
                at.ARMS,
                at.SOMEONE,
                at.GREEDY,
                PARAMETERS,
            ),
            *(VALUES, NAMES, CHOSEN, V_UPPER, LEARNING_RATE, SPLIT, B_PREVIOUS, ASSUMED, FIRST),
            Hypothesis("t = 1/(8c)", "the paper's split", sp.Eq(t, 1 / (8 * c)), kind="special"),
        ),
        indexed=at.INDEXED,
        totals={"agent": at.AGENT, "data": at.DATA},
        suprema={
            at.b: ("policy", at.sum_reghat - A2 * at.sum_reg),
            at.b_previous: ("policy", at.previous_reghat - A2 * at.previous_reg),
        },
        points={"star": at.STAR, "hat": at.HAT},
        steps=(THROUGH_GREEDY, *CARRIED, *CONSTANTS_SIGNS, *STEPS),
        concludes=("b in every epoch",),
    ),
)
