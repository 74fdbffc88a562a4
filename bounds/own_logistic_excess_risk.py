"""Bound the excess risk of regularised maximum likelihood for generalised linear rewards, above all logistic ones.

A sample has features phi in d dimensions, norm(phi) <= 1, and a reward r in [0,1] of mean psi'(phi'w*), where psi' is
the link function. The true parameter has norm(w*) <= B, and the curvature satisfies 0 < c <= psi'' <= L. After n
samples, w_S minimises sum psi(phi'w) - r phi'w + (Lam/2) norm(w)^2, and predictions are psi'(phi'w_S), with phi'w_S
clipped to [-B, B]. The mean excess risk e is bounded by

    agents with the same distribution   e <= C/(n+1),  C = 2L (d/(4c) + Lam B^2/2)/(1 - 2L/(c+Lam)),   Lam > 2L - c
    different distributions             e <= C/n,      C = 2L (d/(2c) + Lam B^2/2)/(1 - 4L/(c+Lam)),   Lam > 4L - c

Logistic rewards have L = 1/4 and c = sigma(B)(1 - sigma(B)), where sigma is the logistic function.
"""

# To find the best Lam put y = c + Lam, b = B^2/2, and a = d/(4c) - cb, k = 2L (same distribution) or a = d/(2c) - cb,
# k = 4L. Then C = 2L (a + by)/(1 - k/y) is least at y = k + s with s^2 = k^2 + ak/b, where C = (2L/k) b (k + s)^2.

from bounds.arithmetic import Value, exp, ratio, sqrt


def least_curvature(radius: Value) -> Value:
    """Return the least second derivative of the logistic loss for scores between -radius and radius."""
    return 1 / (2 + exp(radius) + exp(-radius))


def threshold(least: Value, largest: Value, heterogeneous: bool = False) -> Value:
    """Return the regularisation above which the bound on the excess risk of regularised maximum likelihood holds.
    `least`, `largest`: bounds on the second derivative of the loss. `heterogeneous`: whether the agents'
    distributions differ."""
    return (4 if heterogeneous else 2) * largest - least


def coefficient(
    dimension: Value,
    radius: Value,
    least: Value,
    largest: Value,
    regularisation: Value,
    heterogeneous: bool = False,
) -> Value:
    """Return C such that the excess risk of regularised maximum likelihood after n samples is at most C/(n+1), or C/n
    if the agents' distributions differ (`heterogeneous`). `radius`: bound on the norm of the true parameter. `least`,
    `largest`: bounds on the second derivative of the loss. The regularisation must be above `threshold`."""
    noise = dimension / ((2 if heterogeneous else 4) * least)
    share = (4 if heterogeneous else 2) * largest / (least + regularisation)
    return 2 * largest * (noise + regularisation * radius**2 / 2) / (1 - share)


def best(
    dimension: Value, radius: Value, least: Value, largest: Value, heterogeneous: bool = False
) -> tuple[Value, Value]:
    """Return the regularisation at which the `coefficient` C of the excess risk C/n of regularised maximum likelihood
    is least, and that coefficient. `radius`: bound on the norm of the true parameter. `least`, `largest`: bounds on
    the second derivative of the loss. `heterogeneous`: whether the agents' distributions differ."""
    k, half = (4 if heterogeneous else 2) * largest, radius**2 / 2
    a = dimension / ((2 if heterogeneous else 4) * least) - least * half
    reach = k + sqrt(k**2 + a * k / half)
    return reach - least, half * reach**2 * (2 * largest / k)


def logistic(dimension: Value, radius: Value, heterogeneous: bool = False) -> tuple[Value, Value]:
    """Return the best regularisation for the logistic loss, and C such that the excess risk after n samples is at
    most C/(n+1). `radius`: bound on the norm of the true parameter. If the agents' distributions differ
    (`heterogeneous`) the bound is C/n."""
    return best(dimension, radius, least_curvature(radius), ratio(1, 4, radius), heterogeneous)
