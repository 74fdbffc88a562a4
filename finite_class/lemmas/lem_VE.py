"""lem:VE, squared: (E_x Delta(pi))^2 <= V(p, pi) E_{x, a ~ p} Delta^2.

contexts: (X,) probabilities. probabilities: (X, K) rows p(.|x). deviation: (X, K) table of fhat - f*.
"""

from collections.abc import Sequence
from fractions import Fraction

from finite_class.lemmas.lem_V_upper import inverse_probability
from finite_class.lemmas.sides import Row, Sides, Table, average


def ve(contexts: Row, probabilities: Sequence[Row], deviation: Table, policy: Sequence[int]) -> Sides:
    """(E_x Delta(pi))^2 <= V(p, pi) E_{x, a ~ p} Delta^2."""
    bias = average(contexts, lambda x: deviation[x][policy[x]])
    return Sides(
        bias**2,
        inverse_probability(contexts, probabilities, policy)
        * expected_square(contexts, probabilities, deviation),
    )


def expected_square(contexts: Row, probabilities: Sequence[Row], deviation: Table) -> Fraction:
    """E_{x, a ~ p} Delta^2."""
    return average(
        contexts,
        lambda x: sum((p * d**2 for p, d in zip(probabilities[x], deviation[x], strict=True)), Fraction(0)),
    )
