"""erratum:E19. The first learning rate.

The proof of lem:true_virtual_loss sets eta^1 = 9c^2 S^1, that is gamma^1 = 1, and then assumes gamma^1 <= gamma^2.
With col:finite's own learning rate gamma^2 < 1 while n is small, so its induction does not start.

Repair: gamma^1 plays no role, because fhat^1 = 0; start from b^1 = 0.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.first_learning_rate,
    place="Appendix C.2, proof of lem:true_virtual_loss, first display and step (f) at l = 2",
    severity=Severity.GAP,
    order_survives="yes",
    regime="gamma^2 < 1: samples are few against log(|F|n)/K",
    repair="start the induction from b^1 = 0: gamma^1 plays no role, because fhat^1 = 0",
    about=("lem:true_virtual_loss", "col:finite"),
)
