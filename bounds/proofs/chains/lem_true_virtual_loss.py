"""lem:true_virtual_loss, repaired: E sup S[Reg - 2 Reghat] and E sup S[Reghat - 2 Reg] are <= 9c^2 S/gamma.

The printed lemma is for a fixed policy and is applied to data-dependent ones (erratum E1). With the supremum
inside the expectation the paper's constants survive: 26/3 and 35/4, both below 9. Here g = 1.
"""

import sympy as sp

from bounds.proofs.engine.model import At, Chain, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Discharge, Induction, Smt, Summation, Supremum
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import THROUGH_BEST, THROUGH_GREEDY, VALUES
from bounds.proofs.vocabulary.printed_split import POINTWISE
from bounds.proofs.vocabulary.transfer import CARRIED, CHOSEN, INVERSES, LEARNING_RATE, V_UPPER, VE

c, gamma, gamma_previous, S, S_previous = (
    at.c,
    at.rate,
    at.rate_previous,
    at.arms_weight,
    at.arms_weight_previous,
)
first_b, first_S, first_gamma = reals("Eb_first S_first gamma_first")
F = sp.Rational
w = S / gamma
leading = w / (4 * c) + 4 * c * gamma * at.ratio_max * at.previous_error
carried_b = at.ratio_max * gamma_previous / (4 * c * gamma) * at.b_previous
first_half = F(4, 3) * (leading + carried_b)
second_half = leading + carried_b + at.a / 4

B_PREVIOUS = Hypothesis(
    "b one epoch earlier",
    "b_previous = sup over policies of the previous S[Reghat - 2 Reg]",
    sp.Le(at.previous_reghat - 2 * at.previous_reg, at.b_previous),
    kind="definition",
)
A_IS_SUP = Hypothesis(
    "a bounds every policy",
    "a = sup over policies of S[Reg - 2 Reghat]",
    sp.Le(at.sum_reg - 2 * at.sum_reghat, at.a),
    kind="definition",
)
ASSUMED = Hypothesis(
    "one epoch earlier",
    "E b_previous <= 9 c^2 S_previous / gamma_previous",
    sp.Le(at.mean_b_previous, 9 * c**2 * S_previous / gamma_previous),
    kind="induction",
)
FIRST = Hypothesis(
    "first epoch",
    "fhat^1 = 0, so Reghat^1 = 0 and b^1 = sup -2 S[Reg] = 0",
    sp.And(sp.Eq(first_b, 0), first_S >= 0, first_gamma > 0, c >= 1),
    kind="definition",
)
PAPER = Hypothesis("g = 1", "the paper's learning rate", sp.Eq(at.multiplier, 1))
NAMES = Hypothesis(
    "sums", "names of the sums and means", declares=(at.sum_bias, at.a, at.b), kind="definition"
)
AT_STAR = tuple(
    At(name, point="star") for name in ("V summed", "estimated regret carried", "b one epoch earlier")
)
AT_HAT = tuple(
    At(name, point="hat")
    for name in (
        "V summed",
        "estimated regret carried",
        "b one epoch earlier",
        "regret carried",
        "a bounds every policy",
    )
)


r = gamma_previous / gamma
STEPS = (
    THROUGH_BEST,
    THROUGH_GREEDY,
    *CARRIED,
    *POINTWISE,
    Step(
        "b non-negative",
        sp.Ge(at.b_previous, 0),
        (At("b one epoch earlier", point="star"), At("previous estimated regret non-negative", point="star")),
        "the best policy has no regret",
        Smt(),
    ),
    Step(
        "V at pi",
        sp.Le(
            at.sum_inverse / gamma,
            w + r * at.ratio_max * at.b_previous + 2 * c * at.sum_reg,
        ),
        (
            *("V summed", "estimated regret carried", "b one epoch earlier", "regret carried"),
            *(
                "H5",
                "rates",
                "ratios",
                "b non-negative",
                "regret non-negative",
                "previous regret non-negative",
            ),
            "previous estimated regret non-negative",
        ),
        "lem:V_upper, then the previous epoch, then gamma_previous <= gamma",
        Smt(),
    ),
    Step(
        "V at the best",
        sp.Le(at.sum_inverse_star / gamma, w + r * at.ratio_max * at.b_previous),
        (*AT_STAR, "rates", "ratios"),
        "the same at pi*, whose regret is 0",
        Smt(),
    ),
    Step(
        "V at the greedy",
        sp.Le(at.sum_inverse_hat / gamma, w + r * at.ratio_max * at.b_previous + 2 * c * at.a),
        (
            *AT_HAT,
            *("H5", "rates", "ratios"),
            *(At(n, point="hat") for n in ("regret non-negative", "previous regret non-negative")),
        ),
        "the same at pihat, whose estimated regret is 0 and whose regret is at most a",
        Smt(),
    ),
    Step(
        "first half, every policy",
        sp.Le(at.sum_reg - 2 * at.sum_reghat, first_half),
        (
            *(
                "first comparison, all agents",
                "V at pi",
                "V at the best",
                "error carried",
                "regret non-negative",
            ),
            *("estimated regret non-negative", "rates", "ratios"),
        ),
        "a quarter of S[Reg] is absorbed on the left, then times 4/3 <= 2",
        Smt(),
    ),
    Step(
        "first half",
        sp.Le(at.a, first_half),
        ("first half, every policy", "rates", "ratios"),
        "no policy on the right",
        Supremum(at.a),
    ),
    Step(
        "first half, mean",
        sp.Le(
            at.mean_a, first_half.subs({at.b_previous: at.mean_b_previous, at.previous_error: at.mean_error})
        ),
        ("H2", "H4", "first half", "rates", "ratios", "arms positive"),
        "lengths and rates do not depend on the data",
        Summation("data", sp.Le(at.a, sp.expand(first_half))),
    ),
    Step(
        "26/3",
        sp.Le(at.mean_a, F(26, 3) * c**2 * w),
        (
            *("first half, mean", "one epoch earlier", "lem:learning_rate", "g = 1", "arms carried"),
            *("rates", "ratios", "arms positive", "previous arms positive"),
        ),
        "(4/3)(1/(4c) + 9c^2/4 + 4c^2) <= (26/3) c^2",
        Smt(),
    ),
    Step(
        "first half closes",
        sp.Le(at.mean_a, 9 * c**2 * w),
        ("26/3", "rates", "ratios", "arms positive"),
        "26/3 <= 9",
        Smt(),
    ),
    Step(
        "second half, every policy",
        sp.Le(at.sum_reghat - 2 * at.sum_reg, second_half),
        (
            *("second comparison, all agents", "V at pi", "V at the greedy", "error carried"),
            *("regret non-negative", "rates", "ratios"),
        ),
        "S[Reg]/4 joins the other on the right, 5/4 <= 2",
        Smt(),
    ),
    Step(
        "second half",
        sp.Le(at.b, second_half),
        ("second half, every policy", "rates", "ratios"),
        "no policy on the right",
        Supremum(at.b),
    ),
    Step(
        "second half, mean",
        sp.Le(
            at.mean_b,
            second_half.subs(
                {at.b_previous: at.mean_b_previous, at.previous_error: at.mean_error, at.a: at.mean_a}
            ),
        ),
        ("H2", "H4", "second half", "rates", "ratios", "arms positive"),
        "lengths and rates do not depend on the data",
        Summation("data", sp.Le(at.b, sp.expand(second_half))),
    ),
    Step(
        "35/4",
        sp.Le(at.mean_b, F(35, 4) * c**2 * w),
        (
            *("second half, mean", "first half closes", "one epoch earlier", "lem:learning_rate", "g = 1"),
            *("arms carried", "rates", "ratios", "arms positive", "previous arms positive"),
        ),
        "1/(4c) + 9c^2/4 + 9c^2/4 + 4c^2 <= (35/4) c^2",
        Smt(),
    ),
    Step(
        "second half closes",
        sp.Le(at.mean_b, 9 * c**2 * w),
        ("35/4", "rates", "ratios", "arms positive"),
        "35/4 <= 9",
        Smt(),
    ),
    Step(
        "first epoch closes",
        sp.Le(first_b, 9 * c**2 * first_S / first_gamma),
        ("first epoch",),
        "0 is at most anything non-negative",
        Smt(),
    ),
    Step(
        "b in every epoch",
        sp.Le(at.mean_b, 9 * c**2 * w),
        ("first epoch closes", "second half closes"),
        "induction over epochs",
        Induction(
            "one epoch earlier",
            "first epoch closes",
            "second half closes",
            later={at.mean_b_previous: at.mean_b, S_previous: S, gamma_previous: gamma, **at.NEXT},
            first={at.mean_b_previous: first_b, S_previous: first_S, gamma_previous: first_gamma},
        ),
    ),
    Step(
        "a in every epoch",
        sp.Le(at.mean_a, 9 * c**2 * w),
        ("b in every epoch", "first half closes"),
        "every epoch from the second",
        Discharge("one epoch earlier", "b in every epoch", "first half closes"),
    ),
)

CHAINS = (
    Chain(
        name="lem:true_virtual_loss",
        title="E a, E b <= 9 c^2 S/gamma with the supremum inside",
        variant="repaired",
        file=__file__,
        hypotheses=(
            *(
                at.H1,
                at.H2,
                at.H3,
                at.H4,
                at.H5,
                PAPER,
                at.RATES,
                at.RATIOS,
                at.ARMS,
                at.SOMEONE,
                at.GREEDY,
                VALUES,
                NAMES,
            ),
            *(CHOSEN, V_UPPER, VE, LEARNING_RATE, INVERSES, B_PREVIOUS, A_IS_SUP, ASSUMED, FIRST),
        ),
        indexed=at.INDEXED,
        totals={"agent": at.AGENT, "data": at.DATA},
        suprema={
            at.a: ("policy", at.sum_reg - 2 * at.sum_reghat),
            at.b: ("policy", at.sum_reghat - 2 * at.sum_reg),
            at.b_previous: ("policy", at.previous_reghat - 2 * at.previous_reg),
        },
        points={"star": at.STAR, "hat": at.HAT},
        steps=STEPS,
        concludes=("a in every epoch", "b in every epoch"),
    ),
)
