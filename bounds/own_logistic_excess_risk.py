"""Excess risk of regularised maximum likelihood on generalised linear rewards (Theorem L), above all logistic ones.

Samples have features phi in d dimensions, norm(phi) <= 1, and rewards r in [0,1] of mean psi'(phi'w*), where
norm(w*) <= B and 0 < c <= psi'' <= L on the line. After n samples w_S minimises sum psi(phi'w) - r phi'w + (Lam/2)
norm(w)^2, predictions are psi'(clip(phi'w_S)). The mean excess risk is

    same law         e <= C/(n+1),  C = 2L (d/(4c) + Lam B^2/2)/(1 - 2L/(c+Lam)),   Lam > 2L - c
    different laws   e <= C/n,      C = 2L (d/(2c) + Lam B^2/2)/(1 - 4L/(c+Lam)),   Lam > 4L - c

The best Lam: put y = c + Lam and b = B^2/2; for the same law a = d/(4c) - cb and k = 2L, for different laws a =
d/(2c) - cb and k = 4L. Then C = 2L (a + by)/(1 - k/y). It is least at y = k + s, s^2 = k^2 + ak/b, where C = (2L/k)
b (k + s)^2. Logistic rewards: L = 1/4, c = sigma(B)(1 - sigma(B)), sigma the logistic function.
"""

from bounds.arithmetic import Value, exp, ratio, sqrt


def least_curvature(radius: Value) -> Value:
    """Return sigma(B)(1 - sigma(B)), the least second derivative of the logistic loss on [-B, B]; sigma: the logistic
    function."""
    return 1 / (2 + exp(radius) + exp(-radius))


def threshold(least: Value, largest: Value, heterogeneous: bool = False) -> Value:
    """Return the regularisation above which the excess risk is bounded. least, largest: bounds on the second
    derivative of the loss. heterogeneous: whether the agents' laws differ."""
    return (4 if heterogeneous else 2) * largest - least


def coefficient(
    dimension: Value,
    radius: Value,
    least: Value,
    largest: Value,
    regularisation: Value,
    heterogeneous: bool = False,
) -> Value:
    """Return C with excess risk at most C/(n+1), or C/n if the agents' laws differ, for a regularisation above its
    `threshold`. radius: the bound on norm(w*). least, largest: bounds on the second derivative of the loss."""
    noise = dimension / ((2 if heterogeneous else 4) * least)
    share = (4 if heterogeneous else 2) * largest / (least + regularisation)
    return 2 * largest * (noise + regularisation * radius**2 / 2) / (1 - share)


def best(
    dimension: Value, radius: Value, least: Value, largest: Value, heterogeneous: bool = False
) -> tuple[Value, Value]:
    """Return the regularisation at which the `coefficient` of the excess risk is least, and that coefficient."""
    k, half = (4 if heterogeneous else 2) * largest, radius**2 / 2
    a = dimension / ((2 if heterogeneous else 4) * least) - least * half
    reach = k + sqrt(k**2 + a * k / half)
    return reach - least, half * reach**2 * (2 * largest / k)


def logistic(dimension: Value, radius: Value, heterogeneous: bool = False) -> tuple[Value, Value]:
    """Return the best regularisation for the logistic loss, and the coefficient C of its excess risk C/(n+1) (C/n if
    the agents' laws differ). radius: the bound on norm(w*)."""
    return best(dimension, radius, least_curvature(radius), ratio(1, 4, radius), heterogeneous)
