"""erratum:E10. If the horizon cuts the last epoch, the printed constant c can be as large as the horizon T.

The constant c of the regret bound is printed as the ratio of the largest to the smallest growth E^l_m/E^{l-1}_m of an
epoch length, over all agents m and epochs l. If the horizon is one step after the end of an epoch, that ratio is
about T. The corollaries omit c, which is only allowed if it is bounded, but the paper does not say so.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.truncated_epoch,
    place="Section 4.1, definition of c, maximum and minimum over epochs l <= l(T)",
    severity=Severity.REMARK,
    repair="c_l over agents within one epoch, c = max_l c_l: 1 for synchronous agents",
    about=("thm:global_regret",),
    printed=False,
)
