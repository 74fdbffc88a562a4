"""erratum:E17. The gradients that agents send reveal their compressed data, if the points are in general position.

A remark on "no raw or compressed data is communicated -- only processed model parameters" in rmk:linear. The sentence
is literally true. It suggests that the server cannot know an agent's Gram matrix V_m and moments b_m, the compressed
data that the direct method sends. But the gradient (2/n)(V_m w - b_m) is affine in w, so gradients at d+1 affinely
independent points determine V_m and b_m. Points on one line do not determine V_m. Secure aggregation by pairwise
masks hides V_m and b_m in any case, without sending more numbers.
"""

from verify.claim import Claim, Erratum, Severity, Variant, Verdict
from verify.papers.fedigw.claims.rmk_linear import privacy

claim = Claim(
    title="Gradients at points in general position reveal the compressed data",
    section="Linear class",
    tags=("remark", "linear", "privacy"),
    erratum=Erratum(
        place="Section 4.2, rmk:linear, 'no raw or compressed data is communicated'; Appendix B, paragraph Linear",
        severity=Severity.REMARK,
        order_survives="yes: it is not about an order",
        repair="add: under secure aggregation the messages do not determine V_m and b_m either",
        about=("rmk:linear",),
        printed=False,
        regime="d+1 of the points of a call are affinely independent",
    ),
    variants={
        "implied": Variant(
            r"\text{the messages do not determine } V_m, b_m",
            (
                "gradients without masks, at d+1 affinely independent points",
                "not printed: what the sentence suggests",
            ),
            Verdict.REFUTED,
        ),
        "anywhere": Variant(
            r"\text{the messages of a call determine } V_m, b_m",
            (
                "gradients without masks, at any points; a statement of our own that shows why d+1 points are needed",
            ),
            Verdict.REFUTED,
        ),
        "repaired": Variant(
            r"\text{under secure aggregation they do not}",
            ("pairwise masks that the server does not know",),
            Verdict.FLOAT,
        ),
    },
    notes=lambda: (
        "witness: g(w) = (2/n)(V_m w - b_m), so g(w_i) - g(w_0) = (2/n) V_m (w_i - w_0)",
        "  if w_1 - w_0, ..., w_d - w_0 are independent, these d equations give V_m, and then g(w_0) gives b_m",
        "witness that general position is needed: five agents, d = 5, V_m = 10 I + 10 e_m e_m', b_m = (1, ..., 1)",
        "  the sum of all V_m is 60 I, so gradient methods from 0 stay on the line through b = (1, ..., 1)",
        "  with v = e_1 - e_2: v'b = 0, (V_1 + v v') t b = V_1 t b for every t: the same messages, another V_1",
    ),
)

claim.check("implied", control=dict(masked=True))(privacy.reconstruction)
claim.check("anywhere", control=dict(generic=True))(privacy.one_line)
claim.check(
    "repaired",
    control=dict(encoder=privacy.LeakingMasks(constant=True), masked=False),
    given=dict(masked=True),
    name="masked",
    about="Reconstruct V_m and b_m from the messages of a call with pairwise masks; control: masks that stay the same",
)(privacy.reconstruction)
claim.check("repaired", control=dict(encoder=privacy.LeakingMasks(constant=False)))(privacy.masks_cancel)
