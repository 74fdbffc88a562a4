"""erratum:E2. (4/3)(25/4) is 25/3.

In the proof of lem:true_virtual_loss the line (3/4) S[Reg] <= ... is divided by 3/4, but its last term
25c^2/4 is copied. The conclusion survives: 1/(3c) + 25c^2/3 <= 9c^2.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.claim import Erratum, Severity
from verify.errata import erratum

claim = erratum(
    2,
    "(4/3)(25/4) is 25/3",
    __doc__ or "",
    (("four-thirds", witnesses.four_thirds),),
    Erratum(
        place="Appendix C.2, proof of lem:true_virtual_loss, end of the first half, last term after the arrow",
        severity=Severity.CONSTANT,
        order_survives="yes",
        repair="25/3 for 25/4; the conclusion 9c^2 survives",
        about=("lem:true_virtual_loss",),
    ),
    ("printed steps", ("E2 printed",), ("E2 repaired", "E2 conclusion survives")),
)
