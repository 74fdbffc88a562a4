"""Variant best: the claim for one agent, one context and one run, as one chain of steps from the kernel to the claim.

gamma_L sum_a p^L_a R_a <= max(K - 1, K - 2 + K a) + sum_l Lam_l eps^l, for every number of arms and epochs.
The steps are written in bounds/best: last_epoch, positions, position_a, position_b, position_cd, backward,
previous_epoch, descent, ending.
"""

from __future__ import annotations

from bounds.best import (
    decay,
    descent,
    ending,
    last_epoch,
    position_a,
    position_b,
    position_cd,
    positions,
    previous_epoch,
    run,
)
from bounds.best.symbols import condition, definition
from bounds.proofs import Chain

DEFINITIONS = tuple(
    definition(k)
    for k in (
        "A",
        "xi",
        "X",
        "X'",
        "Y",
        "nt",
        "S2",
        "N1",
        "n",
        "xbar",
        "y",
        "zeta",
        "s",
        "nC",
        "bt",
        "x",
        "a",
    )
)
CONDITIONS = tuple(
    condition(k)
    for k in (
        *("lam+", "lam'+", "th+", "1-th+", "kap+", "eta", "rbar+", "E1 ", "E2 mu", "E2 zeta", "E2 chains"),
        *("E3 0", "E3 xi", "E4", "E5", "E6", "E7 K-part", "E7 case B", "E8 kap", "E8 squares at"),
        *("E8 squares below", "E9", "E10", "E11", "E12"),
    )
)
SETTING = (
    *run.LAST,
    *run.RATES,
    *run.DECAY,
    *positions.MAXIMA,
    *DEFINITIONS,
    *CONDITIONS,
    *(h for h in decay.HYPOTHESES if h.kind not in ("case", "induction")),
)
CLAIM = Chain(
    name="best: pathwise claim",
    title="gamma_L sum_a p_a R_a <= max(K - 1, K - 2 + K a) + sum_l Lam_l eps^l for one agent and context",
    file=__file__,
    variant="best",
    hypotheses=(
        *SETTING,
        *positions.POSITIONS,
        *run.STEEP,
        *(h for h in decay.HYPOTHESES if h.kind in ("case", "induction")),
    ),
    steps=(
        *last_epoch.PROBABILITIES,
        *positions.SHARED,
        *position_a.FIRST,
        *position_b.B_FIRST,
        *position_cd.C_FIRST,
        *position_cd.D_FIRST,
        *positions.in_every_position("mu_ fits", "om covers"),
        *last_epoch.COMPARED,
        *positions.WEIGHTS,
        *position_a.AFTER,
        *position_b.B_AFTER,
        *position_cd.C_AFTER,
        *position_cd.D_AFTER,
        *positions.in_every_position(*tuple(positions.HANDED)[2:]),
        *previous_epoch.AT_PREVIOUS,
        *descent.BELOW,
        *ending.END,
    ),
    concludes=("claims",),
    indexed={run.INDEX: (*run.MOVING, *decay.MOVING)},
    totals={run.INDEX: (*run.TOTALS, *decay.TOTALS)},
)

CHAINS = (CLAIM,)
