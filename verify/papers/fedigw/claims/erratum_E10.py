"""erratum:E10. A truncated last epoch makes the printed c about T.

c is printed as the ratio of the largest to the smallest E^l_m/E^{l-1}_m over agents and epochs. A horizon one step
after an epoch's end makes it about T. The paper nowhere says that c is at most 2 under tau^l = 2^l; its corollaries
rely on it, for they drop c. Repair: c_l over agents within one epoch, c = max_l c_l.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.truncated_epoch,
    place="Section 4.1, definition of c, maximum and minimum over epochs l <= l(T)",
    severity=Severity.REMARK,
    order_survives="yes",
    repair="c_l over agents within one epoch, c = max_l c_l: 1 for synchronous agents",
    about=("thm:global_regret",),
    printed=False,
)
