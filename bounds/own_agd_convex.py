"""Bound the excess risk of ridge regression after ceil(sqrt n) rounds of Nesterov's method for convex functions.

n is the number of samples, d the dimension; the weight on the squared norm is lambda = 1/n. The number of rounds has
no logarithm, unlike that of the method for strongly convex functions (bounds/own_agd_rate.py).

    F, w_S     the ridge objective and its minimiser; gap is F minus its minimum
    L          2(1+1/n), the largest curvature; the step is 1/L, the momentum before round k+1 is (k-1)/(k+2), and
               w_0 = 0
    e_S(n)     the excess risk of w_S

After k rounds, for all data, gap <= 2 L norm(w_S)^2/(k+1)^2. Since E norm(w_S)^2 <= 1 + d/16, k = ceil(sqrt n) rounds
bring the mean gap below 8(1+d/16)/n, which is the order of the statistical error. The excess risk is then

    e(n) <= (sqrt(e_S(n)) + sqrt(d E gap))^2
"""

# The last line follows by Minkowski's inequality from E (phi'(w_k - w_S))^2 <= d E gap (own:loss_to_risk; the bound on
# E norm(w_S)^2 holds given the features).

import math

from bounds import own_ridge_excess_risk
from bounds.arithmetic import Value, ratio, sqrt
from bounds.schedules import closed_calls


def rounds(n: float, effort: float = 1.0) -> int:
    """Return ceil(effort sqrt n), the number of rounds of Nesterov's method for a ridge estimate from n samples. The
    bounds on accuracy are for effort = 1, with which the result is computed exactly, in integers."""
    if effort != 1:
        return math.ceil(effort * math.sqrt(n))
    whole = math.ceil(n)
    return math.isqrt(whole - 1) + 1 if whole > 0 else 0


def closed_rounds(agents: Value, horizon: Value) -> Value:
    """Return a sympy bound on the rounds of Nesterov's method in all epochs up to step `horizon`, for epochs that
    double. Each estimate takes ceil(sqrt n) rounds on n samples, at most one more than sqrt n."""
    import sympy

    return sqrt(agents) * ((1 + sympy.sqrt(2)) * sqrt(horizon) - 2) + closed_calls()


def momentum(done: Value) -> Value:
    """Return the momentum (k-1)/(k+2) of Nesterov's method after k = `done` rounds: the fraction of the last move
    that is added to the next point."""
    return (done - 1) / (done + 2)


def loss_gap(n: Value, done: Value, norm_squared: Value) -> Value:
    """Bound the ridge objective minus its minimum after `done` >= 1 rounds of Nesterov's method on n samples.
    `norm_squared`: squared norm of the minimiser."""
    return 4 * (1 + ratio(1, 1, n) / n) * norm_squared / (done + 1) ** 2


def mean_norm_squared(dimension: Value) -> Value:
    return 1 + ratio(1, 16, dimension) * dimension


def distance_squared(n: float, done: int) -> float:
    """Bound the squared distance from the ridge estimate after `done` rounds of Nesterov's method on n samples, for
    all data: n(n+1)/(done+1)^2."""
    return n * (n + 1) / (done + 1) ** 2


def coefficient(dimension: Value, heterogeneous: bool = False) -> Value:
    """Return A, a number or sympy expression, such that ridge regression by ceil(sqrt n) rounds of Nesterov's method
    has an excess risk of at most A/n, for every number n of samples. `heterogeneous`: whether the agents' distributions
    differ."""
    # the gap is at most 4(1+d/16)/n, since (1+1/n)/(sqrt(n)+1)^2 <= 1/n
    gap = 4 * dimension * mean_norm_squared(dimension)
    return (sqrt(own_ridge_excess_risk.coefficient(dimension, heterogeneous)) + sqrt(gap)) ** 2


def excess_risk(dimension: int, n: int, heterogeneous: bool = False, effort: float = 1.0) -> float:
    """Bound the mean excess risk of ridge regression after ceil(effort sqrt n) rounds of Nesterov's method on n
    samples. `heterogeneous`: whether the agents' distributions differ."""
    gap = float(loss_gap(float(n), rounds(n, effort), mean_norm_squared(float(dimension))))
    exact = float(own_ridge_excess_risk.mean(float(dimension), n, heterogeneous))
    return (math.sqrt(exact) + math.sqrt(dimension * gap)) ** 2
