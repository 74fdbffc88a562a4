"""erratum:E5. The last display of the theorem.

The last display of the proof of thm:global_regret sums E^{l-1} where E^l is meant, writes Kbar without its
epoch and drops sqrt(c): Kbar may grow between epochs by as much as c.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.claim import Erratum, Severity
from verify.errata import erratum

claim = erratum(
    5,
    "The last display of the theorem",
    __doc__ or "",
    (
        ("missing-root-of-c", witnesses.missing_root_of_c),
        ("wrong-epoch-lengths", witnesses.wrong_epoch_lengths),
    ),
    Erratum(
        place="Appendix C.2, proof of thm:global_regret, last line of the display",
        severity=Severity.TYPO,
        order_survives="yes, as the theorem states it, with c^{5/2}",
        repair="sum E^l for sum E^{l-1}, Kbar^l for Kbar, and sqrt(c) more, as in the statement",
        about=("thm:global_regret",),
    ),
    ("thm:global_regret", ("E5 printed, sqrt c missing", "E5 printed, previous lengths"), ("an epoch",)),
)
