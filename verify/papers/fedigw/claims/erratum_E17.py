"""erratum:E17. Gradients at points in general position reveal the compressed data.

A remark on rmk:linear: "no raw or compressed data is communicated -- only processed model parameters". The sentence is
literally true. What it suggests, that V_m and b_m stay with the agent, is not so in general: an agent's gradient is
(2/n)(V_m w - b_m), affine in w, so d+1 affinely independent points w_0, ..., w_d determine V_m and b_m, which the
direct method sends. Points that span less do not: where they lie on one line, a whole call leaves V_m open. Secure
aggregation (here: pairwise masks) hides V_m and b_m in any case, at no cost in numbers.
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
            ("gradients without masks, at any points; nobody's statement: why general position is needed",),
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

claim.check(
    "implied", control=dict(masked=True), about="the server solves for the affine map behind d+1 gradients"
)(privacy.reconstruction)
claim.check("anywhere", control=dict(generic=True))(privacy.one_line)
claim.check(
    "repaired",
    control=dict(encoder=privacy.LeakingMasks(constant=True), masked=False),
    given=dict(masked=True),
    name="masked",
    about="attacks on a whole call under pairwise masks; control: masks that stay the same",
)(privacy.reconstruction)
claim.check("repaired", control=dict(encoder=privacy.LeakingMasks(constant=False)))(privacy.masks_cancel)
