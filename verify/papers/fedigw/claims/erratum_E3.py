"""erratum:E3. Step (g) of a proof multiplies by ratio_min where it must divide by it.

ratio_min is the smallest growth of an epoch length: E^{l-1}_m <= E^l_m / ratio_min for agent m and epoch l. So the
display that explains step (g) in the proof of lem:true_virtual_loss must divide by ratio_min. As printed it is false
when epochs shrink. It is a typo: the inequalities that use it have the right value.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

# previous and now: S^{l-1} and S^l of Reg(pihat); w = S^l/gamma^l. The first half of the lemma, and growing lengths:
FIRST_HALF = "c >= 1, w > 0, ratio > 0, previous >= 0, now <= 9*c**2*w, ratio*previous <= now"
PRINTED = f"""
    times ratio_min
        {FIRST_HALF} => previous <= ratio*9*c**2*w
"""
REPAIRED = f"""
    divided by ratio_min
        {FIRST_HALF} => ratio*previous <= 9*c**2*w
"""

claim = erratum(
    __doc__,
    witnesses.inverted_ratio,
    place="Appendix C.2, proof of lem:true_virtual_loss, the display that explains step (g)",
    severity=Severity.TYPO,
    regime="epochs shrink, cund < 1; else the printed line is weaker than the right one, and true",
    repair="1/cund for cund; the chain above the display already has the right value",
    about=("lem:true_virtual_loss",),
    steps=(PRINTED, REPAIRED),
)
