"""The inverse-gap-weighted kernel at one context: 1/(K + gamma gap) off the greedy arm, the rest on it."""

from __future__ import annotations

import sympy as sp

from bounds.proofs.engine.model import Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary.setting import arms, rate

gap, probability, greedy_probability = reals("gap p p_hat")
others, virtual, truth_regret = reals("others virtual gap_star")
# At the arm that a policy chooses: its gap, one over its probability, and that probability.
policy_gap, policy_inverse, played = reals("gap_pi inverse_pi p_pi")

IGW = Hypothesis(
    "inverse gap weighting",
    "an arm other than the greedy one, at estimated gap >= 0, is played with probability 1/(K + gamma gap)",
    sp.And(
        rate > 0,
        arms >= 1,
        gap >= 0,
        sp.Eq(probability * (arms + rate * gap), 1),
        sp.Eq(greedy_probability, 1 - others),
    ),
    kind="definition",
)
INDEX = "other arm"  # the K - 1 arms that are not greedy
MOVING = {INDEX: (gap, probability)}
TOTALS = {
    INDEX: (
        Total(others, probability),
        Total(virtual, probability * gap),
        Total(arms - 1, sp.Integer(1)),
    )
}

LIGHT_ARM = Step(
    "an arm is light",
    sp.And(sp.Le(probability, 1 / arms), probability > 0),
    ("inverse gap weighting",),
    "K + gamma gap >= K",
    Smt(),
)
OTHERS = Step(
    "the others together",
    sp.Le(others, (arms - 1) / arms),
    ("inverse gap weighting", "an arm is light"),
    "K - 1 arms of at most 1/K each",
    Summation(INDEX, sp.Le(probability, 1 / arms)),
)
GREEDY_ARM = Step(
    "the greedy arm is heavy",
    sp.And(sp.Ge(greedy_probability, 1 / arms), greedy_probability > 0),
    ("inverse gap weighting", "the others together"),
    "what the others leave",
    Smt(),
)
