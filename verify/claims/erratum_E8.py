"""erratum:E8. The excess risk is not clipped.

(25 ln(|F|n) + 1)/n exceeds 1, the largest squared error there is, at small n: 37.9 at n = 2, |F| = 10.
A remark, not an error: the paper prints no line that says otherwise, and its bound stays true. But it says nothing
there, and the learning rate computed from it is needlessly small. Repair: min(1, .), which holds by definition.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.claim import Erratum, Severity
from verify.errata import erratum

CLAIM = erratum(
    8,
    "The excess risk is not clipped",
    __doc__ or "",
    (("excess-risk-above-one", witnesses.excess_risk_above_one),),
    Erratum(
        place="Appendix D.1, lem:finite_error, second half, as it enters gamma in col:finite",
        severity=Severity.CONSTANT,
        order_survives="yes",
        repair="min(1, .): a remark on small n, the printed bound is true",
        about=("lem:finite_error", "col:finite"),
        printed=False,
    ),
)
