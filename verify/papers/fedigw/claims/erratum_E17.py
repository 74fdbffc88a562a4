"""erratum:E17. rmk:linear: "no raw or compressed data is communicated -- only processed model parameters".

The sentence is literally true. What it suggests, that the compressed data stay at home, is not: an agent's gradient
(2/n)(V_m w - b_m) is affine in w, so d+1 rounds of AGD reveal every agent's V_m and b_m to the server, exactly what
the direct method sends. Secure aggregation (here: pairwise masks) stops it, at no cost in numbers.
"""

from __future__ import annotations

from verify.claim import Claim, Erratum, Severity, Variant
from verify.papers.fedigw.claims.rmk_linear import privacy
from verify.verdict import Verdict

claim = Claim(
    label="erratum:E17",
    title="Gradients reveal the compressed data",
    section="Linear class",
    tags=("erratum", "linear", "privacy"),
    erratum=Erratum(
        place="Section 4.2, rmk:linear, 'no raw or compressed data is communicated'; Appendix B, paragraph Linear",
        severity=Severity.GAP,
        order_survives="yes: it is not about an order",
        repair="add: under secure aggregation the messages do not determine V_m and b_m either",
        about=("rmk:linear",),
        printed=False,
    ),
    variants={
        "implied": Variant(
            r"\text{the messages do not determine } V_m, b_m",
            ("gradients without masks; not printed: what the sentence suggests",),
            Verdict.REFUTED,
        ),
        "repaired": Variant(
            r"\text{under secure aggregation they do not}",
            ("pairwise masks that the server does not know",),
            Verdict.COMPUTED,
        ),
    },
)

claim.check(
    "implied", control=dict(masked=True), about="the server solves for the affine map behind d+1 gradients"
)(privacy.reconstruction)
claim.check(
    "repaired",
    control=dict(encoder=privacy.LeakingMasks(constant=True), masked=False),
    given=dict(masked=True),
    name="masked",
    about="attacks on a whole call under pairwise masks; control: masks that stay the same",
)(privacy.reconstruction)
claim.check("repaired", control=dict(encoder=privacy.LeakingMasks(constant=False)))(privacy.masks_cancel)
