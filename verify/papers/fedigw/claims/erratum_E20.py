"""erratum:E20. Conditioned on the past.

A remark on wording: lem:epoch_regret_bound is introduced with "conditioned on Upsilon^{l-1}". Given unlucky data the
epoch's regret exceeds 11c^2 S/gamma; the bound holds in expectation over the data, as its display is written. Strike
the words.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.conditional_bound,
    place="Appendix C.2, lem:epoch_regret_bound, 'conditioned on Upsilon^{l-1}'",
    severity=Severity.REMARK,
    order_survives="yes",
    repair="strike the words: the display takes the expectation over Upsilon^{l-1}",
    about=("lem:epoch_regret_bound",),
)
