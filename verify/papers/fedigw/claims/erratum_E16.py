"""erratum:E16. The last row of tab:linear repeats erratum E14: its number of messages is 0 in dimension d = 1.

The row is about FedIGW by accelerated gradient descent (AGD), with O(d log(d) sqrt(M^3 T)) numbers sent by M agents
in T steps. This is a remark, not an error of its own: the correction of col:linear corrects the row. For d >= 2 the
printed order holds: with ceil(sqrt n) rounds a call on n samples AGD sends at most 8.02/ln 2 times d log(d) sqrt(M^3
T) numbers.
"""

from verify.claim import Claim, Erratum, Severity, Variant, Verdict
from verify.papers.fedigw.claims.col_linear import growth, schedule

claim = Claim(
    title="tab:linear repeats the AGD communication of col:linear, whose logarithm is upside down",
    section="Linear class",
    tags=("remark", "linear", "communication"),
    depends=("erratum:E14",),
    erratum=Erratum(
        place="tab:linear (Appendix B), last row, column of numbers communicated",
        severity=Severity.REMARK,
        order_survives="for d >= 2 yes; at d = 1 no",
        repair="O(d sqrt(M^3 T)), as in E14",
        about=("tab:linear",),
    ),
    variants={
        "printed": Variant(r"O(d\log(d)\sqrt{M^3T})", (), Verdict.REFUTED),
        "repaired": Variant(r"\le 8.02\,d\sqrt{M^3T}", ("ceil(sqrt n) rounds a call",), Verdict.Z3),
    },
    notes=lambda: ("witness: d = 1: d log(d) sqrt(M^3 T) = 0; one round of one call sends M numbers",),
)

claim.check("printed", control=dict(dimension=2), name="row")(growth.one_dimension)
claim.check("repaired", control=dict(share=1), name="corrected")(schedule.convex_order)
