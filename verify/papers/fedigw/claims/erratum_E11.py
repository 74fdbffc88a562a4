"""erratum:E11. lem:error_decompose is reversed, and needs its condition.

The appendix prints excess risk >= 2(eps_opt + eps_gen)/mu_f; the proof gives <=. The main text omits the
condition that f* minimises the conditional expected loss, without which <= is false too.
"""

from __future__ import annotations

from finite_class.lemmas import witnesses
from verify.claim import Severity
from verify.papers.fedigw.errata import erratum

claim = erratum(
    __doc__,
    witnesses.reversed_decomposition,
    witnesses.missing_optimality,
    place="Appendix D.2, complete version of lem:error_decompose, display of the statement; Section 4.2, the same"
    " lemma, its conditions",
    severity=Severity.TYPO,
    order_survives="yes",
    repair="<= for >=, as the proof shows, and the optimality condition also in the main text",
    about=("lem:error_decompose",),
)
