"""erratum:E18. The exponential that col:convex omits is not negligible.

A remark: the paper says that it omits the term, and prints no line that denies it. lem:FedAvg_complete has a term
mu D^2 exp(-mu rho/(16 beta)), dropped "for simplicity". At the rounds that col:convex then asks for, of order beta/mu
when noise and heterogeneity vanish, it is e^{-1/2} = 0.61 (rho = 8 beta/mu, the least that the lemma allows), however
small R^l is. It needs rho >= (16 beta/mu) ln(mu D^2/R^l): a logarithm of n, which O~ may hide.
"""

from finite_class.lemmas import convex_witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    convex_witnesses.omitted_exponential,
    title="The omitted exponential is 0.61",
    place="Appendix F, after lem:FedAvg_complete: 'the last term ... is omitted ... for simplicity'",
    severity=Severity.REMARK,
    order_survives="yes: O~ may hide a logarithm of n",
    repair="rho >= (16 beta/mu) ln(mu D^2/R^l)",
    about=("col:convex", "lem:FedAvg_complete"),
    printed=False,
)
