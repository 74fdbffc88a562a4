"""lem:q_distribution. Q(pi) = prod_x p(pi(x)|x) has the marginals p(a|x), by enumeration of all policies.

contexts: (X,) probabilities. probabilities: (X, K) rows p(.|x).
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from finite_class.lemmas.sides import Row


def mixture(contexts: Row, probabilities: Sequence[Row]) -> dict[tuple[int, ...], Fraction]:
    """lem:q_distribution: policy -> Q(policy), the product measure over contexts."""
    arms = range(len(probabilities[0]))
    weights = {}
    for policy in product(arms, repeat=len(contexts)):
        weight = Fraction(1)
        for x, a in enumerate(policy):
            weight *= probabilities[x][a]
        weights[policy] = weight
    return weights
