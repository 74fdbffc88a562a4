"""erratum:E6. Monotone learning rates are necessary.

Learning rates must not decrease: gamma^{l-1} <= gamma^l is used in the middle of a proof and never stated.

M = 1, K = 2, one context, deterministic rewards f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function,
epochs (6250000, 2500, 1): every other hypothesis holds, and epoch 3 has regret 0.2134 > 11K/gamma^3 = 0.1887.
With the first two epochs exchanged the learning rates increase and the bound holds.
"""

from __future__ import annotations

from finite_class.lemmas import decreasing_rates
from finite_class.lemmas.witnesses import Witness
from verify.claim import Severity
from verify.papers.fedigw.errata import erratum


def third_epoch() -> Witness:
    """The third epoch with decreasing learning rates, and with increasing ones."""
    wrong, right = decreasing_rates.third_epoch(True), decreasing_rates.third_epoch(False)
    return Witness(
        "f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function, epochs (6250000, 2500, 1): "
        f"gamma = {float(wrong.rates[0]):g}, then {float(wrong.rates[1]):g}",
        "regret of epoch 3 <= 11 K/gamma^3 without gamma^2 <= gamma^3",
        wrong.sides,
        "regret of epoch 3 <= 11 K/gamma^3 with gamma^2 <= gamma^3",
        right.sides,
        "f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function, epochs (2500, 6250000, 1): "
        f"gamma = {float(right.rates[0]):g}, then {float(right.rates[1]):g}",
    )


claim = erratum(
    __doc__,
    third_epoch,
    place="Appendix C.2, proof of lem:true_virtual_loss, step (f): 'the assumption that gamma^l >= gamma^{l-1}',"
    " which is stated nowhere",
    severity=Severity.HYPOTHESIS,
    order_survives="yes, with it",
    repair="state H5: learning rates do not decrease from epoch 2 on",
    about=("lem:true_virtual_loss", "lem:epoch_regret_bound", "thm:global_regret"),
)
