"""Both sides of each lemma about one agent, in exact rationals: kernel, variance and mixture lemmas.

contexts: (X,) probabilities. estimate, truth: (X, K) tables. policy: (X,) arms.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from finite_class.lemmas.two_epochs import Row, Sides, Table, average, gaps, kernel


def mixture(contexts: Row, kernels: Sequence[Row]) -> dict[tuple[int, ...], Fraction]:
    """lem:q_distribution: policy -> Q(policy), the product measure over contexts."""
    arms = range(len(kernels[0]))
    weights = {}
    for policy in product(arms, repeat=len(contexts)):
        weight = Fraction(1)
        for x, a in enumerate(policy):
            weight *= kernels[x][a]
        weights[policy] = weight
    return weights


def marginal_error(contexts: Row, kernels: Sequence[Row]) -> Fraction:
    """Largest |sum over pi with pi(x) = a of Q(pi) - p(a|x)|; lem:q_distribution says 0."""
    weights = mixture(contexts, kernels)
    return max(
        abs(sum((q for policy, q in weights.items() if policy[x] == a), Fraction(0)) - kernels[x][a])
        for x in range(len(contexts))
        for a in range(len(kernels[0]))
    )


def decomposition_error(contexts: Row, kernels: Sequence[Row], truth: Table) -> Fraction:
    """|E_{x, a ~ p} regret - sum_pi Q(pi) Reg(pi)|; lem:loss_decompose says 0."""
    losses = [gaps(row) for row in truth]
    direct = regret_of_kernel(contexts, kernels, truth)
    mixed = sum(
        (
            q * average(contexts, lambda x, policy=policy: losses[x][policy[x]])  # type: ignore[misc]
            for policy, q in mixture(contexts, kernels).items()
        ),
        Fraction(0),
    )
    return abs(direct - mixed)


def regret_of_kernel(contexts: Row, kernels: Sequence[Row], truth: Table) -> Fraction:
    """E_{x, a ~ p}[f*(x, pi*(x)) - f*(x, a)]."""
    return average(
        contexts, lambda x: sum((p * g for p, g in zip(kernels[x], gaps(truth[x]), strict=True)), Fraction(0))
    )


def estimated_regret_of_mixture(contexts: Row, estimate: Table, rate: Fraction) -> Fraction:
    """sum_Q Reghat = E_x sum_a p(a|x) gap(a)."""

    def inside(x: int) -> Fraction:
        row = estimate[x]
        return sum((p * g for p, g in zip(kernel(row, rate), gaps(row), strict=True)), Fraction(0))

    return average(contexts, inside)


def q_loss_bound(contexts: Row, estimate: Table, rate: Fraction, variant: str = "sharpened") -> Sides:
    """printed K/gamma; sharpened (K-1)/gamma; unit range (K-1)/(K+gamma), for estimates in [0,1]."""
    arms = len(estimate[0])
    right = {
        "printed": arms / rate,
        "sharpened": (arms - 1) / rate,
        "unit range": Fraction(arms - 1) / (arms + rate),
    }[variant]
    return Sides(estimated_regret_of_mixture(contexts, estimate, rate), right)


def inverse_probability(contexts: Row, kernels: Sequence[Row], policy: Sequence[int]) -> Fraction:
    """V(p, pi) = E_x 1/p(pi(x)|x)."""
    return average(contexts, lambda x: 1 / kernels[x][policy[x]])


def v_upper(contexts: Row, estimate: Table, rate: Fraction, policy: Sequence[int]) -> Sides:
    """V(p, pi) <= K + gamma Reghat(pi)."""
    kernels = [kernel(row, rate) for row in estimate]
    regret = average(contexts, lambda x: gaps(estimate[x])[policy[x]])
    return Sides(inverse_probability(contexts, kernels, policy), len(estimate[0]) + rate * regret)


def ve(contexts: Row, kernels: Sequence[Row], deviation: Table, policy: Sequence[int]) -> Sides:
    """(E_x Delta(pi))^2 <= V(p, pi) E_{x, a ~ p} Delta^2."""
    bias = average(contexts, lambda x: deviation[x][policy[x]])
    return Sides(
        bias**2,
        inverse_probability(contexts, kernels, policy) * expected_square(contexts, kernels, deviation),
    )


def joint_split(
    contexts: Row,
    kernels: Sequence[Row],
    deviation: Table,
    policies: tuple[Sequence[int], Sequence[int]],
    split: Fraction,
    rate: Fraction,
) -> Sides:
    """E_x[Delta(pi) - Delta(pi')] <= (s/gamma)(V(pi) + V(pi')) + (gamma/4s) Err."""
    one, other = policies
    left = average(contexts, lambda x: deviation[x][one[x]] - deviation[x][other[x]])
    inverse = inverse_probability(contexts, kernels, one) + inverse_probability(contexts, kernels, other)
    error = expected_square(contexts, kernels, deviation)
    return Sides(left, split / rate * inverse + rate / (4 * split) * error)


def expected_square(contexts: Row, kernels: Sequence[Row], deviation: Table) -> Fraction:
    """E_{x, a ~ p} Delta^2."""
    return average(
        contexts,
        lambda x: sum((p * d**2 for p, d in zip(kernels[x], deviation[x], strict=True)), Fraction(0)),
    )


def loss_moments(
    weights: Row, values: Row, truths: Row, rewards: Sequence[tuple[Fraction, Fraction, Fraction]]
) -> tuple[Fraction, Fraction, Fraction]:
    """(E l, E(f - f*)^2, Var l) of lem:finite_var over cells of probability `weights`.

    rewards: per cell (low, high, probability of high); its mean must be the truth of the cell.
    """
    mean = square = deviation = Fraction(0)
    for weight, f, truth, (low, high, chance) in zip(weights, values, truths, rewards, strict=True):
        deviation += weight * (f - truth) ** 2
        for reward, probability in ((high, chance), (low, 1 - chance)):
            loss = (f - reward) ** 2 - (truth - reward) ** 2
            mean += weight * probability * loss
            square += weight * probability * loss**2
    return mean, deviation, square - mean**2
