"""erratum:E9. col:finite drops the first epoch.

The first epoch is played uniformly and costs M E^1 (1 - 1/K), which O(sqrt(KMT log(|F|MT))) does not cover
when M is large: K = 2, |F| = 2, T = 2, M = 10^6 has regret M, 128 times the printed order. Repair: add it.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.errata import erratum

CLAIM = erratum(
    9,
    "col:finite drops the first epoch",
    __doc__ or "",
    (("dropped-first-epoch", witnesses.dropped_first_epoch),),
    ("col:finite",),
)
