"""erratum:E2. A slip of arithmetic: (4/3)(25/4) is 25/3.

In the proof of lem:true_virtual_loss a bound on (3/4) S[Reg], with S[Reg] the regret of a policy summed over steps, is
divided by 3/4, but its last term 25c^2/4 is copied unchanged. The conclusion is true, as 1/(3c) + 25c^2/3 <= 9c^2.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

# w = S/gamma, reg = S[Reg], reghat = S[Reghat]; before: (3/4) S[Reg] <= S[Reghat] + w/(4c) + 25 c^2 w/4, times 4c
BEFORE = "c >= 1, w > 0, reg >= 0, reghat >= 0, 3*c*reg <= 4*c*reghat + w + 25*c**3*w"
PRINTED = f"""
    25/4
        {BEFORE} => 12*c*reg <= 16*c*reghat + 4*w + 75*c**3*w
"""
REPAIRED = f"""
    25/3
        {BEFORE} => 12*c*reg <= 16*c*reghat + 4*w + 100*c**3*w
    the conclusion survives
        {BEFORE} => reg <= 2*reghat + 9*c**2*w
"""

claim = erratum(
    __doc__,
    witnesses.four_thirds,
    place="Appendix C.2, proof of lem:true_virtual_loss, end of the first half, last term after the arrow",
    severity=Severity.CONSTANT,
    repair="25/3 for 25/4; the conclusion 9c^2 survives",
    about=("lem:true_virtual_loss",),
    steps=(PRINTED, REPAIRED),
)
