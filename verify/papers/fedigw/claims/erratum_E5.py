"""erratum:E5. The last formula in the proof of thm:global_regret has wrong epoch lengths and omits a factor sqrt(c).

It sums the lengths E^{l-1} where E^l is meant, and writes the mean number of arms Kbar without the index of its
epoch. The factor sqrt(c) is needed because Kbar may grow by a factor c between epochs, where c measures how unequally
epochs grow.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

# An epoch's regret is at most 11 c^2 sqrt(c Kbar^l e) W^l; rate = sqrt(e/Kbar^{l-1}), root = sqrt(Kbar^l e)
POSITIVE = "W > 0, W_before > 0, Kbar > 0, Kbar_before > 0, e > 0, rate > 0, root > 0, root_c > 0, c >= 1"
ROOTS = "rate*rate*Kbar_before == e, root*root == Kbar*e, root_c*root_c == c"
GIVEN = f"{POSITIVE}, Kbar <= c*Kbar_before, {ROOTS}, regret <= 11*c*c*Kbar*W*rate"
PRINTED = f"""
    without sqrt(c)
        {GIVEN} => regret <= 11*c*c*root*W
    with the lengths of epoch l-1
        {GIVEN} => regret <= 11*c*c*root_c*root*W_before
"""
REPAIRED = f"""
    one epoch
        {GIVEN} => regret <= 11*c*c*root_c*root*W
"""

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
