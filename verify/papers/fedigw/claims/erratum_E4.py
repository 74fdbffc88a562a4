"""erratum:E4. The last lines of a proof bound a quantity about which their premises say nothing.

The last two displays of the proof of lem:true_virtual_loss have Reghat^{l-1}(pihat^l) on the left, the regret of the
greedy policy of epoch l under the previous estimate. They should have Reghat^l(pi), the regret of any policy under the
present one. As printed the displays do not follow from the lines before them.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

# other = S[Reghat^{l-1}(pihat^l)], of which the lines before, S[Reghat] - S[Reg] <= w/(4c) + (17/2) c^2 w + S[Reg]/4,
# here times 4c, say nothing
SIGNS = "c >= 1, w > 0, reg >= 0, reghat >= 0, other >= 0"
BEFORE = f"{SIGNS}, 4*c*(reghat - reg) <= w + 34*c**3*w + c*reg"
PRINTED = f"""
    Reghat^{{l-1}}(pihat^l)
        {BEFORE} => other <= 2*reg + 9*c**2*w
"""
REPAIRED = f"""
    Reghat^l(pi)
        {BEFORE} => reghat <= 2*reg + 9*c**2*w
"""

claim = erratum(
    __doc__,
    witnesses.wrong_subject,
    place="Appendix C.2, proof of lem:true_virtual_loss, last two displays, left-hand sides",
    severity=Severity.TYPO,
    repair="Reghat^l(pi) for Reghat^{l-1}(pihat^l)",
    about=("lem:true_virtual_loss",),
    steps=(PRINTED, REPAIRED),
)
