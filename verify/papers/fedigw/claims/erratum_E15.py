"""erratum:E15. The hypotheses of lem:FedAvg_complete contradict each other on R^d, so that the lemma is about no
problem.

A strongly convex function on R^d has gradients of any size, so no problem has the printed "G_b-bounded dissimilarity
for any omega". lem:FedAvg_complete, lem:LSGD-PFL_full and col:convex with FedAvg therefore say nothing. For least
squares in which an agent has two features that are not equal up to sign, the variance of stochastic gradients is
unbounded too, so lem:SCAFFOLD_complete does not apply to it. Bounds on heterogeneity and noise at the minimiser
suffice; with them the rates hold for ridge regression.
"""

from finite_class.lemmas import convex_witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    convex_witnesses.unbounded_gradient,
    convex_witnesses.unbounded_variance,
    title="Assumes bounded gradients, or bounded variance of them, on all of R^d, where its losses have neither",
    place="Appendix F, lem:FedAvg_complete: 'G_b-bounded for any omega', with strong convexity on R^d",
    severity=Severity.VACUOUS,
    order_survives="yes, with bounds at the minimiser only",
    repair="zeta* and sigma* at the minimiser; explicit constants in lem:FedAvg_complete repaired",
    about=("lem:FedAvg_complete", "lem:SCAFFOLD_complete", "lem:LSGD-PFL_full", "col:convex"),
)
