"""The printed proof of lem:true_virtual_loss, where it errs: each wrong line refuted beside the right one."""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, reals
from bounds.proofs.engine.rules import Smt
from bounds.proofs.vocabulary.setting import (
    RATES,
    RATIOS,
    arms_weight,
    c,
    previous_reg_hat,
    rate,
    ratio_max,
    ratio_min,
    sum_reg,
    sum_reg_hat,
    sum_reghat,
    sum_reghat_previous_hat,
)

F = sp.Rational
w = arms_weight / rate
constant, share = reals("constant share")

FIRST_HALF = Hypothesis(
    "before dividing by 3/4",
    "(3/4) S[Reg] <= S[Reghat] + S/(4 c gamma) + 25 c^2 S/(4 gamma)",
    sp.And(
        arms_weight > 0,
        sum_reg >= 0,
        sum_reghat >= 0,
        sp.Le(F(3, 4) * sum_reg, sum_reghat + w / (4 * c) + 25 * c**2 * w / 4),
    ),
    kind="definition",
)
GREEDY_REGRET = Hypothesis(
    "first half at the greedy policy",
    "S[Reg(pihat)] <= 9 c^2 S/gamma, and the lengths: ratio_min P[Reg(pihat)] <= S[Reg(pihat)]",
    sp.And(
        sp.Le(sum_reg_hat, 9 * c**2 * w),
        sp.Le(ratio_min * previous_reg_hat, sum_reg_hat),
        previous_reg_hat >= 0,
        arms_weight > 0,
    ),
    kind="definition",
)
CLOSING = Hypothesis(
    "the sum that should close",
    "constant = 1/(4c) + (ratio_max/(4c)) share 9c^2 + 9c^2/4 + 4c^2, share being the factor of step (g)",
    sp.Eq(constant, 1 / (4 * c) + ratio_max / (4 * c) * share * 9 * c**2 + 9 * c**2 / 4 + 4 * c**2),
    kind="definition",
)
PRINTED_SHARE = Hypothesis("share as printed", "ratio_min", sp.Eq(share, ratio_min), kind="definition")
RIGHT_SHARE = Hypothesis(
    "share as it should be", "1/ratio_min", sp.Eq(share, 1 / ratio_min), kind="definition"
)
SECOND_HALF = Hypothesis(
    "before the last lines",
    "S[Reghat(pi)] - S[Reg(pi)] <= S/(4 c gamma) + (17/2) c^2 S/gamma + S[Reg(pi)]/4 for every policy",
    sp.And(
        arms_weight > 0,
        sum_reg >= 0,
        sum_reghat >= 0,
        sum_reghat_previous_hat >= 0,
        sp.Le(sum_reghat - sum_reg, w / (4 * c) + F(17, 2) * c**2 * w + sum_reg / 4),
    ),
    kind="definition",
)

CHAINS = (
    Chain(
        name="printed steps",
        title="E2, E3 and E4: the printed lines and their repairs",
        variant="printed",
        file=__file__,
        hypotheses=(
            RATES,
            RATIOS,
            FIRST_HALF,
            GREEDY_REGRET,
            CLOSING,
            PRINTED_SHARE,
            RIGHT_SHARE,
            SECOND_HALF,
        ),
        steps=(
            Step(
                "E2 printed",
                sp.Le(sum_reg, F(4, 3) * sum_reghat + w / (3 * c) + F(25, 4) * c**2 * w),
                ("before dividing by 3/4", "rates", "ratios"),
                "the factor 4/3 is not applied to the last term",
                Smt(),
                expect=Decision.REFUTED,
                erratum="E2",
            ),
            Step(
                "E2 repaired",
                sp.Le(sum_reg, F(4, 3) * sum_reghat + w / (3 * c) + F(25, 3) * c**2 * w),
                ("before dividing by 3/4", "rates", "ratios"),
                "(4/3)(25/4) = 25/3",
                Smt(),
                erratum="E2",
            ),
            Step(
                "E2 conclusion survives",
                sp.Le(sum_reg, 2 * sum_reghat + 9 * c**2 * w),
                ("E2 repaired", "before dividing by 3/4", "rates", "ratios"),
                "1/(3c) + (25/3) c^2 <= 9 c^2",
                Smt(),
                erratum="E2",
            ),
            Step(
                "E3 printed",
                sp.Le(previous_reg_hat, ratio_min * 9 * c**2 * w),
                ("first half at the greedy policy", "rates", "ratios"),
                "step (g) multiplies by ratio_min",
                Smt(),
                expect=Decision.REFUTED,
                erratum="E3",
            ),
            Step(
                "E3 repaired",
                sp.Le(previous_reg_hat, 9 * c**2 * w / ratio_min),
                ("first half at the greedy policy", "rates", "ratios"),
                "E_previous <= E / ratio_min",
                Smt(),
                erratum="E3",
            ),
            Step(
                "E3 printed sum",
                sp.Le(constant, 9 * c**2),
                ("the sum that should close", "share as printed", "rates", "ratios"),
                "as printed the induction does not close: 15.5 > 9 at ratio_min = 2, c = 1",
                Smt(),
                expect=Decision.REFUTED,
                erratum="E3",
            ),
            Step(
                "E3 repaired sum",
                sp.Le(constant, F(35, 4) * c**2),
                ("the sum that should close", "share as it should be", "rates", "ratios"),
                "ratio_max / (c ratio_min) = 1",
                Smt(),
                erratum="E3",
            ),
            Step(
                "E4 printed",
                sp.Le(sum_reghat_previous_hat, 2 * sum_reg + 9 * c**2 * w),
                ("before the last lines", "rates", "ratios"),
                "the last lines carry Reghat^{l-1}(pihat^l), about which the premises say nothing",
                Smt(),
                expect=Decision.REFUTED,
                erratum="E4",
            ),
            Step(
                "E4 repaired",
                sp.Le(sum_reghat, 2 * sum_reg + 9 * c**2 * w),
                ("before the last lines", "rates", "ratios"),
                "Reghat^l(pi) is meant",
                Smt(),
                erratum="E4",
            ),
        ),
        concludes=("E2 conclusion survives", "E3 repaired", "E3 repaired sum", "E4 repaired"),
    ),
)
