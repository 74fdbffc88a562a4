"""erratum:E16. tab:linear's last row (FedIGW by AGD) repeats erratum E14: O(d log(d) sqrt(M^3 T)) numbers, 0 at d = 1.

Not an error of its own: whoever mends the count of col:linear mends the row. For d >= 2 the printed order holds, with
ceil(sqrt n) rounds a call and the constant 8.02/ln 2.
"""

from __future__ import annotations

from functools import partial

from verify.claim import Check, Claim, Erratum, Severity, Variant
from verify.claims.col_linear import growth, schedule
from verify.verdict import Verdict

CLAIM = Claim(
    label="erratum:E16",
    title="tab:linear repeats the AGD communication of col:linear",
    section="Linear class",
    statement=__doc__ or "",
    tags=("erratum", "linear", "communication"),
    depends=("erratum:E14",),
    erratum=Erratum(
        place="Table tab:linear (Appendix B), last row, column of numbers communicated",
        severity=Severity.FALSE,
        order_survives="for d >= 2 yes; at d = 1 no",
        repair="O(d sqrt(M^3 T)), as in E14",
        about=("tab:linear",),
    ),
    variants={
        "printed": Variant(r"O(d\log(d)\sqrt{M^3T})", (), Verdict.REFUTED),
        "repaired": Variant(r"\le 8.02\,d\sqrt{M^3T}", ("ceil(sqrt n) rounds a call",), Verdict.PROVED),
    },
    checks=(
        Check(
            "row",
            "printed",
            growth.one_dimension,
            partial(growth.one_dimension, dimension=2),
            "the printed order at d = 1; control: at d = 2, where it holds",
        ),
        Check(
            "corrected",
            "repaired",
            schedule.convex_order,
            partial(schedule.convex_order, share=1),
            "the sum of the schedule, step by step; control: a constant one tenth smaller",
        ),
    ),
)
