"""lem:V_upper: V(p, pi) <= K + gamma Reghat(pi), with equality wherever pi leaves the greedy arm."""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary.igw_weights import (
    GREEDY_ARM,
    IGW,
    LIGHT_ARM,
    MOVING,
    OTHERS,
    TOTALS,
    gap,
    greedy_probability,
    policy_gap,
    policy_inverse,
    probability,
)
from bounds.proofs.vocabulary.setting import arms, inverse, rate, reghat

CHOICE = Hypothesis(
    "the chosen arm",
    "a policy plays the greedy arm (gap 0) or another one; inverse_pi is one over its probability",
    sp.Or(
        sp.And(sp.Eq(policy_gap, 0), sp.Eq(policy_inverse * greedy_probability, 1)),
        sp.And(sp.Eq(policy_gap, gap), sp.Eq(policy_inverse * probability, 1)),
    ),
    kind="definition",
)
AVERAGE = Hypothesis(
    "average over contexts",
    "V and Reghat are averages over contexts",
    kind="definition",
    declares=(inverse, reghat),
)

CHAINS = (
    Chain(
        name="lem:V_upper",
        title="V <= K + gamma Reghat",
        file=__file__,
        hypotheses=(IGW, CHOICE, AVERAGE),
        indexed={**MOVING, "context": (policy_gap, policy_inverse)},
        totals={
            **TOTALS,
            "context": (Total(1, sp.Integer(1)), Total(inverse, policy_inverse), Total(reghat, policy_gap)),
        },
        steps=(
            LIGHT_ARM,
            OTHERS,
            GREEDY_ARM,
            Step(
                "equality off the greedy arm",
                sp.Eq(1 / probability, arms + rate * gap),
                ("inverse gap weighting", "an arm is light"),
                "the definition of p read backwards",
                Smt(),
            ),
            Step(
                "at most K at the greedy arm",
                sp.Le(1 / greedy_probability, arms),
                ("inverse gap weighting", "the greedy arm is heavy"),
                "p_hat >= 1/K",
                Smt(),
            ),
            Step(
                "at one context",
                sp.Le(policy_inverse, arms + rate * policy_gap),
                ("inverse gap weighting", "the chosen arm", "an arm is light", "the greedy arm is heavy"),
                "either case",
                Smt(),
            ),
            Step(
                "without the slack at the greedy arm",
                sp.Eq(policy_inverse, arms + rate * policy_gap),
                ("inverse gap weighting", "the chosen arm", "an arm is light", "the greedy arm is heavy"),
                "equality everywhere would need p_hat = 1/K: it is false at the greedy arm",
                Smt(),
                expect=Decision.REFUTED,
            ),
            Step(
                "V upper",
                sp.Le(inverse, arms + rate * reghat),
                ("inverse gap weighting", "average over contexts", "at one context"),
                "averaged over contexts",
                Summation("context", sp.Le(policy_inverse, arms + rate * policy_gap)),
            ),
        ),
        concludes=("V upper",),
    ),
)
