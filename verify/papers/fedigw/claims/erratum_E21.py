"""erratum:E21. The Rademacher complexity of col:convex is infinite on R^d.

For the squared loss of a linear model sum_i sigma_i phi_i phi_i' has a positive eigenvalue with positive probability,
and then the supremum over R^d is infinite; lem:FedAvg_complete and lem:SCAFFOLD_complete need all of R^d. As printed
col:convex_raw and col:convex bound nothing there. On a ball the complexity is of order 1/sqrt(n), from both sides:
the road gives regret of order (MT)^{3/4}, not the sqrt(T) that ridge regression has by the direct road.
"""

from __future__ import annotations

from finite_class.lemmas import convex_witnesses
from verify.claim import Severity
from verify.papers.fedigw.errata import erratum

claim = erratum(
    __doc__,
    convex_witnesses.infinite_complexity,
    convex_witnesses.slow_rate,
    title="The Rademacher complexity is infinite on R^d",
    place="Appendix D.2, Lemma lem:rademacher used in Corollaries col:convex_raw and col:convex",
    severity=Severity.HYPOTHESIS,
    order_survives="no: on a ball this road gives (MT)^(3/4); ridge regression keeps sqrt(T) by another road",
    repair="a bounded class, or the direct road for ridge regression",
    about=("lem:rademacher", "col:convex_raw", "col:convex", "col:convex_per"),
    printed=False,
)
