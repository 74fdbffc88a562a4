"""erratum:E21. The Rademacher complexity in col:convex is infinite on R^d, and so is the printed bound.

col:convex assumes local losses that are strongly convex in omega on R^d. With probability 2^-n all Rademacher signs
of n samples are +1; the complexity then has the supremum of the empirical loss over omega, which is infinite. So the
complexity and the printed bound are infinite for every such loss. On a ball the complexity of the squared loss is
exactly of order 1/sqrt(n). The argument then gives a regret of order (MT)^{3/4} for M agents and T steps, not the
sqrt(T) that a direct argument gives for ridge regression.
"""

from finite_class.lemmas import convex_witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    convex_witnesses.infinite_complexity,
    convex_witnesses.slow_rate,
    title="The bound contains the Rademacher complexity of losses on all of R^d, which is infinite",
    place="Appendix D.2, col:convex, its regret, with the supremum over all omega of lem:rademacher;"
    " Appendix E.1, col:convex_per",
    severity=Severity.VACUOUS,
    order_survives="in general no, only (MT)^(3/4), for parameters in a ball; for ridge regression yes, by"
    " another argument",
    repair="a bounded class, or a direct argument for ridge regression",
    about=("lem:rademacher", "col:convex", "col:convex_per"),
)
