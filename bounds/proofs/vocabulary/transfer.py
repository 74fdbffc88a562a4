"""Steps that both regret proofs share: from one agent to the federation, from one epoch to the next."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.proofs.engine.model import Hypothesis, Step
from bounds.proofs.engine.rules import Summation
from bounds.proofs.vocabulary.igw_weights import played, policy_inverse
from bounds.proofs.vocabulary.setting import (
    arms,
    arms_weight,
    arms_weight_previous,
    bias,
    error,
    inverse,
    inverse_hat,
    inverse_star,
    length,
    length_previous,
    mean_error,
    multiplier,
    previous_error,
    previous_reg,
    previous_reghat,
    rate,
    rate_previous,
    ratio_max,
    ratio_min,
    reg,
    reghat,
    reghat_previous,
    sum_error,
    sum_inverse,
    sum_reg,
    sum_reghat,
    sum_reghat_previous,
)

V_UPPER = Hypothesis(
    "lem:V_upper",
    "V(p^{l-1}, pi) <= K + gamma^{l-1} Reghat^{l-1}(pi)",
    sp.Le(inverse, arms + rate_previous * reghat_previous),
    kind="lemma",
    source="lem:V_upper/V upper",
    renamed={rate: rate_previous, reghat: reghat_previous},
)
VE = Hypothesis(
    "lem:VE",
    "(Rhat - R)^2 <= V Err",
    sp.Le(bias**2, inverse * error),
    kind="lemma",
    source="lem:VE/VE",
    renamed={played: 1 / policy_inverse},
)
LEARNING_RATE = Hypothesis(
    "lem:learning_rate",
    "E[Err] <= g^2 S_previous / gamma^2",
    sp.Le(mean_error, multiplier**2 * arms_weight_previous / rate**2),
    kind="lemma",
    source="lem:learning_rate/learning rate",
)
# What lem:V_upper and lem:VE (or the joint split) average over contexts is one and the same.
CHOSEN = Hypothesis(
    "probability of the chosen arm",
    "inverse_pi is one over the probability of the policy's arm at a context; V is its average",
    policy_inverse >= 1,
    kind="definition",
)
INVERSES = Hypothesis(
    "inverse probabilities",
    "V is an average of 1/p >= 1",
    sp.And(inverse >= 1, inverse_star >= 1, inverse_hat >= 1),
    kind="definition",
)


def summed(name: str, statement: Any, term: Any, assumes: tuple[str, ...], because: str) -> Step:
    """A step by summation over agents."""
    return Step(name, statement, assumes, because, Summation("agent", term))


CARRIED = (
    summed(
        "arms carried",
        sp.Le(ratio_min * arms_weight_previous, arms_weight),
        sp.Le(ratio_min * length_previous * arms, length * arms),
        ("H2", "ratios", "arms"),
        "E >= ratio_min E_previous, agent by agent",
    ),
    summed(
        "regret carried",
        sp.Le(ratio_min * previous_reg, sum_reg),
        sp.Le(ratio_min * length_previous * reg, length * reg),
        ("H1", "H2", "ratios"),
        "E >= ratio_min E_previous, and Reg >= 0",
    ),
    summed(
        "estimated regret carried",
        sp.Le(sum_reghat_previous, ratio_max * previous_reghat),
        sp.Le(length * reghat_previous, ratio_max * length_previous * reghat_previous),
        ("H2", "ratios", "estimated regrets"),
        "E <= ratio_max E_previous, and Reghat >= 0",
    ),
    summed(
        "error carried",
        sp.Le(sum_error, ratio_max * previous_error),
        sp.Le(length * error, ratio_max * length_previous * error),
        ("H2", "ratios", "estimated regrets"),
        "E <= ratio_max E_previous, and a squared error is non-negative",
    ),
    summed(
        "error non-negative",
        sp.Ge(previous_error, 0),
        sp.Ge(length_previous * error, 0),
        ("H2", "estimated regrets"),
        "a sum of squares",
    ),
    summed(
        "regret non-negative",
        sp.Ge(sum_reg, 0),
        sp.Ge(length * reg, 0),
        ("H1", "H2"),
        "the best policy is best",
    ),
    summed(
        "estimated regret non-negative",
        sp.Ge(sum_reghat, 0),
        sp.Ge(length * reghat, 0),
        ("H2", "estimated regrets"),
        "the greedy policy is best for the estimate",
    ),
    summed(
        "previous regret non-negative",
        sp.Ge(previous_reg, 0),
        sp.Ge(length_previous * reg, 0),
        ("H1", "H2"),
        "the best policy is best",
    ),
    summed(
        "previous estimated regret non-negative",
        sp.Ge(previous_reghat, 0),
        sp.Ge(length_previous * reghat_previous, 0),
        ("H2", "estimated regrets"),
        "the greedy policy is best for the estimate",
    ),
    summed(
        "V summed",
        sp.Le(sum_inverse, arms_weight + rate_previous * sum_reghat_previous),
        sp.Le(length * inverse, length * arms + rate_previous * length * reghat_previous),
        ("H2", "lem:V_upper", CHOSEN.name),
        "lem:V_upper, agent by agent",
    ),
    summed(
        "arms positive",
        sp.Ge(arms_weight, 0),
        sp.Ge(length * arms, 0),
        ("H2", "arms"),
        "a sum of positive numbers",
    ),
    summed(
        "previous arms positive",
        sp.Ge(arms_weight_previous, 0),
        sp.Ge(length_previous * arms, 0),
        ("H2", "arms"),
        "a sum of positive numbers",
    ),
)
