"""erratum:E19. The first learning rate is larger than the second.

The proof of lem:true_virtual_loss starts its induction at eta^1 = 9c^2 S^1, where the general formula is eta^l = 9c^2
S^l/gamma^l. That means that the learning rate of epoch 1 is gamma^1 = 1, and the proof then uses gamma^1 <= gamma^2.
The learning rate of col:finite has gamma^2 < 1 while there are few samples, so the induction does not start.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.first_learning_rate,
    place="Appendix C.2, proof of lem:true_virtual_loss, first display and step (f) at l = 2",
    severity=Severity.GAP,
    regime="gamma^2 < 1: samples are few against log(|F|n)/K",
    repair="start the induction from b^1 = 0: gamma^1 plays no role, because fhat^1 = 0",
    about=("lem:true_virtual_loss", "col:finite"),
)
