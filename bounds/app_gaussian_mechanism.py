"""app:gaussian_mechanism: privacy of a quantity that is released with N(0, sigma^2) noise in every coordinate.

One sample changes the quantity by at most Delta, and mu = Delta/sigma:

    it is (epsilon, delta)-private exactly when  delta >= Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)
    k releases with mu_1, ..., mu_k are together as private as one with mu = sqrt(mu_1^2 + ... + mu_k^2)

m(epsilon, delta) is the largest mu that is (epsilon, delta)-private: m(1, 1e-5) = 0.2681, m(8, 1e-5) = 1.6660.
"""

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

from bounds.errors import InputError


def check(epsilon: float, delta: float) -> None:
    """Raise InputError unless epsilon is positive and delta lies between 0 and 1."""
    if not 0 < epsilon < math.inf:
        raise InputError("epsilon", epsilon, "must be a positive number")
    if not 0 < delta < 1:
        raise InputError("delta", delta, "must lie strictly between 0 and 1")


def delta_of(mu: float, epsilon: float) -> float:
    """Return the least delta for which a release with this mu is (epsilon, delta)-private, epsilon >= 0. It is
    computed in logarithms, as e^epsilon may overflow."""
    from scipy.special import log_ndtr

    if mu <= 0:
        return 0.0
    larger, smaller = (float(log_ndtr(x)) for x in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu))
    return math.exp(larger) * -math.expm1(min(0.0, epsilon + smaller - larger))


@lru_cache(maxsize=4096)
def epsilon_of(mu: float, delta: float) -> float:
    """Return the least epsilon >= 0 for which a release with this mu is (epsilon, delta)-private."""
    if mu < 0 or not 0 < delta < 1:
        raise ValueError("mu must not be negative and delta must lie in (0,1)")
    if delta_of(mu, 0.0) <= delta:
        return 0.0
    high = 1.0
    while delta_of(mu, high) > delta:
        high *= 2
    return _bisect(lambda epsilon: delta_of(mu, epsilon) <= delta, 0.0, high)


@lru_cache(maxsize=4096)
def largest_mu(epsilon: float, delta: float) -> float:
    """Return m(epsilon, delta). For sensitivity Delta, the least noise that suffices has standard deviation sigma =
    Delta/m."""
    check(epsilon, delta)
    high = 1.0
    while delta_of(high, epsilon) <= delta:
        high *= 2
    return -_bisect(lambda mu: delta_of(-mu, epsilon) <= delta, -high, 0.0)


def together(mus: Iterable[float]) -> float:
    """Return the mu of several releases about the same sample together: the root of the sum of their squares. Each
    release may depend on the results of those before it."""
    return math.sqrt(sum(mu**2 for mu in mus))


def _bisect(holds: Callable[[float], bool], low: float, high: float) -> float:
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return high
        low, high = (low, middle) if holds(middle) else (middle, high)
