"""erratum:E11. lem:error_decompose is reversed in the appendix.

The complete version of the lemma states excess risk >= 2(eps_opt + eps_gen)/mu_f, where eps_opt is the optimisation
error, eps_gen the generalisation error and mu_f the strong convexity of the loss. Its proof and the main text have <=.
"""

from finite_class.lemmas import witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    witnesses.reversed_decomposition,
    title="lem:error_decompose has its inequality reversed in the appendix",
    place="Appendix D.2, complete version of lem:error_decompose, display of the statement",
    severity=Severity.FALSE,
    order_survives="yes: the results that follow use the right direction, <=",
    repair="<= for >=, as the proof shows",
    about=("lem:error_decompose",),
)
