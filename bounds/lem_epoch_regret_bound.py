"""Compute the constant C in the bound C S/gamma on the regret of one epoch (lem:epoch_regret_bound), in three variants.

S       sum over agents of the epoch's length times the number of arms
gamma   learning rate g sqrt(Kbar/e); Kbar is the mean number of arms, e the excess risk of the model in use
q       1 - 1/K for the largest number K of arms
c       how unequally epochs grow: the largest growth of an epoch length divided by the smallest

printed     C = 11 c^2, with the largest and smallest growth over all agents and epochs
repaired    C = 11 c^2, with the largest and smallest growth over the agents in one epoch, at the worst epoch
sharpened   C = 7q/6 + 7/(18c) + 28 c^2 g^2/9, with the c of `repaired`
"""

from bounds.arithmetic import Value, ratio, sqrt


def paper(c: Value) -> Value:
    return 11 * c**2


def sharpened(c: Value, q: Value, g2: Value) -> Value:
    """Return the sharpened constant C = 7q/6 + 7/(18c) + 28 c^2 g^2/9 in the bound C x steps x arms/gamma on the
    regret of an epoch. `c`: how unequally the agents' epochs grow (1 if alike). `q`: 1 - 1/K for K arms. `g2`: g^2,
    where the learning rate is gamma = g sqrt(K/excess risk)."""
    return ratio(7, 6, q) * q + ratio(7, 18, q) / c + ratio(28, 9, q) * c**2 * g2


def best_multiplier_squared(c: Value, q: Value) -> Value:
    """Return the g^2 for which the sharpened regret bound is least, if the policy's learning rate is g sqrt(K/excess
    risk) for K arms: (3cq + 1)/(8c^3). `c`: how unequally the agents' epochs grow (1 if alike). `q`: 1 - 1/K."""
    return (3 * c * q + 1) / (8 * c**3)


def sharpened_over_g(c: Value, q: Value) -> Value:
    """Return the constant of the sharpened regret bound at the best learning rate: (14/9) sqrt(2c(3cq + 1)). It is
    the factor in front of the sum over epochs of sqrt(K x excess risk) x steps, for K arms. `c`: how unequally the
    agents' epochs grow (1 if alike). `q`: 1 - 1/K. At c = q = 1 it is 4.3998."""
    return ratio(14, 9, q) * sqrt(2 * c * (3 * c * q + 1))
