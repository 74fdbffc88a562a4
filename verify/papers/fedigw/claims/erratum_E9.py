"""erratum:E9. col:finite drops the first epoch.

Epoch 1 is uniform. With M agents, K arms and E^1 steps it can have the regret M E^1 (1 - 1/K), which is not
O(sqrt(KMT log(|F|MT))) for large M. At K = 2, |F| = 2, T = 2, M = 10^6 the regret is M, 128 times the printed order.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.dropped_first_epoch,
    title="col:finite leaves out the first epoch, in which every agent plays at random",
    place="Section 4.2, col:finite; Appendix D.1, its proof, second line of the display (M E^1 disappears)",
    severity=Severity.FALSE,
    order_survives="as printed, not if M is far above K T; yes once M E^1 (epoch 1) is added",
    regime="M is large against K T log(|F|MT); else the first epoch's 2M is below the printed order",
    repair="O(M + sqrt(KMT log(|F|MT)))",
    about=("col:finite", "col:linear"),
)
