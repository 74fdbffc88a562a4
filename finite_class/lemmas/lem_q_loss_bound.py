"""lem:q_loss_bound. sum_pi Q(pi) Reghat(pi) <= K/gamma for one agent.

contexts: (X,) probabilities. estimate: (X, K) table.
"""

from fractions import Fraction

from finite_class.lemmas.sides import Row, Sides, Table, arm_probabilities, average, gaps


def q_loss_bound(contexts: Row, estimate: Table, rate: Fraction, variant: str = "sharpened") -> Sides:
    """printed K/gamma; sharpened (K-1)/gamma; unit range (K-1)/(K+gamma), for estimates in [0,1]."""
    arms = len(estimate[0])
    right = {
        "printed": arms / rate,
        "sharpened": (arms - 1) / rate,
        "unit range": Fraction(arms - 1) / (arms + rate),
    }[variant]
    return Sides(estimated_regret(contexts, estimate, rate), right)


def estimated_regret(contexts: Row, estimate: Table, rate: Fraction) -> Fraction:
    """sum_Q Reghat = E_x sum_a p(a|x) gap(a)."""

    def inside(x: int) -> Fraction:
        row = estimate[x]
        return sum((p * g for p, g in zip(arm_probabilities(row, rate), gaps(row), strict=True)), Fraction(0))

    return average(contexts, inside)
