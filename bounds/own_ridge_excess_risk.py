"""Bound the excess risk of federated ridge regression on n samples, with weight lambda = 1/n on the squared norm.

Features in d dimensions and the true parameter omega* have norm at most 1, rewards are in [0,1], and v <= 1/4 bounds
their variance. There is no logarithm, and the estimate need not be clipped.

    variant, agents' distributions   excess risk
    printed                          O~(d/n) without a constant; evaluated with constant 1
    repaired, the same               (v d + norm(omega*)^2)/(n+1) <= C/(n+1),  C = d/4 + 1
    repaired, different ones         (v d + (9/4) norm(omega*)^2)/n <= C/n,    C = d/4 + 9/4
"""

from bounds.arithmetic import Value, ratio

LARGEST_VARIANCE = (1, 4)  # of a variable in [0,1], as a fraction


def coefficient(dimension: Value, heterogeneous: bool = False, norm_squared: Value = 1) -> Value:
    """Return C such that the excess risk of ridge regression after n samples is at most C/(n+1), or C/n if the agents'
    distributions differ (`heterogeneous`). `norm_squared`: bound on the squared norm of the true parameter."""
    bias = ratio(9, 4, dimension) if heterogeneous else 1
    return ratio(*LARGEST_VARIANCE, dimension) * dimension + bias * norm_squared


def mean(dimension: Value, n: Value, heterogeneous: bool = False, norm_squared: Value = 1) -> Value:
    """Bound the mean excess risk of ridge regression after n samples. `heterogeneous`: whether the agents'
    distributions differ. `norm_squared`: bound on the squared norm of the true parameter."""
    return coefficient(dimension, heterogeneous, norm_squared) / (n if heterogeneous else n + 1)


def printed_order(dimension: Value, n: Value) -> Value:
    return dimension / n


def with_solver_error(risk: Value, tolerance: Value) -> Value:
    """Return (1 + tolerance)^2 risk, a bound on the excess risk of a solver that ends within squared distance
    tolerance^2 risk of the exact ridge estimate, whose excess risk is `risk` (Minkowski's inequality)."""
    return (1 + tolerance) ** 2 * risk
