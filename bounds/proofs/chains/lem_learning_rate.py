"""lem:learning_rate: E[Err] <= g^2 S_previous / gamma^2, by the choice of the learning rate."""

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Step
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary.setting import (
    AGENT,
    ARMS,
    H2,
    H3,
    H4,
    INDEXED,
    RATES,
    SOMEONE,
    arms,
    arms_weight_previous,
    length_previous,
    mean_error,
    multiplier,
    rate,
    weight_previous,
)

CHAINS = (
    Chain(
        name="lem:learning_rate",
        title="E Err <= g^2 S_previous / gamma^2",
        file=__file__,
        hypotheses=(H2, H3, H4, RATES, ARMS, SOMEONE),
        indexed=INDEXED,
        totals={"agent": AGENT},
        steps=(
            Step(
                "more arms than steps",
                sp.Le(weight_previous, arms_weight_previous),
                ("H2", "arms"),
                "every agent has an arm",
                Summation("agent", sp.Le(length_previous, length_previous * arms)),
            ),
            Step(
                "some agent",
                weight_previous > 0,
                ("at least one agent",),
                "at least one agent, of length at least 1",
                Smt(),
            ),
            Step(
                "learning rate",
                sp.Le(mean_error, multiplier**2 * arms_weight_previous / rate**2),
                ("H3", "H4", "rates", "some agent", "more arms than steps"),
                "gamma^2 e W_previous = g^2 S_previous",
                Smt(),
            ),
            Step(
                "with a larger rate",
                sp.Le(mean_error, multiplier**2 * arms_weight_previous / (4 * rate**2)),
                ("H3", "H4", "rates", "some agent", "more arms than steps"),
                "twice the learning rate is not covered",
                Smt(),
                expect=Decision.REFUTED,
            ),
        ),
        concludes=("learning rate",),
    ),
)
