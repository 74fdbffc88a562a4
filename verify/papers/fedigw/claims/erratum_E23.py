"""erratum:E23. lem:error_decompose needs its condition in the main text too.

Strong convexity of the loss is not enough for excess risk <= 2(eps_opt + eps_gen)/mu_f (optimisation error,
generalisation error, convexity of the loss). The true function f* must also minimise the conditional expected loss.
The appendix states this condition; Section 4.2, and col:convex_raw which refers to it, do not.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.missing_optimality,
    place="Section 4.2, lem:error_decompose, its conditions",
    severity=Severity.HYPOTHESIS,
    order_survives="yes, with this hypothesis",
    repair="f* minimises the expected loss given context and arm, as the appendix says",
    about=("lem:error_decompose", "col:convex_raw"),
)
