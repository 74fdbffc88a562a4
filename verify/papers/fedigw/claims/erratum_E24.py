"""erratum:E24. col:convex_raw charges the optimisation error one epoch too early.

The model used in epoch l was fitted to the data of epoch l-1, so its optimisation error is eps_opt^{l-1}; the paper
prints eps_opt^l. So the error of the second call of the protocol is added to the regret of epoch 2, although the model
that this call learns is used in epoch 3. If an epoch is at most a constant times as long as the one before, as for
epochs that end at step 2^l, only a constant changes; for epochs of 1, m, m^2 steps no constant suffices.
"""

from finite_class.lemmas import convex_witnesses
from verify.papers.fedigw.errata import Severity, erratum

claim = erratum(
    __doc__,
    convex_witnesses.early_error,
    title="col:convex_raw counts a model's optimisation error one epoch too early",
    place="Section 4.2, col:convex_raw, its regret: eps_opt^l; Appendix D.2, its restatement",
    severity=Severity.FALSE,
    order_survives="yes if epochs grow by at most a constant factor, as doubling epochs do; else no",
    regime="epochs grow by more than any constant factor, which the corollary allows",
    repair="eps_opt^{l-1} next to R^{l-1}",
    about=("col:convex_raw",),
)
