"""erratum:E14. col:linear sums Md sqrt(M 2^l) log(d/(M 2^l)), which is negative once M 2^l > d, and concludes
O(d log(d) sqrt(M^3 T)), which is 0 at d = 1. The logarithm is upside down: an optimisation error of order d/n takes
O(sqrt(n) log(n/d)) rounds, and the distance that term (A) needs takes O(sqrt(n) log(n^2/d)).
The AGD schedule's true total over the printed order grows like log T; over d sqrt(M^3 T) log(MT) it stays bounded.
"""

from __future__ import annotations

from functools import partial

from bounds import linear_communication
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.claims.col_linear import growth
from verify.verdict import Verdict


def printed_sum(task: Task, upright: bool = False) -> Evidence:
    """The paper's intermediate sum at M = 10, d = 5: a count of numbers that is negative. Upright: log(n/d)."""
    values = [linear_communication.printed_sum(10, 5, 2**k) for k in (10, 20, 30)]
    values = [-value for value in values] if upright else values
    figures = {"T": [2**k for k in (10, 20, 30)], "sum": values}
    shown = ", ".join(f"{v:.3g}" for v in values)
    if min(values) < 0:
        return Evidence(
            Verdict.REFUTED,
            f"M = 10, d = 5: the sum of Md sqrt(M 2^l) log(d/(M 2^l)), a count, is {shown} at T = 2^10, 2^20, 2^30",
            figures,
            replay="python -m verify run erratum:E14",
        )
    return Evidence(Verdict.EXACT, f"with log(n/d) the sum is positive: {shown}", figures)


CLAIM = Claim(
    label="erratum:E14",
    title="The AGD communication of col:linear has its logarithm upside down",
    section="Linear class",
    statement=__doc__ or "",
    tags=("erratum", "linear", "communication"),
    variants={
        "printed": Variant(r"O(d\log(d)\sqrt{M^3T})", (), Verdict.REFUTED),
        "repaired": Variant(r"O(d\sqrt{M^3T}\log(MT))", (), Verdict.PROVED),
    },
    checks=(
        Check("sum", "printed", printed_sum, partial(printed_sum, upright=True), "the intermediate sum"),
        Check(
            "growth",
            "printed",
            growth.printed_order,
            partial(growth.printed_order, corrected=True),
            "true count against the printed order",
        ),
        Check(
            "corrected",
            "repaired",
            partial(growth.printed_order, corrected=True),
            growth.printed_order,
            "true count against the corrected order",
        ),
    ),
)
