"""lem:loss_decompose. E_{x, a ~ p} regret = sum_pi Q(pi) Reg(pi), both by enumeration.

contexts: (X,) probabilities. probabilities: (X, K) rows p(.|x). truth: (X, K) table.
"""

from collections.abc import Sequence
from fractions import Fraction

from finite_class.lemmas.lem_q_distribution import mixture
from finite_class.lemmas.sides import Row, Table, average, gaps


def decomposition_error(contexts: Row, probabilities: Sequence[Row], truth: Table) -> Fraction:
    """|E_{x, a ~ p} regret - sum_pi Q(pi) Reg(pi)|; lem:loss_decompose says 0."""
    losses = [gaps(row) for row in truth]
    direct = expected_regret(contexts, probabilities, truth)
    mixed = sum(
        (
            q * average(contexts, lambda x, policy=policy: losses[x][policy[x]])  # type: ignore[misc]
            for policy, q in mixture(contexts, probabilities).items()
        ),
        Fraction(0),
    )
    return abs(direct - mixed)


def expected_regret(contexts: Row, probabilities: Sequence[Row], truth: Table) -> Fraction:
    """E_{x, a ~ p}[f*(x, pi*(x)) - f*(x, a)]."""
    return average(
        contexts,
        lambda x: sum((p * g for p, g in zip(probabilities[x], gaps(truth[x]), strict=True)), Fraction(0)),
    )
