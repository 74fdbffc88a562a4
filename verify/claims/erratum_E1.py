"""erratum:E1. From a fixed to a random policy.

lem:true_virtual_loss is stated for a fixed policy in expectation and applied to pihat^l and Q^l,
which depend on the same data. An inequality between expectations for each policy does not survive that.

Repair: put the supremum over policies inside the expectation (lem:true_virtual_loss, repaired).
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.errata import erratum

CLAIM = erratum(
    1,
    "From a fixed to a random policy",
    __doc__ or "",
    (("fixed-to-random-policy", witnesses.fixed_to_random_policy),),
    ("lem:true_virtual_loss", "lem:epoch_regret_bound"),
)
