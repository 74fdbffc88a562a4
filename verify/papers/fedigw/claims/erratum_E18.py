"""erratum:E18. The exponential term that col:convex omits is not negligible.

A remark, because the paper says that it omits the term "for simplicity". lem:FedAvg_complete has a term mu D^2 exp(-mu
rho/(16 beta)) after rho rounds, where D is the distance of the start from the minimiser, beta the largest and mu the
smallest curvature. If noise and heterogeneity vanish, col:convex asks for a number of rounds of order beta/mu. At rho =
8 beta/mu, the least that the lemma allows, the exponential is e^{-1/2} = 0.61, however small the complexity R^l is. The
term is below R^l only if rho >= (16 beta/mu) ln(mu D^2/R^l), a logarithm of the number of samples that O~ may hide.
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
