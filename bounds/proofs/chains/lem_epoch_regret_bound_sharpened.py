"""lem:epoch_regret_bound, sharpened: E S[Reg_Q] <= C S/gamma with C = A1 q + A1 (2s + 2cs beta + c g^2/(4s)).

For all c >= 1, all K, all admissible s, t, g. At s = t = 1/(8c): C = 7q/6 + 7/(18c) + 28 c^2 g^2/9.
"""

import sympy as sp

from bounds.proofs.engine.model import At, Chain, Decision, Hypothesis, Step
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary import mixture as mixed
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import THROUGH_BEST, VALUES
from bounds.proofs.vocabulary.earlier import SHIFT, epoch_before
from bounds.proofs.vocabulary.sharpening import (
    A1,
    A2,
    B_PREVIOUS,
    CONSTANTS_SIGNS,
    MEANS,
    MEANS_OF,
    MOVES,
    PARAMETERS,
    C,
    S_previous,
    beta,
    c,
    g,
    gamma,
    gamma_previous,
    joint_split,
    moved,
    q,
    r,
    s,
    t,
    w,
)
from bounds.proofs.vocabulary.transfer import CARRIED, CHOSEN, LEARNING_RATE, V_UPPER, summed

F = sp.Rational
tail = (
    2 * s * w + 2 * s * r * at.ratio_max * at.b_previous + gamma / (4 * s) * at.ratio_max * at.previous_error
)
one = at.reghat + s / gamma * (at.inverse + at.inverse_star) + gamma / (4 * s) * at.error
every = at.sum_reghat + s / gamma * (at.sum_inverse + at.sum_inverse_star) + gamma / (4 * s) * at.sum_error
SPLIT = joint_split(
    "split, best", "pi against pi*", (at.bias, at.inverse), (at.bias_star, at.inverse_star), s
)
EARLIER = Hypothesis(
    "one epoch earlier",
    "E b_previous <= beta S_previous / gamma_previous",
    sp.Le(at.mean_b_previous, beta * S_previous / gamma_previous),
    kind="lemma",
    source="lem:true_virtual_loss sharpened/b in every epoch",
    renamed=SHIFT,
)
SPECIAL = Hypothesis(
    "s = t = 1/(8c)",
    "the paper's split",
    sp.And(sp.Eq(s, 1 / (8 * c)), sp.Eq(t, 1 / (8 * c))),
    kind="special",
)
special = 7 * q / 6 + 7 / (18 * c) + 28 * c**2 * g**2 / 9
GAINED = A1 * (q * w + tail)
SMT_BASICS = ("A1 at least 1", "rates", "ratios", "parameters")

STEPS = (
    Step(
        "one agent",
        sp.Le(at.reg, one),
        ("through the best policy", "split, best", "estimated regrets", "parameters", "rates"),
        "the joint split of Delta(pi) - Delta(pi*); -Reghat(pi*) <= 0",
        Smt(),
    ),
    summed(
        "all agents",
        sp.Le(at.sum_reg, every),
        sp.Le(at.length * at.reg, sp.expand(at.length * one)),
        ("H2", "one agent", "parameters", "rates"),
        "weights E",
    ),
    moved("V at pi", at.sum_inverse, at.sum_reg, "", "lem:V_upper, then the previous epoch, then H5"),
    Step(
        "V at the best",
        sp.Le(at.sum_inverse_star / gamma, w + r * at.ratio_max * at.b_previous),
        (*(At(n, point="star") for n in MOVES), "rates", "ratios"),
        "pi* has no regret",
        Smt(),
    ),
    Step(
        "every policy",
        sp.Le(at.sum_reg, A1 * (at.sum_reghat + tail)),
        ("all agents", "V at pi", "V at the best", "error carried", *SMT_BASICS),
        "c s A2 S[Reg] is absorbed on the left",
        Smt(),
    ),
    Step(
        "the mixture",
        sp.Le(mixed.sum_mixture, A1 * (mixed.sum_mixture_reghat + tail)),
        ("every policy", "mixtures", *SMT_BASICS),
        "averaged over Q",
        Summation("policy", sp.Le(at.sum_reg, sp.expand(A1 * (at.sum_reghat + tail)))),
    ),
    mixed.ESTIMATED,
    Step(
        "given the data",
        sp.Le(mixed.sum_mixture, GAINED),
        ("the mixture", "estimated regret of the mixture", *SMT_BASICS),
        "put together",
        Smt(),
    ),
    Step(
        "mean",
        sp.Le(mixed.mean_mixture, GAINED.subs(MEANS_OF)),
        ("H2", "H4", "given the data", "mixtures", "rates", "parameters"),
        "lengths and rates do not depend on the data",
        Summation("data", sp.Le(mixed.sum_mixture, sp.expand(GAINED))),
    ),
    Step(
        "epoch regret",
        sp.Le(mixed.mean_mixture, C * w),
        ("mean", "one epoch earlier", *MEANS, "A1 at least 1"),
        "A1 (q + 2s + 2cs beta + c g^2/(4s)) = C",
        Smt(),
    ),
    Step(
        "a smaller constant",
        sp.Le(mixed.mean_mixture, F(9, 10) * C * w),
        ("mean", "one epoch earlier", *MEANS, "A1 at least 1"),
        "these steps do not give nine tenths of it",
        Smt(),
        expect=Decision.REFUTED,
    ),
    Step(
        "special split",
        sp.And(sp.Eq(A2, F(8, 7)), sp.Eq(A1, F(7, 6)), sp.Eq(C, special)),
        ("parameters", "s = t = 1/(8c)"),
        "c t = 1/8, c s A2 = 1/7",
        Smt(),
    ),
    Step(
        "special split, g = 1",
        sp.Le(mixed.mean_mixture, F(14, 3) * c**2 * w),
        ("epoch regret", "special split", "parameters", "g = 1", "s = t = 1/(8c)", "arms positive", "rates"),
        "7/6 + 7/18 + 28/9 = 14/3",
        Smt(),
    ),
    Step("signs", sp.And(c >= 1, g > 0, q >= 0), ("parameters",), "admissible", Smt()),
    Step(
        "best multiplier",
        sp.Ge(special / g, F(14, 9) * sp.sqrt(2 * c * (3 * c * q + 1))),
        ("signs",),
        "AM-GM: no g does better with this split",
        Smt(),
    ),
    Step(
        "best multiplier attained",
        sp.Eq(special / g, F(14, 9) * sp.sqrt(2 * c * (3 * c * q + 1))),
        ("signs", "best g"),
        "g^2 = (3cq+1)/(8c^3)",
        Smt(),
    ),
)

CHAINS = (
    Chain(
        name="lem:epoch_regret_bound sharpened",
        title="E S[Reg_Q] <= C S/gamma, for all admissible c, K, s, t, g",
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
                VALUES,
            ),
            *(
                mixed.NAMES,
                mixed.LARGEST,
                mixed.Q_LOSS,
                mixed.DECOMPOSED,
                CHOSEN,
                V_UPPER,
                LEARNING_RATE,
                SPLIT,
                B_PREVIOUS,
                EARLIER,
                epoch_before(),
            ),
            SPECIAL,
            Hypothesis("g = 1", "the paper's learning rate", sp.Eq(g, 1), kind="special"),
            Hypothesis(
                "best g", "the best multiplier", sp.Eq(8 * c**3 * g**2, 3 * c * q + 1), kind="special"
            ),
        ),
        indexed=mixed.INDEXED,
        totals=mixed.TOTALS,
        points={"star": at.STAR},
        steps=(THROUGH_BEST, *CARRIED, *CONSTANTS_SIGNS, *STEPS),
        concludes=("epoch regret", "special split", "best multiplier attained"),
    ),
)
