"""erratum:E5. The last display of the theorem.

The last display of the proof of thm:global_regret sums E^{l-1} where E^l is meant, writes Kbar without its
epoch and drops sqrt(c): Kbar may grow between epochs by as much as c.
"""

from __future__ import annotations

from typing import Any

from finite_class.lemmas import witnesses
from verify.claim import Severity
from verify.formal.scalar_steps import ScalarStep
from verify.papers.fedigw.errata import erratum


def epoch(factor: bool, lengths: bool) -> Any:
    """Return the step: an epoch's regret is at most 11 c^2 sqrt(c Kbar^l e) W^l.

    factor: with sqrt(c), or without. lengths: W^l, or W^{l-1}.
    kbar, before: Kbar^l and Kbar^{l-1}. rate = sqrt(e/before), root = sqrt(kbar e), root_c = sqrt(c).
    """

    def claim(*variables: Any) -> Any:
        regret, c, W, W_before, kbar, before, e, rate, root, root_c = variables
        signs = [v > 0 for v in (W, W_before, kbar, before, e, rate, root, root_c)]
        roots = [rate * rate * before == e, root * root == kbar * e, root_c * root_c == c]
        lemma = regret <= 11 * c * c * kbar * W * rate
        bound = 11 * c * c * (root_c if factor else 1) * root * (W if lengths else W_before)
        return [*signs, c >= 1, kbar <= c * before, *roots, lemma], regret <= bound

    return claim


NAMES = "regret c W W_before Kbar Kbar_before e rate root root_c"
PRINTED = (
    ScalarStep("without sqrt(c)", NAMES, epoch(factor=False, lengths=True)),
    ScalarStep("with the lengths of epoch l-1", NAMES, epoch(factor=True, lengths=False)),
)
REPAIRED = (ScalarStep("one epoch", NAMES, epoch(factor=True, lengths=True)),)


claim = erratum(
    __doc__,
    witnesses.missing_root_of_c,
    witnesses.wrong_epoch_lengths,
    place="Appendix C.2, proof of thm:global_regret, last line of the display",
    severity=Severity.TYPO,
    order_survives="yes, as the theorem states it, with c^{5/2}",
    repair="sum E^l for sum E^{l-1}, Kbar^l for Kbar, and sqrt(c) more, as in the statement",
    about=("thm:global_regret",),
    steps=(PRINTED, REPAIRED),
)
