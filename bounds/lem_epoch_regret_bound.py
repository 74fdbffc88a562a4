"""The constant C of lem:epoch_regret_bound: epoch regret <= C S^l / gamma^l.

printed     C = 11 c^2, the paper's c
repaired    C = 11 c^2, c the ratio between agents within one epoch: the sup goes inside the induction
sharpened   C = 7q/6 + 7/(18c) + 28 c^2 g^2/9 with gamma = g sqrt(Kbar/e), q = 1 - 1/K_max
"""

from bounds.arithmetic import Value, ratio, sqrt


def paper(c: Value) -> Value:
    """Return the constant of the paper, 11 c^2."""
    return 11 * c**2


def sharpened(c: Value, q: Value, g2: Value) -> Value:
    """Return C for gamma^2 = g2 Kbar/e, at the split s = t = 1/(8c)."""
    return ratio(7, 6, q) * q + ratio(7, 18, q) / c + ratio(28, 9, q) * c**2 * g2


def best_multiplier_squared(c: Value, q: Value) -> Value:
    """Return the g^2 that minimises C(g)/g: (3cq + 1)/(8c^3). (d/dg of u/g + v g vanishes at g^2 = u/v.)"""
    return (3 * c * q + 1) / (8 * c**3)


def sharpened_over_g(c: Value, q: Value) -> Value:
    """Return C/g at the best g: (14/9) sqrt(2c(3cq + 1)); 28 sqrt2/9 = 4.3998 at c = q = 1."""
    return ratio(14, 9, q) * sqrt(2 * c * (3 * c * q + 1))
