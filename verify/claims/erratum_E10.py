"""erratum:E10. A truncated last epoch makes the printed c about T.

c is printed as the ratio of the largest to the smallest E^l_m/E^{l-1}_m over agents and epochs. A horizon one
step after an epoch's end makes it about T. Repair: c_l over agents within one epoch, c = max_l c_l.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.errata import erratum

CLAIM = erratum(
    10,
    "A truncated last epoch makes the printed c about T",
    __doc__ or "",
    (("truncated-epoch", witnesses.truncated_epoch),),
    ("thm:global_regret",),
)
