"""erratum:E3. Step (g): ratio_min where 1/ratio_min is meant.

E^{l-1}_m <= E^l_m / ratio_min, so the display that explains step (g) of lem:true_virtual_loss must divide by the
smallest growth ratio. As printed it fails when epochs shrink. A typo: the chain that uses it has the right value.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.claim import Erratum, Severity
from verify.errata import erratum

claim = erratum(
    3,
    "Step (g): ratio_min where 1/ratio_min is meant",
    __doc__ or "",
    (("inverted-ratio", witnesses.inverted_ratio),),
    Erratum(
        place="Appendix C.2, proof of lem:true_virtual_loss, the display that explains step (g)",
        severity=Severity.TYPO,
        order_survives="yes",
        repair="1/cund for cund; the chain above the display already has the right value",
        about=("lem:true_virtual_loss",),
    ),
    ("printed steps", ("E3 printed",), ("E3 repaired",)),
)
