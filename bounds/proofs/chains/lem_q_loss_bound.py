"""lem:q_loss_bound: sum_Q Reghat <= K/gamma, sharpened to (K-1)/gamma; (K-1)/(K+gamma) for fhat in [0,1]."""

import dataclasses
from typing import Any

import sympy as sp

from bounds.proofs.engine.model import Chain, Decision, Hypothesis, Step, Total, reals
from bounds.proofs.engine.rules import Smt, Summation
from bounds.proofs.vocabulary.igw_weights import IGW, INDEX, MOVING, TOTALS, gap, others, probability, virtual
from bounds.proofs.vocabulary.setting import arms, rate

mixture_reghat = reals("Reghat_Q")[0]
NAMES = Hypothesis(
    "sums",
    "virtual sums p gap over the other arms; Reghat_Q is its average over contexts (lem:loss_decompose)",
    kind="definition",
    declares=(virtual, others, mixture_reghat),
)
RANGE = Hypothesis("estimate in [0,1]", "fhat in [0,1], so a gap is at most 1", gap <= 1)
COMMON: dict[str, Any] = {
    "file": __file__,
    "indexed": {**MOVING, "context": (virtual,)},
    "totals": {**TOTALS, "context": (Total(1, sp.Integer(1)), Total(mixture_reghat, virtual))},
}


def _steps(bound: sp.Expr, extra: tuple[str, ...], because: str) -> tuple[Step, ...]:
    """Term by term over the other arms, then over contexts."""
    return (
        Step(
            "one arm",
            sp.Le(probability * gap, bound),
            ("inverse gap weighting", *extra),
            because,
            Smt(),
        ),
        Step(
            "one context",
            sp.Le(virtual, (arms - 1) * bound),
            ("inverse gap weighting", "sums", "one arm"),
            "the greedy arm has no gap; K - 1 others",
            Summation(INDEX, sp.Le(probability * gap, bound)),
        ),
        Step(
            "mixture",
            sp.Le(mixture_reghat, (arms - 1) * bound),
            ("inverse gap weighting", "sums", "one context"),
            "averaged over contexts",
            Summation("context", sp.Le(virtual, (arms - 1) * bound)),
        ),
    )


SHARPENED = Chain(
    name="lem:q_loss_bound",
    title="sum_Q Reghat <= (K-1)/gamma",
    variant="sharpened",
    hypotheses=(IGW, NAMES),
    steps=(
        *_steps(1 / rate, (), "gap/(K + gamma gap) <= 1/gamma"),
        Step(
            "printed",
            sp.Le(mixture_reghat, arms / rate),
            ("inverse gap weighting", "mixture"),
            "the printed K/gamma is weaker",
            Smt(),
        ),
        Step(
            "half an arm less",
            sp.Le(probability * gap, 1 / (2 * rate)),
            ("inverse gap weighting",),
            "no smaller multiple of 1/gamma bounds a term: gamma gap -> infinity attains it",
            Smt(),
            expect=Decision.REFUTED,
        ),
    ),
    concludes=("mixture", "printed"),
    **COMMON,
)
UNIT_RANGE = dataclasses.replace(
    SHARPENED,
    name="lem:q_loss_bound [0,1]",
    title="sum_Q Reghat <= (K-1)/(K+gamma) when fhat is in [0,1]",
    hypotheses=(IGW, NAMES, RANGE),
    steps=(
        *_steps(1 / (arms + rate), ("estimate in [0,1]",), "gap/(K + gamma gap) increases in gap, gap <= 1"),
        Step(
            "attained",
            sp.Eq(probability * gap, 1 / (arms + rate)),
            ("inverse gap weighting", "gap one"),
            "equality at gap = 1",
            Smt(),
        ),
    ),
    concludes=("mixture",),
)
UNIT_RANGE = dataclasses.replace(
    UNIT_RANGE,
    hypotheses=(
        *UNIT_RANGE.hypotheses,
        Hypothesis("gap one", "the extremal gap", sp.Eq(gap, 1), kind="special"),
    ),
)

CHAINS = (SHARPENED, UNIT_RANGE)
