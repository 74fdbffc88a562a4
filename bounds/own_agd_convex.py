"""Nesterov's accelerated gradient descent for convex functions on ridge regression, lambda = 1/n, ceil(sqrt n) rounds.

w_S is the ridge estimate, which minimises F. From w_0 = 0 with step 1/L, L = 2(1+1/n), and momentum (k-1)/(k+2) before
round k+1:

    F(w_k) - F* <= 2 L norm(w_S)^2/(k+1)^2        for all data and every k >= 1
    E norm(w_S)^2 <= 1 + d/16                     variance at most 1/4: eigenvalue by eigenvalue g/(g+1)^2 <= 1/4

The number of rounds has no logarithm: k = ceil(sqrt n) brings the mean of gap = F - F* below 8(1+d/16)/n, the order of
the statistical error. From the gap to the excess risk: with probability 1 - delta', Sigma <= 2 Sigmahat + (s/n) I,
where Sigma is the second moment of the features, Sigmahat the empirical one and s = 6.52 ln(d/delta') (matrix Chernoff,
own:loss_to_risk). So norm(v)^2_Sigma <= max(2, s) (F(w_S + v) - F*), and

    e(n) <= (sqrt(e_S(n)) + sqrt(max(2, s) E gap))^2 + delta' (1 + sqrt(n)/2 + sqrt(n(n+1))/(k+1))^2

with e_S the excess risk of w_S. The last factor bounds every squared error: norm(w_S) <= sqrt(n)/2 and
norm(w_k - w_S)^2 <= n gap <= n(n+1)/(k+1)^2 for all data, so predictions need not be clipped. delta' = 1/n^3 makes the
last term smaller than everything else.
"""

import math

from bounds import own_ridge_excess_risk
from bounds.arithmetic import Value, log, ratio, sqrt
from bounds.schedules import closed_calls


def rounds(n: float, effort: float = 1.0) -> int:
    """Return ceil(effort sqrt n), the rounds of a call on n samples. The bounds hold for effort = 1; then the square
    root is taken in integers, so the result is exact."""
    if effort != 1:
        return math.ceil(effort * math.sqrt(n))
    whole = math.ceil(n)
    return math.isqrt(whole - 1) + 1 if whole > 0 else 0


def closed_rounds(agents: Value, horizon: Value) -> Value:
    """Return a bound on the rounds of all calls of M agents up to step T as sympy, with one more per call for
    rounding up. A call on n_l samples takes ceil(sqrt n_l) rounds, and sum_l sqrt(n_l) <= sqrt M ((1+sqrt2) sqrt T -
    2) for doubling epochs."""
    import sympy

    return sqrt(agents) * ((1 + sympy.sqrt(2)) * sqrt(horizon) - 2) + closed_calls()


def momentum(done: Value) -> Value:
    """Return (k-1)/(k+2), the momentum after k = `done` rounds: the fraction of the last move that is added to the
    next point."""
    return (done - 1) / (done + 2)


def loss_gap(n: Value, done: Value, norm_squared: Value) -> Value:
    """Return the bound 2 L norm(w_S)^2/(k+1)^2 on F(w_k) - F* after k = `done` >= 1 rounds, L = 2(1+1/n). w_S: the
    minimiser."""
    return 4 * (1 + ratio(1, 1, n) / n) * norm_squared / (done + 1) ** 2


def mean_norm_squared(dimension: Value) -> Value:
    return 1 + ratio(1, 16, dimension) * dimension


def distance_squared(n: float, done: int) -> float:
    """Return n(n+1)/(k+1)^2, a bound on the squared distance from the ridge estimate w_S after k = `done` rounds. It
    is n times the bound on F - F* at the largest possible norm, norm(w_S)^2 = n/4."""
    return n * (n + 1) / (done + 1) ** 2


def coefficient(dimension: Value, largest: Value, heterogeneous: bool = False) -> Value:
    """Return A with e(n) <= A/n for all n <= largest, as sympy, where e(n) is the excess risk after ceil(sqrt n)
    rounds."""
    # the loss gap is at most 4(1+d/16)/n, since (1+1/n)/(sqrt(n)+1)^2 <= 1/n; the term for failure of matrix
    # Chernoff is at most (1 + 3 sqrt(n)/2)^2/n^3 <= (25/4)/n
    import sympy

    spread = sympy.Rational(str(own_ridge_excess_risk.CHERNOFF)) * log(dimension * largest**3)
    gap = sympy.Max(2, spread) * 4 * mean_norm_squared(dimension)
    exact = own_ridge_excess_risk.coefficient(dimension, heterogeneous)
    return (sqrt(exact) + sqrt(gap)) ** 2 + sympy.Rational(25, 4)


def excess_risk(dimension: int, n: int, heterogeneous: bool = False, effort: float = 1.0) -> float:
    """Return the bound on the mean excess risk after ceil(effort sqrt n) rounds on n samples. It uses a matrix
    Chernoff inequality that fails with probability at most 1/n^3."""
    done, failure = rounds(n, effort), 1 / n**3
    # 1/n^3 is 0 in floats from n = 1e108 on: its logarithm is taken of n
    spread = float(own_ridge_excess_risk.CHERNOFF) * (math.log(dimension) + 3 * math.log(n))
    gap = float(loss_gap(float(n), done, mean_norm_squared(float(dimension))))
    exact = float(own_ridge_excess_risk.mean(float(dimension), n, heterogeneous))
    largest = 1 + math.sqrt(n) / 2 + math.sqrt(distance_squared(n, done))
    return (math.sqrt(exact) + math.sqrt(max(2.0, spread) * gap)) ** 2 + failure * largest**2
