"""erratum:E20. lem:epoch_regret_bound holds in expectation, but not conditioned on the past, as it is introduced.

A remark on wording: the lemma is introduced with "conditioned on Upsilon^{l-1}", the data of earlier epochs. Given
unlucky data the regret of epoch l exceeds the bound 11c^2 S^l/gamma^l, where S^l is the sum over agents of steps
times arms and gamma^l the learning rate. The bound holds in expectation over the data, as its formula says.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.conditional_bound,
    place="Appendix C.2, lem:epoch_regret_bound, 'conditioned on Upsilon^{l-1}'",
    severity=Severity.REMARK,
    repair="strike the words: the display takes the expectation over Upsilon^{l-1}",
    about=("lem:epoch_regret_bound",),
)
