"""erratum:E20. Conditioned on the past.

lem:epoch_regret_bound is printed "conditioned on Upsilon^{l-1}". Given unlucky data the epoch's regret exceeds
11c^2 S/gamma; the bound holds in expectation over the data. Repair: strike the words.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.errata import erratum

CLAIM = erratum(
    20,
    "Conditioned on the past",
    __doc__ or "",
    (("conditional-bound", witnesses.conditional_bound),),
    ("lem:epoch_regret_bound",),
)
