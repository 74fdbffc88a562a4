"""The constant C of lem:epoch_regret_bound: the regret of epoch l is at most C S^l/gamma^l.

S^l is the sum over agents of epoch length times number of arms, and gamma^l = g sqrt(Kbar/e) the learning rate, Kbar
the mean number of arms, e the excess risk of the model in use. q = 1 - 1/K for the largest number of arms K.

    printed     C = 11 c^2, c the ratio of the largest to the smallest growth of an epoch, over all agents and epochs
    repaired    C = 11 c^2, c the same ratio between agents within one epoch, at most
    sharpened   C = 7q/6 + 7/(18c) + 28 c^2 g^2/9, with the c of `repaired`
"""

from bounds.arithmetic import Value, ratio, sqrt


def paper(c: Value) -> Value:
    return 11 * c**2


def sharpened(c: Value, q: Value, g2: Value) -> Value:
    """Return the sharpened constant, 7q/6 + 7/(18c) + 28 c^2 g^2/9. g2: g^2."""
    return ratio(7, 6, q) * q + ratio(7, 18, q) / c + ratio(28, 9, q) * c**2 * g2


def best_multiplier_squared(c: Value, q: Value) -> Value:
    """Return (3cq + 1)/(8c^3), the g^2 at which the sharpened constant C(g) divided by g is least."""
    return (3 * c * q + 1) / (8 * c**3)


def sharpened_over_g(c: Value, q: Value) -> Value:
    """Return (14/9) sqrt(2c(3cq + 1)), the least C(g)/g of the sharpened constant. It is 28 sqrt2/9 = 4.3998 at c =
    q = 1."""
    return ratio(14, 9, q) * sqrt(2 * c * (3 * c * q + 1))
