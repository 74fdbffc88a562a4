"""Excess risk of the exact minimiser over a finite class with values in [0,1]: the formulas of lem:finite_error.

printed     mean <= (25 ln(|F| n) + 1)/n      tail <= 25 ln(|F|/delta)/n
repaired    the same mean                     tail <= (2 + 4/sqrt3)^2 ln(|F|/delta)/n
sharpened   mean <= ln|F|/(kappa n)           tail <= ln((|F|-1)/delta)/(kappa n),   kappa = 1 - e^{-1/2}
"""

from bounds.arithmetic import Value, exp, log, ratio, sqrt


def kappa(like: Value = 1.0) -> Value:
    """Return 1 - e^{-1/2} = 0.39347. E e^{-loss} <= e^{-D^2/2} (Hoeffding) <= 1 - kappa D^2 for D^2 <= 1."""
    return 1 - exp(-ratio(1, 2, like))


def printed_mean(functions: Value, n: Value) -> Value:
    """Return (25 ln(|F| n) + 1)/n: the tail at delta = 1/n, plus 1/n for the exceptional event."""
    return printed_coefficient(functions, n) / n


def sharpened_mean(functions: Value, n: Value) -> Value:
    """Return ln|F|/(kappa n). P(fhat = f) <= e^{-kappa n eps_f} gives eps_f <= ln(1/P_f)/(kappa n); average."""
    return log(functions) / (kappa(functions) * n)


def printed_coefficient(functions: Value, n: Value) -> Value:
    """Return n e(n) of the printed mean, which grows with n."""
    return 25 * log(functions * n) + 1


def sharpened_coefficient(functions: Value, n: Value) -> Value:
    """Return n e(n) of the sharpened mean, which does not depend on n."""
    return log(functions) / kappa(functions)


def printed_tail(functions: Value, n: Value, delta: Value) -> Value:
    return 25 * log(functions / delta) / n


def own_algebra_tail(functions: Value, n: Value, delta: Value) -> Value:
    """Return the tail that the paper's algebra gives: x^2 <= 4x + 4/3 implies x^2 <= (2 + 4/sqrt3)^2 = 18.571."""
    return (2 + 4 / sqrt(3 * ratio(1, 1, functions))) ** 2 * log(functions / delta) / n


def sharpened_tail(functions: Value, n: Value, delta: Value) -> Value:
    """Return ln((|F|-1)/delta)/(kappa n), by a union bound over P(loss_f <= loss_f*) <= e^{-kappa n eps_f}."""
    return log((functions - 1) / delta) / (kappa(functions) * n)


MEAN = {"printed": printed_mean, "repaired": printed_mean, "sharpened": sharpened_mean}
TAIL = {"printed": printed_tail, "repaired": own_algebra_tail, "sharpened": sharpened_tail}
