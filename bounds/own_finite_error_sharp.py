"""Show that the excess risk ln|F|/(kappa n) of a finite class, kappa = 0.46368, is within a factor 1 + 4e-5 of the
best possible (own:finite_error_sharp).

|F| is the number of functions, n the number of samples. The proof (docs/sharp_class.md) is a family of hard
instances. N agents have E samples each, so n = N E. With probability s agent j meets a context of its own, else a
context where all functions agree. In its own context the true function has value u, rewards are Bernoulli(u), and the
wrong function number j has value 1; elsewhere it equals the true one. So |F| = N + 1.

Learning fails if agent j's samples in its own context have k ones and z zeros with k (1-u) > z (1+u), because the wrong
function then has the smaller loss. If this has probability q, the expected excess risk times n/ln|F| is at least E s
(1-u)^2 (1 - (1-q)^N)/ln(N+1). For small s and many agents this ratio tends to 1/0.463699 at u = 0.3531. Coq proves the
upper bound with 0.46368. So the best constant 1/kappa lies between 2.156573 and 2.156660.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np

VALUE = Fraction(6, 17)  # u, a convenient rational near 0.3531
OWN = Fraction(1, 64)  # s


def chernoff(u: float, c: float) -> float:
    """Return a lower bound on the rate at which samples refute a wrong function, by Chernoff's inequality with
    exponent c: (1 - E e^{-c l})/(1-u)^2. Rewards are Bernoulli(u), the wrong function has value 1, and l is its
    squared loss minus that of the true value u. The true rate is the largest value over c."""
    d = 1 - u
    mean = u * math.exp(-c * (d * d - 2 * d * (1 - u))) + (1 - u) * math.exp(-c * (d * d + 2 * d * u))
    return (1 - mean) / d**2


def kappa_star() -> tuple[float, float, float]:
    """Return (kappa, u, c), where kappa is the largest possible constant in the excess risk ln|F|/(kappa n) of a finite
    class: the minimum over u of the maximum over c of `chernoff(u, c)`, attained at these u and c. Both functions are
    unimodal and are searched by golden section."""

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
    """Return the logarithm of the probability P(k (1-u) > z (1+u)) that a wrong function has a smaller loss than the
    true one, for k ~ Poisson(lam u) rewards of 1 and z ~ Poisson(lam (1-u)) rewards of 0."""
    from scipy.special import gammaln

    most = int(2 * lam + 20 * math.sqrt(lam) + 50)
    index = np.arange(most + 1)
    ones = -lam * u + index * math.log(lam * u) - gammaln(index + 1)
    zeros = -lam * (1 - u) + index * math.log(lam * (1 - u)) - gammaln(index + 1)
    below = np.logaddexp.accumulate(zeros)
    last = np.ceil(index * (1 - u) / (1 + u) - 1e-9).astype(int) - 1  # the largest z with z < k (1-u)/(1+u)
    return float(np.logaddexp.reduce((ones + below[np.minimum(last, most)])[1:]))


def ratio(log_functions: float, lam: float, u: float) -> float:
    """Return n/ln|F| times the expected excess risk on the hard instances described at the top of this file, for n
    samples and |F| functions, in the limit of rare informative samples, whose number is Poisson. `log_functions`:
    logarithm of the number of wrong functions. `lam`: expected number of an agent's samples in its own context. `u`:
    true mean reward there."""
    log_wins = log_functions + log_beats(u, lam)
    return lam * (1 - u) ** 2 * -math.expm1(-math.exp(min(log_wins, 700.0))) / log_functions


@cache
def best_ratio(log_functions: float, u: float) -> tuple[float, float]:
    """Return the largest value over lam of `ratio(log_functions, lam, u)`, and the lam that attains it."""
    scale = log_functions / (0.4637 * (1 - u) ** 2)
    lam = _golden(lambda x: -ratio(log_functions, x * scale, u), 0.3, 1.1) * scale
    return ratio(log_functions, lam, u), lam


@cache
def exact_beats(steps: int, window: int = 8) -> Fraction:
    """Return a rational lower bound on the probability that one wrong function has a smaller loss than the true one
    after `steps` samples of its agent. The agent meets its own context, where the true mean reward is 6/17, with
    probability 1/64. `window`: rewards of 1, and of 0, are counted up to this many standard deviations above the mean
    number of samples in this context."""
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
    """Return a rational lower bound on n times the expected excess risk on the hard instances described at the top of
    this file, for n samples and `functions` wrong functions. `steps`: samples of each agent, who meets its own context
    with probability 1/64; the true mean reward there is 6/17."""
    x = functions * exact_beats(steps).limit_denominator(10**30)
    x -= Fraction(functions, 10**30)  # what rounding may have added
    series, term = Fraction(1), Fraction(1)
    for k in range(1, 30):
        term = (term * x / k).limit_denominator(10**40)
        series += term
    return steps * OWN * (1 - VALUE) ** 2 * (1 - 1 / series)
