"""A result about one epoch, used one epoch earlier: every symbol of the epoch moves, and so do its hypotheses."""

from __future__ import annotations

import sympy as sp

from bounds.proofs.engine.model import Hypothesis, moved
from bounds.proofs.vocabulary import setting as at
from bounds.proofs.vocabulary.compare import VALUES, estimate, estimate_hat, estimate_star, value_hat
from bounds.proofs.vocabulary.igw_weights import policy_inverse
from bounds.proofs.vocabulary.transfer import CHOSEN

NAMED = {
    at.rate: at.rate_previous,
    at.arms_weight: at.arms_weight_previous,
    at.weight: at.weight_previous,
    at.length: at.length_previous,
    at.reghat: at.reghat_previous,
    at.reghat_star: at.reghat_previous_star,
    at.sum_reghat: at.previous_reghat,
    at.sum_reg: at.previous_reg,
    at.b: at.b_previous,
    at.mean_b: at.mean_b_previous,
    at.sum_reghat_star: at.previous_reghat_star,
}
# What has no name in the previous epoch gets one: the epoch before that, or the previous epoch's own estimate.
UNNAMED = (
    *NAMED.values(),
    *(
        at.excess,
        at.mean_error,
        at.previous_error,
        at.error,
        at.ratio_max,
        at.ratio_min,
        at.reghat_previous_hat,
    ),
    *(at.inverse, at.inverse_star, at.inverse_hat, at.bias, at.bias_star, at.bias_hat, at.reg_hat),
    *(estimate, estimate_star, estimate_hat, value_hat, policy_inverse),
)
# So does every other sum of that epoch: its terms move, so it is not the sum of this epoch.
SUMS = tuple(total.value for total in (*at.AGENT, *at.DATA) if total.value not in (1, *NAMED, *UNNAMED))
SHIFT: dict[sp.Symbol, sp.Symbol] = NAMED | {
    s: sp.Symbol(f"{s}_before", real=True) for s in (*UNNAMED, *SUMS)
}


def epoch_before(rates: Hypothesis = at.H5) -> Hypothesis:
    """The setting of the previous epoch, whose own previous epoch is `before`."""
    same = (at.H1, at.H2, at.H3, at.H4, rates, at.RATES, at.RATIOS, at.SOMEONE, at.GREEDY, VALUES, CHOSEN)
    return Hypothesis(
        "the epoch before",
        "the previous epoch is an epoch like this one: H1-H5 and the definitions hold for it and the one before it",
        sp.And(*(moved(h.statement, SHIFT) for h in same)),
        kind="definition",
    )
