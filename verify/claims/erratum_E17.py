"""erratum:E17. rmk:linear: "no raw or compressed data is communicated -- only processed model parameters".

Misleading: an agent's gradient (2/n)(V_m w - b_m) is affine in w, so d+1 rounds of AGD reveal every agent's V_m and b_m
to the server, exactly what the direct method sends. Secure aggregation (here: pairwise masks) stops it, at no cost in
numbers.
"""

from __future__ import annotations

from functools import partial

from verify.claim import Check, Claim, Variant
from verify.claims.rmk_linear import privacy
from verify.verdict import Verdict

CLAIM = Claim(
    label="erratum:E17",
    title="Gradients reveal the compressed data",
    section="Linear class",
    statement=__doc__ or "",
    tags=("erratum", "linear", "privacy"),
    variants={
        "printed": Variant(r"\text{gradients do not communicate } V_m, b_m", (), Verdict.REFUTED),
        "repaired": Variant(
            r"\text{under secure aggregation they do not}",
            ("pairwise masks that the server does not know",),
            Verdict.COMPUTED,
        ),
    },
    checks=(
        Check(
            "reconstruction",
            "printed",
            privacy.reconstruction,
            partial(privacy.reconstruction, masked=True),
            "the server solves for the affine map behind d+1 gradients",
        ),
        Check(
            "masked",
            "repaired",
            partial(privacy.reconstruction, masked=True),
            partial(privacy.reconstruction, encoder=privacy.LeakingMasks(constant=True)),
            "attacks on a whole call under pairwise masks; control: masks that stay the same",
        ),
        Check(
            "masks-cancel",
            "repaired",
            privacy.masks_cancel,
            partial(privacy.masks_cancel, encoder=privacy.LeakingMasks(constant=False)),
            "estimate and ledger unchanged, messages hidden; control: one mask that does not cancel",
        ),
    ),
)
