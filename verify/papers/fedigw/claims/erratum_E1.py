"""erratum:E1. The paper applies a lemma about a fixed policy to policies that depend on the data.

lem:true_virtual_loss compares expectations for each fixed policy, and is true. Its proof and that of
lem:epoch_regret_bound apply the lemma to the greedy policy pihat^l of epoch l and to the mixture of policies Q^l, which
depend on the same data as the expectation. For such policies the inequality can fail.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.fixed_to_random_policy,
    place="Appendix C.2, proof of lem:epoch_regret_bound, the display after step (a), where Q^l is random;"
    " proof of lem:true_virtual_loss, second half, at pihat^l",
    severity=Severity.GAP,
    repair="put the supremum over policies inside the expectation (lem:true_virtual_loss, repaired)",
    about=("lem:epoch_regret_bound", "lem:true_virtual_loss"),
)
