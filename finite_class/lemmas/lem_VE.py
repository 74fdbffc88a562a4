"""lem:VE, squared: (E_x Delta(pi))^2 <= V(p, pi) E_{x, a ~ p} Delta^2, and the split of two policies that replaces it.

contexts: (X,) probabilities. probabilities: (X, K) rows p(.|x). deviation: (X, K) table of fhat - f*.
"""

from __future__ import annotations

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


def joint_split(
    contexts: Row,
    probabilities: Sequence[Row],
    deviation: Table,
    policies: tuple[Sequence[int], Sequence[int]],
    split: Fraction,
    rate: Fraction,
) -> Sides:
    """E_x[Delta(pi) - Delta(pi')] <= (s/gamma)(V(pi) + V(pi')) + (gamma/4s) Err."""
    one, other = policies
    left = average(contexts, lambda x: deviation[x][one[x]] - deviation[x][other[x]])
    inverse = inverse_probability(contexts, probabilities, one) + inverse_probability(
        contexts, probabilities, other
    )
    error = expected_square(contexts, probabilities, deviation)
    return Sides(left, split / rate * inverse + rate / (4 * split) * error)


def expected_square(contexts: Row, probabilities: Sequence[Row], deviation: Table) -> Fraction:
    """E_{x, a ~ p} Delta^2."""
    return average(
        contexts,
        lambda x: sum((p * d**2 for p, d in zip(probabilities[x], deviation[x], strict=True)), Fraction(0)),
    )
