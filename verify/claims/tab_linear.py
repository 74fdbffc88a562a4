"""tab:linear. Regret and numbers communicated in federated linear bandits, six rows; FedIGW's two are

    direct  O~(sqrt(dKMT)) regret, O(d^2 M log T) numbers
    AGD     O~(sqrt(dKMT)) regret, O(d log(d) sqrt(M^3 T)) numbers

The table is computed: every row's order as a formula, FedIGW's rows also as explicit bound and exact count. The AGD
row carries erratum E14 (here E16). The direct row stands: exact count over its order tends to 1/(2 ln 2) as d grows.
"""

from __future__ import annotations

from functools import partial

from bounds import linear_communication, tab_linear
from verify.claim import Check, Claim, Evidence, Task, Variant
from verify.claims.erratum_E16 import row
from verify.verdict import Verdict

SETTING = ("tau^l = 2^l, M synchronous agents, AGD to a fixed accuracy delta",)
PLACES = ((10, 5, 5, 2**10), (10, 5, 5, 2**20), (100, 10, 20, 2**20), (100, 10, 100, 2**30))


def direct_row(task: Task, power: int = 2) -> Evidence:
    """Exact numbers of the direct method over M d^power log T: bounded (power 2), or growing in d (power 1)."""
    import math

    ratios = {
        d: max(
            linear_communication.total_numbers("direct", m, d, t, 0.1) / (m * d**power * math.log(t))
            for m in (1, 10, 1000)
            for t in (2, 3, 2**10, 2**40)
        )
        for d in (1, 4, 16, 64, 256)
    }
    tables = {f"M={m} K={k} d={d} T={t}": tab_linear.evaluated(m, k, d, t, 0.1) for m, k, d, t in PLACES}
    figures = {"ratio": {str(k): v for k, v in ratios.items()}, "tables": tables}
    # M(d(d+1)/2 + 2d) log2 T <= 3 M d^2 log2 T = (3/ln 2) M d^2 ln T
    limit = 3 / math.log(2)
    if max(ratios.values()) > limit * (1 + 1e-12):
        return Evidence(
            Verdict.REFUTED, f"numbers / (M d^{power} log T) reaches {max(ratios.values()):.3g}", figures
        )
    return Evidence(
        Verdict.COMPUTED,
        f"numbers / (M d^2 log T) at most {max(ratios.values()):.3f} <= 3/ln 2, {ratios[256]:.3f} at d = 256",
        figures,
    )


def rendered() -> tuple[str, ...]:
    """The table at M = 10, K = 5, d = 5, T = 2^20, for `show`."""
    lines = ["at M = 10, K = 5, d = 5, T = 2^20 (orders with constant 1):"]
    for entry in tab_linear.evaluated(10, 5, 5, 2**20, 0.1):
        own = (
            f"; bound {entry['regret_bound']:.4g}, sent {entry['numbers_exact']:.4g}"
            if "regret_bound" in entry
            else ""
        )
        lines.append(
            f"  {entry['reference']:18} {entry['arms']:8} {entry['context']:11}"
            f" regret {entry['regret_order']:.4g}  numbers {entry['numbers_order']:.4g}{own}"
        )
    return tuple(lines)


CLAIM = Claim(
    label="tab:linear",
    title="Comparison of federated linear bandits",
    section="Linear class",
    statement=__doc__ or "",
    tags=("communication", "linear"),
    depends=("col:linear",),
    errata=("erratum:E16",),
    notes=rendered,
    variants={
        "printed": Variant(r"\text{AGD: } O(d\log(d)\sqrt{M^3T})", SETTING, Verdict.REFUTED),
        "repaired": Variant(r"\text{AGD: } O(d\sqrt{M^3T}\log(MT))", SETTING, Verdict.PROVED),
        "direct": Variant(r"\text{direct: } O(d^2M\log T)", SETTING, Verdict.COMPUTED),
    },
    checks=(
        Check("agd-row", "printed", row, partial(row, corrected=True), "the AGD row as printed"),
        Check("agd-row-corrected", "repaired", partial(row, corrected=True), row, "the AGD row corrected"),
        Check("direct-row", "direct", direct_row, partial(direct_row, power=1), "the direct row"),
    ),
)
