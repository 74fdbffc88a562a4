"""erratum:E3. Step (g): ratio_min where 1/ratio_min is meant.

E^{l-1}_m <= E^l_m / ratio_min, so step (g) of lem:true_virtual_loss must divide by the smallest growth ratio.
As printed the sum that closes the induction is 15.5 > 9 when every epoch doubles; divided it is 8.75.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.errata import erratum

CLAIM = erratum(
    3,
    "Step (g): ratio_min where 1/ratio_min is meant",
    __doc__ or "",
    (("inverted-ratio", witnesses.inverted_ratio),),
    ("lem:true_virtual_loss",),
    ("printed steps", ("E3 printed", "E3 printed sum"), ("E3 repaired", "E3 repaired sum")),
)
