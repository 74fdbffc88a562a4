"""erratum:E6. Monotone learning rates are necessary.

The proof of lem:true_virtual_loss uses that the learning rates gamma^l of epochs l do not decrease, gamma^{l-1} <=
gamma^l, but no statement of the paper assumes it.

Counterexample: one agent, K = 2 arms, one context, deterministic rewards f* = (1/2, 0), two functions f* and (1/2, 1),
ties go to the wrong one, epochs of 6250000, 2500 and 1 steps. Every other hypothesis holds, and epoch 3 has the regret
0.2134 > 11K/gamma^3 = 0.1887. If the first two epochs are exchanged, the learning rates increase and the bound holds.
The counterexample breaks the bound of one epoch (Lemmas C.4 and C.5). The total of Theorem 4.1, whose first term is the
6250000 steps of epoch 1, is not exceeded here; its proof is the sum of these bounds, so it needs the hypothesis too.
"""

from fractions import Fraction
from math import comb

from finite_class.lemmas.sides import Sides, arm_probabilities
from finite_class.lemmas.witnesses import Witness
from verify.papers.fedigw.errata import Severity, erratum

TRUTH, RIVAL = (Fraction(1, 2), Fraction(0)), (Fraction(1, 2), Fraction(1))
LONG, SHORT = 6_250_000, 2_500


def risk_above(n: int, terms: int = 12) -> Fraction:
    """Return a rational slightly above (1/(n+1)) (n/(n+1))^n, a bound on the excess risk of the counterexample after
    n samples, from the first `terms` terms of a binomial series."""
    # after n steps the wrong function is used only if arm 2, of probability p, was never played, and it is wrong by
    # 1 on arm 2: so the excess risk is p (1-p)^n, at most e_n for every p
    growth = sum((Fraction(comb(n, j), n**j) for j in range(min(n, terms) + 1)), Fraction(0))
    return 1 / ((n + 1) * growth)


def rate_below(n: int) -> Fraction:
    """Return a rational that is at most sqrt(K/e), the learning rate that thm:global_regret prescribes for the
    counterexample after n samples. K = 2 is the number of arms and e the excess risk."""
    rate = Fraction(int(float(2 / risk_above(n)) ** 0.5 * 100) - 1, 100)
    assert rate**2 * risk_above(n) <= 2, "H4"
    return rate


def of_lengths(first: int, second: int) -> tuple[Fraction, Fraction, Sides]:
    """Return the learning rates of epochs 2 and 3 if epochs 1 and 2 have the given lengths, and both sides of the bound
    11 K/(learning rate) on the expected regret of epoch 3 for K = 2 arms. The left side is rounded down if the rates
    decrease, else up."""
    rate_two, rate_three = rate_below(first), rate_below(second)
    rare = arm_probabilities(TRUTH, rate_two)[1]
    with_truth, with_rival = (arm_probabilities(f, rate_three)[1] / 2 for f in (TRUTH, RIVAL))
    # After the first, uniform epoch the truth is known except with probability 2^-first <= 2^-1000.
    missed = Fraction(1, 2**1000)
    if rate_two > rate_three:
        fooled = (1 - rare) ** second
        regret = (1 - missed) * (fooled * with_rival + (1 - fooled) * with_truth)
    else:
        fooled = 1 / (1 + second * rare)  # (1-p)^n <= 1/(1 + np) (Bernoulli)
        regret = missed / 2 + fooled * with_rival + with_truth
    return rate_two, rate_three, Sides(regret, 22 / rate_three)


def third_epoch() -> Witness:
    """Return the counterexample. With decreasing learning rates the regret of epoch 3 exceeds the bound 11 K/(learning
    rate) for K arms; with increasing ones it does not."""
    *wrong, wrong_sides = of_lengths(LONG, SHORT)
    *right, right_sides = of_lengths(SHORT, LONG)
    second, third = map(float, wrong)
    rare, cautious = 1 / (2 + second / 2), 1 / (2 + third / 2)
    fooled = 1 - cautious
    unseen = (1 - rare) ** SHORT
    return Witness(
        "f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function, epochs (6250000, 2500, 1): "
        f"gamma = {float(wrong[0]):g}, then {float(wrong[1]):g}",
        "regret of epoch 3 <= 11 K/gamma^3 without gamma^2 <= gamma^3",
        wrong_sides,
        "regret of epoch 3 <= 11 K/gamma^3 with gamma^2 <= gamma^3",
        right_sides,
        "f* = (1/2, 0), F = {f*, (1/2, 1)}, ties to the wrong function, epochs (2500, 6250000, 1): "
        f"gamma = {float(right[0]):g}, then {float(right[1]):g}",
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
    order_survives="yes, with this hypothesis",
    repair="learning rates do not decrease from epoch 2 on (H5)",
    about=("lem:true_virtual_loss", "lem:epoch_regret_bound", "thm:global_regret"),
)
