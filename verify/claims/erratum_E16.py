"""erratum:E16. tab:linear's last row (FedIGW by AGD) carries erratum E14: O(d log(d) sqrt(M^3 T)) numbers.

Corrected it is O(d sqrt(M^3 T) log(MT)); the table's claim that AGD's count is smaller in d than the direct method's
survives only once sqrt(MT) log(MT) < d.
"""

from __future__ import annotations

from functools import partial

from bounds.tab_linear import evaluated
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.claims.col_linear import growth
from verify.verdict import Verdict


def row(task: Task, corrected: bool = False) -> Evidence:
    """The row as the table computes it, and the growth of the true count over it."""
    found = growth.printed_order(task, corrected)
    entry = evaluated(10, 5, 5, 2**20, 0.1)[-1]
    order, true = entry["numbers_order"], entry["numbers_exact"]
    return Evidence(
        found.kind,
        f"row '{entry['reference']}' at M = 10, d = 5, T = 2^20: {order:.3g} printed (constant 1), {true:.3g} sent;"
        f" {found.summary}",
        {"row": entry} | dict(found.figures),
        replay="python -m verify run erratum:E16",
    )


CLAIM = Claim(
    label="erratum:E16",
    title="tab:linear repeats the AGD communication of col:linear",
    section="Linear class",
    statement=__doc__ or "",
    tags=("erratum", "linear", "communication"),
    depends=("erratum:E14",),
    variants={
        "printed": Variant(r"O(d\log(d)\sqrt{M^3T})", (), Verdict.REFUTED),
        "repaired": Variant(r"O(d\sqrt{M^3T}\log(MT))", (), Verdict.PROVED),
    },
    checks=(
        Check("row", "printed", row, partial(row, corrected=True), "the row against the count"),
        Check("corrected", "repaired", partial(row, corrected=True), row, "the corrected row"),
    ),
)
