"""Both sides of the lemmas about one agent in one epoch, in rationals.

contexts (X,): probabilities. probabilities (X, K): arm probabilities p(.|x). estimate, truth (X, K): fhat and f*.
deviation (X, K): fhat - f*. policy pi (X,): an arm for each context. rate: the learning rate gamma.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from finite_class.lemmas.sides import Row, Sides, Table, arm_probabilities, average, gaps, mixed


def v_upper(contexts: Row, estimate: Table, rate: Fraction, policy: Sequence[int]) -> Sides:
    """Return both sides of lem:V_upper: V(p, pi) <= K + gamma Reghat(pi). V(p, pi) = E_x 1/p(pi(x)|x) for inverse gap
    weighting p; Reghat: the regret of the policy if the estimate were true."""
    probabilities = [arm_probabilities(row, rate) for row in estimate]
    regret = average(contexts, lambda x: gaps(estimate[x])[policy[x]])
    return Sides(inverse_probability(contexts, probabilities, policy), len(estimate[0]) + rate * regret)


def inverse_probability(contexts: Row, probabilities: Sequence[Row], policy: Sequence[int]) -> Fraction:
    """Return V(p, pi) = E_x 1/p(pi(x)|x), the mean inverse probability of the policy's arm."""
    return average(contexts, lambda x: 1 / probabilities[x][policy[x]])


def ve(contexts: Row, probabilities: Sequence[Row], deviation: Table, policy: Sequence[int]) -> Sides:
    """Return both sides of lem:VE, squared: (E_x Delta(x, pi(x)))^2 <= V(p, pi) E_{x, a ~ p} Delta^2. Delta = fhat -
    f*; V(p, pi) = E_x 1/p(pi(x)|x)."""
    bias = average(contexts, lambda x: deviation[x][policy[x]])
    square = mixed(contexts, probabilities, [[d**2 for d in row] for row in deviation])
    return Sides(bias**2, inverse_probability(contexts, probabilities, policy) * square)


def q_loss_bound(contexts: Row, estimate: Table, rate: Fraction, variant: str = "sharpened") -> Sides:
    """Return both sides of lem:q_loss_bound. Left: the regret of inverse gap weighting if the estimate were true.
    Right: K/gamma as printed, (K-1)/gamma sharpened, (K-1)/(K+gamma) for estimates in [0,1] ("unit range")."""
    arms = len(estimate[0])
    right = {
        "printed": arms / rate,
        "sharpened": (arms - 1) / rate,
        "unit range": Fraction(arms - 1) / (arms + rate),
    }[variant]
    played = [arm_probabilities(row, rate) for row in estimate]
    return Sides(mixed(contexts, played, [gaps(row) for row in estimate]), right)


BY_LABEL: dict[str, Callable[..., Sides]] = {
    "lem:V_upper": v_upper,
    "lem:VE": ve,
    "lem:q_loss_bound": q_loss_bound,
}


def mixture(contexts: Row, probabilities: Sequence[Row]) -> dict[tuple[int, ...], Fraction]:
    """Return the distribution over policies of lem:q_distribution: Q(pi) = prod_x p(pi(x)|x) for every policy pi."""
    policies = product(range(len(probabilities[0])), repeat=len(contexts))
    return {
        policy: prod((probabilities[x][a] for x, a in enumerate(policy)), start=Fraction(1))
        for policy in policies
    }


def decomposition_error(contexts: Row, probabilities: Sequence[Row], truth: Table) -> Fraction:
    """Return the difference between the two sides of lem:loss_decompose, which should be 0: the expected regret of
    drawing arms from `probabilities` in each context, and that of drawing a whole policy from the distribution
    `mixture`."""
    losses, total = [gaps(row) for row in truth], mixed(contexts, probabilities, [gaps(row) for row in truth])
    for policy, q in mixture(contexts, probabilities).items():
        total -= q * sum(p * row[a] for p, row, a in zip(contexts, losses, policy, strict=True))
    return abs(total)


def loss_moments(
    weights: Row, values: Row, truths: Row, rewards: Sequence[tuple[Fraction, Fraction, Fraction]]
) -> tuple[Fraction, Fraction, Fraction]:
    """Return (E l, E (f - f*)^2, Var l) of lem:finite_var, l = (f - r)^2 - (f* - r)^2. Cells have probabilities
    `weights`, f = values and f* = truths there. rewards: for each cell (low, high, probability of high), with mean f*.
    """
    mean = square = deviation = Fraction(0)
    for weight, f, truth, (low, high, chance) in zip(weights, values, truths, rewards, strict=True):
        deviation += weight * (f - truth) ** 2
        for reward, probability in ((high, chance), (low, 1 - chance)):
            loss = (f - reward) ** 2 - (truth - reward) ** 2
            mean += weight * probability * loss
            square += weight * probability * loss**2
    return mean, deviation, square - mean**2
