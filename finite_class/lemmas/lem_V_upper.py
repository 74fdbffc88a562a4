"""lem:V_upper. V(p, pi) = E_x 1/p(pi(x)|x) <= K + gamma Reghat(pi) for one agent.

contexts: (X,) probabilities. estimate: (X, K) table. policy: (X,) arms.
"""

from collections.abc import Sequence
from fractions import Fraction

from finite_class.lemmas.sides import Row, Sides, Table, arm_probabilities, average, gaps


def v_upper(contexts: Row, estimate: Table, rate: Fraction, policy: Sequence[int]) -> Sides:
    """V(p, pi) <= K + gamma Reghat(pi)."""
    probabilities = [arm_probabilities(row, rate) for row in estimate]
    regret = average(contexts, lambda x: gaps(estimate[x])[policy[x]])
    return Sides(inverse_probability(contexts, probabilities, policy), len(estimate[0]) + rate * regret)


def inverse_probability(contexts: Row, probabilities: Sequence[Row], policy: Sequence[int]) -> Fraction:
    """V(p, pi) = E_x 1/p(pi(x)|x)."""
    return average(contexts, lambda x: 1 / probabilities[x][policy[x]])
