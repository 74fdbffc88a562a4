"""Compute both sides of the paper's lemmas about inverse gap weighting by one agent in one epoch, in exact rationals.

Arguments of the functions, for X contexts and K arms:

    contexts        (X,): probabilities of contexts
    probabilities   (X, K): arm probabilities in each context
    estimate        (X, K): estimated rewards
    truth           (X, K): true mean rewards
    deviation       (X, K): estimate minus truth
    policy          (X,): an arm for each context
    rate            the learning rate gamma of inverse gap weighting
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from finite_class.lemmas.sides import Row, Sides, Table, arm_probabilities, average, gaps, mixed


def v_upper(contexts: Row, estimate: Table, rate: Fraction, policy: Sequence[int]) -> Sides:
    """Return both sides of V <= K + gamma R (lem:V_upper), for K arms and learning rate gamma = `rate`. V is the mean
    over contexts of 1/(probability of the policy's arm) under inverse gap weighting. R is the regret per step that the
    policy would have if the estimate were true. contexts: their probabilities. policy: an arm for each context."""
    probabilities = [arm_probabilities(row, rate) for row in estimate]
    regret = average(contexts, lambda x: gaps(estimate[x])[policy[x]])
    return Sides(inverse_probability(contexts, probabilities, policy), len(estimate[0]) + rate * regret)


def inverse_probability(contexts: Row, probabilities: Sequence[Row], policy: Sequence[int]) -> Fraction:
    """Return the mean over contexts of 1/(probability of the policy's arm)."""
    return average(contexts, lambda x: 1 / probabilities[x][policy[x]])


def ve(contexts: Row, probabilities: Sequence[Row], deviation: Table, policy: Sequence[int]) -> Sides:
    """Return both sides of (mean deviation at the policy's arm)^2 <= V x (mean squared deviation) (lem:VE, squared). V
    is the mean over contexts of 1/(probability of the policy's arm). The second mean is over contexts and arms drawn
    from `probabilities`. Deviation is estimate minus truth."""
    bias = average(contexts, lambda x: deviation[x][policy[x]])
    square = mixed(contexts, probabilities, [[d**2 for d in row] for row in deviation])
    return Sides(bias**2, inverse_probability(contexts, probabilities, policy) * square)


def q_loss_bound(contexts: Row, estimate: Table, rate: Fraction, variant: str = "sharpened") -> Sides:
    """Return both sides of a bound on the regret per step that inverse gap weighting would have if the estimate were
    true (lem:q_loss_bound). With K arms and learning rate gamma the bound is K/gamma as printed, (K-1)/gamma in variant
    sharpened, and (K-1)/(K+gamma) for estimates in [0,1] (variant "unit range")."""
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
    """Return a distribution over policies such that drawing a whole policy from it is the same as drawing an arm in
    each context (lem:q_distribution). A policy is a tuple with an arm for each context; its probability is the product
    of its arms' probabilities."""
    policies = product(range(len(probabilities[0])), repeat=len(contexts))
    return {
        policy: prod((probabilities[x][a] for x, a in enumerate(policy)), start=Fraction(1))
        for policy in policies
    }


def decomposition_error(contexts: Row, probabilities: Sequence[Row], truth: Table) -> Fraction:
    """Return the difference between the two sides of lem:loss_decompose, which must be 0. They are the expected regret
    of drawing an arm in each context, and that of drawing a whole policy from `mixture`."""
    losses, total = [gaps(row) for row in truth], mixed(contexts, probabilities, [gaps(row) for row in truth])
    for policy, q in mixture(contexts, probabilities).items():
        total -= q * sum(p * row[a] for p, row, a in zip(contexts, losses, policy, strict=True))
    return abs(total)


def loss_moments(
    weights: Row, values: Row, truths: Row, rewards: Sequence[tuple[Fraction, Fraction, Fraction]]
) -> tuple[Fraction, Fraction, Fraction]:
    """Return (mean of l, mean of (f - f*)^2, variance of l) for the loss difference l = (f - r)^2 - (f* - r)^2 of a
    function f and the true one f* (lem:finite_var). weights: probabilities of the cells (context and arm). values,
    truths: f and f* there. rewards: for each cell (low, high, probability of high), with mean f*."""
    mean = square = deviation = Fraction(0)
    for weight, f, truth, (low, high, chance) in zip(weights, values, truths, rewards, strict=True):
        deviation += weight * (f - truth) ** 2
        for reward, probability in ((high, chance), (low, 1 - chance)):
            loss = (f - reward) ** 2 - (truth - reward) ** 2
            mean += weight * probability * loss
            square += weight * probability * loss**2
    return mean, deviation, square - mean**2
