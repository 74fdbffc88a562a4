"""erratum:E8. The excess risk is not clipped.

(25 ln(|F|n) + 1)/n exceeds 1, the largest squared error there is, at small n: 37.9 at n = 2, |F| = 10.
The bound stays true and says nothing; the learning rate computed from it is needlessly small. Repair: min(1, .).
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.errata import erratum

CLAIM = erratum(
    8,
    "The excess risk is not clipped",
    __doc__ or "",
    (("excess-risk-above-one", witnesses.excess_risk_above_one),),
    ("lem:finite_error", "col:finite"),
)
