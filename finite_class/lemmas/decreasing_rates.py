"""E6: without monotone learning rates the epoch bound 11 K/gamma fails, on an instance small enough to do by hand.

M = 1, K = 2, one context, deterministic rewards f* = (1/2, 0), F = {f*, g = (1/2, 1)}, ties to g. An epoch of n steps
leaves g alive only if arm 2 was never played; its squared error is 1 on arm 2. So with probability p of arm 2 the
excess risk is p (1-p)^n, at most e_n = (1/(n+1)) (n/(n+1))^n whatever p: H3 holds with e_n.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from finite_class.lemmas.sides import Sides, arm_probabilities

TRUTH = (Fraction(1, 2), Fraction(0))
RIVAL = (Fraction(1, 2), Fraction(1))
LONG, SHORT = 6_250_000, 2_500


@dataclass(frozen=True)
class ThirdEpoch:
    """regret: a lower bound of (or the exact) expected regret of epoch 3. bound: 11 K/gamma^3."""

    rates: tuple[Fraction, Fraction]
    regret: Fraction
    bound: Fraction

    @property
    def sides(self) -> Sides:
        return Sides(self.regret, self.bound)


def risk_above(n: int, terms: int = 12) -> Fraction:
    """A rational above e_n: (1 + 1/n)^n is at least the first terms of its binomial series."""
    growth = sum((Fraction(comb(n, j), n**j) for j in range(min(n, terms) + 1)), Fraction(0))
    return 1 / ((n + 1) * growth)


def rate_below(n: int) -> Fraction:
    """A rational gamma with gamma^2 e_n <= K: at most the learning rate of H4, so the lemma is asked no more."""
    target = 2 / risk_above(n)
    root = int(float(target) ** 0.5 * 100)
    rate = Fraction(root - 1, 100)
    assert rate**2 * risk_above(n) <= 2, "H4"
    return rate


def third_epoch(decreasing: bool) -> ThirdEpoch:
    """Epoch lengths (6250000, 2500, 1), or (2500, 6250000, 1) whose learning rates increase."""
    first, second = (LONG, SHORT) if decreasing else (SHORT, LONG)
    rate_two, rate_three = rate_below(first), rate_below(second)
    assert (rate_two > rate_three) is decreasing
    rare = arm_probabilities(TRUTH, rate_two)[1]
    with_truth, with_rival = (
        arm_probabilities(TRUTH, rate_three)[1] / 2,
        arm_probabilities(RIVAL, rate_three)[1] / 2,
    )
    # After the first, uniform epoch the truth is known except with probability 2^-first <= 2^-1000.
    missed = Fraction(1, 2**1000)
    if decreasing:
        fooled = (1 - rare) ** second
        regret = (1 - missed) * (fooled * with_rival + (1 - fooled) * with_truth)  # a lower bound
    else:
        # (1-p)^n <= 1/(1 + np) (Bernoulli); an upper bound of the regret
        fooled = 1 / (1 + second * rare)
        regret = missed / 2 + fooled * with_rival + with_truth
    return ThirdEpoch((rate_two, rate_three), regret, 22 / rate_three)
