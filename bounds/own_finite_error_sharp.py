"""own:finite_error_sharp: the bound ln|F|/(kappa n), kappa = 0.46368, on the mean excess risk over a class F is
within a factor 1 + 4e-5 of the best.

The class. There are N agents with E samples each. Agent j meets its own context with probability s, else a context
where all functions agree. In its own context the true function f* is u and rewards are Bernoulli(u). The wrong
function f_j is f* except for the value 1 in agent j's own context. So |F| = N + 1, n = N E, and the excess risk of
f_j is s D^2/N with D = 1 - u. f_j has a smaller loss than f* if agent j's samples have k ones and z zeros in its
context with

    k (D^2 - 2D(1-u)) + z (D^2 + 2Du) < 0   <=>   k (1-u) > z (1+u).

Agents are independent, so the expected excess risk times n/ln|F| is at least

    E s D^2 (1 - (1-q)^N)/ln(N+1),  q = P(k(1-u) > z(1+u)).

The limit. As s -> 0 with E s = lam fixed, k and z are Poisson. By Cramer's theorem for the compound Poisson sum of
the loss differences l

    q = exp(-lam kappa(u) D^2 (1 + o(1))),   kappa(u) = sup_c (1 - E e^{-c l})/D^2.

Take lam = (1-eps) ln N/(kappa(u) D^2). Then N q -> infinity, so some f_j wins with probability tending to 1, and the
ratio tends to (1-eps)/kappa(u). The least kappa(u) is kappa* = 0.463699 at u = 0.3531, c = 1.038. Coq proves the
bound with kappa = 0.46368 < kappa*, so the best constant lies between 1/kappa* = 2.156573 and 1/0.46368 = 2.156660.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np

VALUE = Fraction(6, 17)  # u, a convenient rational near 0.3531
OWN = Fraction(1, 64)  # s


def chernoff(u: float, c: float) -> float:
    """Return (1 - E e^{-c l})/D^2, where l = D^2 + 2D(u - r) is the loss of the value 1 minus that of the mean u for a
    reward r ~ Bernoulli(u), and D = 1 - u. Its largest value over c is the rate at which samples refute the value 1."""
    d = 1 - u
    mean = u * math.exp(-c * (d * d - 2 * d * (1 - u))) + (1 - u) * math.exp(-c * (d * d + 2 * d * u))
    return (1 - mean) / d**2


def kappa_star() -> tuple[float, float, float]:
    """Return (kappa*, u, c): the least over u of the largest over c of `chernoff(u, c)`, by golden-section search.
    Both functions are unimodal."""

    def largest(u: float) -> tuple[float, float]:
        c = _golden(lambda x: -chernoff(u, x), 0.5, 2.0)
        return chernoff(u, c), c

    u = _golden(lambda x: largest(x)[0], 0.2, 0.5)
    return largest(u)[0], u, largest(u)[1]


def _golden(f: Callable[[float], float], low: float, high: float) -> float:
    g = (math.sqrt(5) - 1) / 2
    a, b = high - g * (high - low), low + g * (high - low)
    for _ in range(40):  # to 4e-9 of the interval: near an extremum the value is then exact to rounding
        if f(a) < f(b):
            high, b = b, a
            a = high - g * (high - low)
        else:
            low, a = a, b
            b = low + g * (high - low)
    return (low + high) / 2


def log_beats(u: float, lam: float) -> float:
    """Return ln q in the Poisson limit: q is the probability of k (1-u) > z (1+u) for k ~ Poisson(lam u) rewards 1
    and z ~ Poisson(lam (1-u)) rewards 0."""
    from scipy.special import gammaln

    most = int(2 * lam + 20 * math.sqrt(lam) + 50)
    index = np.arange(most + 1)
    ones = -lam * u + index * math.log(lam * u) - gammaln(index + 1)
    zeros = -lam * (1 - u) + index * math.log(lam * (1 - u)) - gammaln(index + 1)
    below = np.logaddexp.accumulate(zeros)
    last = np.ceil(index * (1 - u) / (1 + u) - 1e-9).astype(int) - 1  # the largest z with z < k (1-u)/(1+u)
    return float(np.logaddexp.reduce((ones + below[np.minimum(last, most)])[1:]))


def ratio(log_functions: float, lam: float, u: float) -> float:
    """Return the expected excess risk times n/ln|F| in the Poisson limit, lam D^2 (1 - exp(-N q))/ln N, for N wrong
    functions. log_functions: ln N. lam: the expected number of samples of an agent in its own context."""
    log_wins = log_functions + log_beats(u, lam)
    return lam * (1 - u) ** 2 * -math.expm1(-math.exp(min(log_wins, 700.0))) / log_functions


@cache
def best_ratio(log_functions: float, u: float) -> tuple[float, float]:
    """Return the largest value of `ratio` over lam, and the lam that attains it. log_functions: ln N."""
    scale = log_functions / (0.4637 * (1 - u) ** 2)
    lam = _golden(lambda x: -ratio(log_functions, x * scale, u), 0.3, 1.1) * scale
    return ratio(log_functions, lam, u), lam


@cache
def exact_beats(steps: int, window: int = 8) -> Fraction:
    """Return a rational lower bound on q, the probability that one wrong function beats f* after `steps` samples of
    its agent, at s = 1/64 and u = 6/17. window: how many standard deviations count as likely."""
    # the sum of the probabilities 6^k 11^z 1071^(rest)/1088^steps, with multiplicity, of the likely numbers k of
    # rewards 1 and z of rewards 0
    u, s = VALUE, OWN
    unit = u.denominator * s.denominator
    one, zero = int(s * u * unit), int(s * (1 - u) * unit)
    rest = unit - one - zero
    mean = float(steps * s)
    most = int(mean + window * math.sqrt(mean)) + 10
    powers = [rest ** (steps - 2 * most)]
    for _ in range(2 * most):
        powers.append(powers[-1] * rest)
    total = 0
    for k in range(1, most + 1):
        z_most = math.ceil(Fraction(k) * (1 - u) / (1 + u)) - 1
        ways = math.comb(steps, k) * one**k
        for z in range(min(z_most, most) + 1):
            total += ways * math.comb(steps - k, z) * zero**z * powers[2 * most - k - z]
    return Fraction(total, unit**steps)


def exact_ratio(functions: int, steps: int) -> Fraction:
    """Return a rational lower bound on the expected excess risk times n for N = `functions` wrong functions, at s =
    1/64 and D = 11/17; divide it by ln(N+1). It is E s D^2 (1 - (1-q)^N) with E = `steps`, and uses (1-q)^N <=
    e^{-Nq} <= 1/(1 + Nq + (Nq)^2/2 + ...)."""
    x = functions * exact_beats(steps).limit_denominator(10**30)
    x -= Fraction(functions, 10**30)  # what rounding may have added
    series, term = Fraction(1), Fraction(1)
    for k in range(1, 30):
        term = (term * x / k).limit_denominator(10**40)
        series += term
    return steps * OWN * (1 - VALUE) ** 2 * (1 - 1 / series)
