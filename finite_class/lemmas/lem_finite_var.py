"""lem:finite_var. Moments of the excess loss l = (f - r)^2 - (f* - r)^2: E l = E(f - f*)^2, and Var l against it."""

from collections.abc import Sequence
from fractions import Fraction

from finite_class.lemmas.sides import Row


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
