"""Excess risk of regularised maximum likelihood on generalised linear rewards (Theorem L), logistic ones first of all.

Mean rewards psi'(phi'w*), norm(phi) <= 1, norm(w*) <= B, rewards in [0,1]; 0 < c <= psi'' <= L on the line. w_S
minimises sum psi(phi'w) - r phi'w + (Lam/2) norm(w)^2, predictions are psi'(clip(phi'w_S)):

    same law         e <= C/(n+1),  C = 2L (d/(4c) + Lam B^2/2)/(1 - 2L/(c+Lam)),   Lam > 2L - c
    different laws   e <= C/n,      C = 2L (d/(2c) + Lam B^2/2)/(1 - 4L/(c+Lam)),   Lam > 4L - c

With y = c + Lam, b = B^2/2, a = d/(4c) - cb (d/(2c) - cb) and k = 2L (4L) the numerator is a + by, and C is least at
y = k + s, s^2 = k^2 + ak/b, where C = (2L/k) b (k + s)^2. Logistic: L = 1/4, c = sigma(B)(1 - sigma(B)).
"""

from bounds.arithmetic import Value, exp, ratio, sqrt


def least_curvature(radius: Value) -> Value:
    """Return c = sigma(B)(1 - sigma(B)) of the logistic loss on [-B, B]."""
    return 1 / (2 + exp(radius) + exp(-radius))


def threshold(least: Value, largest: Value, heterogeneous: bool = False) -> Value:
    """Return the regularisation above which there is a bound."""
    return (4 if heterogeneous else 2) * largest - least


def coefficient(
    dimension: Value,
    radius: Value,
    least: Value,
    largest: Value,
    regularisation: Value,
    heterogeneous: bool = False,
) -> Value:
    """Return C for a regularisation Lam above its threshold."""
    noise = dimension / ((2 if heterogeneous else 4) * least)
    share = (4 if heterogeneous else 2) * largest / (least + regularisation)
    return 2 * largest * (noise + regularisation * radius**2 / 2) / (1 - share)


def best(
    dimension: Value, radius: Value, least: Value, largest: Value, heterogeneous: bool = False
) -> tuple[Value, Value]:
    """Return the regularisation Lam at which C is least, and that C."""
    k, half = (4 if heterogeneous else 2) * largest, radius**2 / 2
    a = dimension / ((2 if heterogeneous else 4) * least) - least * half
    reach = k + sqrt(k**2 + a * k / half)
    return reach - least, half * reach**2 * (2 * largest / k)


def logistic(dimension: Value, radius: Value, heterogeneous: bool = False) -> tuple[Value, Value]:
    """Return Lam and C of the logistic loss."""
    return best(dimension, radius, least_curvature(radius), ratio(1, 4, radius), heterogeneous)
