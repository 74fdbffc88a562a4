"""erratum:E6. Monotone learning rates are necessary.

Learning rates must not decrease: gamma^{l-1} <= gamma^l is used in the middle of a proof and never stated.

M = 1, K = 2, one context, deterministic rewards f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function,
epochs (6250000, 2500, 1): every other hypothesis holds, and epoch 3 has regret 0.2134 > 11K/gamma^3 = 0.1887.
With the first two epochs exchanged the learning rates increase and the bound holds.
"""

from finite_class.lemmas import decreasing_rates
from finite_class.lemmas.witnesses import Witness
from verify.claim import Severity
from verify.papers.fedigw.errata import erratum


def third_epoch() -> Witness:
    """Return the third epoch with decreasing learning rates, and with increasing ones."""
    wrong, right = decreasing_rates.third_epoch(True), decreasing_rates.third_epoch(False)
    second, third = map(float, wrong.rates)
    rare, cautious = 1 / (2 + second / 2), 1 / (2 + third / 2)
    fooled = 1 - cautious
    unseen = (1 - rare) ** decreasing_rates.SHORT
    return Witness(
        "f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function, epochs (6250000, 2500, 1): "
        f"gamma = {float(wrong.rates[0]):g}, then {float(wrong.rates[1]):g}",
        "regret of epoch 3 <= 11 K/gamma^3 without gamma^2 <= gamma^3",
        wrong.sides,
        "regret of epoch 3 <= 11 K/gamma^3 with gamma^2 <= gamma^3",
        right.sides,
        "f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function, epochs (2500, 6250000, 1): "
        f"gamma = {float(right.rates[0]):g}, then {float(right.rates[1]):g}",
        (
            "after n steps in which arm 2 has probability p, the rival survives if arm 2 was never played; it errs by",
            "  1 on arm 2, so the excess risk is p (1-p)^n, at most e_n = (n/(n+1))^n/(n+1), gamma = sqrt(2/e_n):",
            f"  gamma^2 = {second:g} from n = 6250000, gamma^3 = {third:g} from n = 2500",
            f"epoch 2, f* known: arm 2 is played with p = 1/(2 + gamma^2/2) = {rare:.3g}, and in none of 2500 steps"
            f" with probability (1-p)^2500 = {unseen:.4f}",
            f"epoch 3, one step: f* plays arm 2 with 1/(2 + gamma^3/2) = {cautious:.4f}, the rival, used with"
            f" probability {unseen:.4f}, with {fooled:.4f}; arm 2 costs 1/2",
            f"regret = ({unseen:.4f} ({fooled:.4f}) + {1 - unseen:.4f} ({cautious:.4f}))/2 ="
            f" {(unseen * fooled + (1 - unseen) * cautious) / 2:.4f} > 11 (2)/gamma^3 = {22 / third:.4f}",
        ),
    )


claim = erratum(
    __doc__,
    third_epoch,
    place="Appendix C.2, proof of lem:true_virtual_loss, step (f): 'the assumption that gamma^l >= gamma^{l-1}',"
    " which is stated nowhere",
    severity=Severity.HYPOTHESIS,
    order_survives="yes, with it",
    repair="learning rates do not decrease from epoch 2 on (H5)",
    about=("lem:true_virtual_loss", "lem:epoch_regret_bound", "thm:global_regret"),
)
