"""Excess risk of federated ridge regression on n samples with lambda = 1/n: bounds for the same law and for
different ones.

    printed     O~(d/n), no constant (evaluated with constant 1)
    repaired    same law for all agents: (s2 d + norm(omega*)^2)/(n+1) <= C/(n+1),  C = d/4 + 1
                different laws:          (s2 d + 2.25 norm(omega*)^2)/n <= C/n,      C = d/4 + 9/4

Features phi in d dimensions and the true parameter omega* have norm at most 1, rewards r are in [0,1], and s2 <= 1/4
bounds their variance. There is no logarithm, and the estimate need not be clipped.
"""

from fractions import Fraction

from bounds.arithmetic import Value, log, ratio

LARGEST_VARIANCE = (1, 4)  # of a variable in [0,1], as a fraction


def coefficient(dimension: Value, heterogeneous: bool = False, norm_squared: Value = 1) -> Value:
    """Return C with excess risk at most C/(n+1), or C/n if the agents' laws differ (`heterogeneous`): d/4 +
    norm(omega*)^2, with the second term times 9/4 if laws differ."""
    bias = ratio(9, 4, dimension) if heterogeneous else 1
    return ratio(*LARGEST_VARIANCE, dimension) * dimension + bias * norm_squared


def mean(dimension: Value, n: Value, heterogeneous: bool = False, norm_squared: Value = 1) -> Value:
    """Return the mean excess risk of ridge regression after n samples: C/(n+1), or C/n if the agents' laws differ
    (`heterogeneous`), where C is `coefficient`."""
    return coefficient(dimension, heterogeneous, norm_squared) / (n if heterogeneous else n + 1)


def printed_order(dimension: Value, n: Value) -> Value:
    return dimension / n


def with_solver_error(risk: Value, tolerance: Value) -> Value:
    """Return (1 + delta)^2 e, the excess risk of an inexact solver, delta = tolerance. e = risk is that of the exact
    ridge estimate, and the solver ends within squared distance delta^2 e of it. This is Minkowski's inequality; the
    paper's bound 2A + 2B is larger."""
    return (1 + tolerance) ** 2 * risk


# 1/(1/2 - ln(2)/2): matrix Chernoff at half the mean, P <= d (e^{-1/2} sqrt2)^{n c/(1+c)}
CHERNOFF = Fraction(652, 100)


def loss_to_risk_factor(dimension: int, n: int, failure: float) -> float | None:
    """Return B with E (phi'v)^2 <= B (F(w_S + v) - F*) for all v, with probability at least 1 - failure, where F is
    the ridge objective and w_S its minimiser. B = max(2, s/(1 - s/n)) with s = 6.52 ln(d/failure), by matrix
    Chernoff. Return None for n <= s, where nothing is proved."""
    s = float(CHERNOFF) * log(dimension / failure)
    return max(2.0, s / (1 - s / n)) if n > s else None
