"""Variant best with two arms: gamma_L sum_a p_a R_a <= 1 + sum_l Lam_l eps^l, so C = 1/2 + (9/4) g^2."""

from __future__ import annotations

from bounds.best import decay, pair, pair_chain, run
from bounds.proofs import Chain

CLAIM = Chain(
    name="best: two arms",
    title="K = 2: gamma_L sum_a p_a R_a <= 1 + sum_l Lam_l eps^l for every gamma with H5",
    file=__file__,
    variant="best",
    hypotheses=(*pair.SETTING, *pair.OPEN),
    steps=pair_chain.STEPS,
    concludes=("claims",),
    indexed={run.INDEX: (*run.MOVING, *decay.MOVING)},
    totals={run.INDEX: pair.TOTALS},
)

CHAINS = (CLAIM,)
