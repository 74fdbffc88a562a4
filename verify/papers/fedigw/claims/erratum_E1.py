"""erratum:E1. From a fixed to a random policy.

lem:true_virtual_loss is stated for a fixed policy in expectation, and so it is true; it is applied to pihat^l and Q^l,
which depend on the same data. An inequality between expectations for each policy does not survive that: the error is
in the use of the lemma, not in the lemma.

Repair: put the supremum over policies inside the expectation (lem:true_virtual_loss, repaired).
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.fixed_to_random_policy,
    place="Appendix C.2, proof of lem:epoch_regret_bound, the display after step (a), where Q^l is random;"
    " proof of lem:true_virtual_loss, second half, at pihat^l",
    severity=Severity.GAP,
    order_survives="yes",
    repair="put the supremum over policies inside the expectation (lem:true_virtual_loss, repaired)",
    about=("lem:epoch_regret_bound", "lem:true_virtual_loss"),
)
