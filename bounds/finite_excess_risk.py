"""Bound the excess risk of least squares over a finite class of functions with values in [0,1] (lem:finite_error).

The class has |F| functions, and there are n samples. "mean" bounds the expected excess risk; with probability at most
delta the excess risk is above "tail".

    variant     bound on the mean                 bound on the tail
    printed     mean <= (25 ln(|F| n) + 1)/n      tail <= 25 ln(|F|/delta)/n
    repaired    the same mean                     tail <= (2 + 4/sqrt3)^2 ln(|F|/delta)/n
    sharpened   mean <= ln|F|/(kappa n)           tail <= ln((|F|-1)/delta)/(kappa n),   kappa = 1 - e^{-1/2}
"""

from bounds.arithmetic import Value, exp, log, ratio, sqrt


def kappa(like: Value = 1.0) -> Value:
    """Return the constant kappa = 1 - e^{-1/2} = 0.39347 in the bound ln|F|/(kappa n) on the excess risk over |F|
    functions after n samples. It has the type of `like` (float or symbol)."""
    # with D = f - f* at a sample and l the squared loss of f minus that of f*, E e^{-l} <= e^{-D^2/2} (Hoeffding) <=
    # 1 - kappa D^2 for D^2 <= 1
    return 1 - exp(-ratio(1, 2, like))


def printed_mean(functions: Value, n: Value) -> Value:
    """Return the paper's bound (25 ln(F n) + 1)/n on the mean excess risk after n samples, over a class of F =
    `functions` functions."""
    # its tail bound at delta = 1/n, plus 1/n for the event that it fails
    return printed_coefficient(functions, n) / n


def sharpened_mean(functions: Value, n: Value) -> Value:
    """Return the sharpened bound ln(F)/(kappa n) on the mean excess risk after n samples, over a class of F =
    `functions` functions; kappa = 1 - e^{-1/2}."""
    # if f has excess risk eps_f, P_f = P(fhat = f) <= e^{-kappa n eps_f}, so eps_f <= ln(1/P_f)/(kappa n), and the
    # mean of ln(1/P_f) is at most ln|F|
    return log(functions) / (kappa(functions) * n)


def printed_coefficient(functions: Value, n: Value) -> Value:
    """Return n times the paper's bound on the mean excess risk over F = `functions` functions: 25 ln(F n) + 1. It
    still grows with the number n of samples."""
    return 25 * log(functions * n) + 1


def sharpened_coefficient(functions: Value, n: Value) -> Value:
    """Return n times the sharpened bound on the mean excess risk over F = `functions` functions: ln(F)/(1 -
    e^{-1/2}). It is the same for every number n of samples."""
    return log(functions) / kappa(functions)


def printed_tail(functions: Value, n: Value, delta: Value) -> Value:
    return 25 * log(functions / delta) / n


def own_algebra_tail(functions: Value, n: Value, delta: Value) -> Value:
    """Return (2 + 4/sqrt3)^2 ln(F/delta)/n, the bound that the paper's algebra gives; the paper prints the smaller
    factor 25. With probability 1 - `delta` the excess risk over a class of F = `functions` functions after n samples is
    at most this."""
    # x^2 <= 4x + 4/3 implies x^2 <= (2 + 4/sqrt3)^2 = 18.571
    return (2 + 4 / sqrt(3 * ratio(1, 1, functions))) ** 2 * log(functions / delta) / n


def sharpened_tail(functions: Value, n: Value, delta: Value) -> Value:
    """Return ln((F-1)/delta)/(kappa n), kappa = 1 - e^{-1/2}. With probability 1 - `delta` the excess risk over a class
    of F = `functions` functions after n samples is at most this."""
    # union bound over the f != f*: one of excess risk eps_f has the smaller loss with probability at most e^{-kappa
    # n eps_f}
    return log((functions - 1) / delta) / (kappa(functions) * n)


MEAN = {"printed": printed_mean, "repaired": printed_mean, "sharpened": sharpened_mean}
TAIL = {"printed": printed_tail, "repaired": own_algebra_tail, "sharpened": sharpened_tail}
