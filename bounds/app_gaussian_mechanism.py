"""Convert between noise and differential privacy for the Gaussian mechanism (app:gaussian_mechanism).

The mechanism releases a quantity with independent N(0, sigma^2) noise in every coordinate. If one sample changes the
quantity by at most Delta, in the Euclidean norm, privacy depends only on mu = Delta/sigma. The release is (epsilon,
delta)-private exactly if

    delta >= Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)

where Phi is the distribution function of N(0, 1). Example: the largest mu that is (1, 1e-5)-private is 0.2681.
Releases with mu_1, ..., mu_k together are as private as one with mu = sqrt(mu_1^2 + ... + mu_k^2).
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
    """Return the least delta for which a release is (epsilon, delta)-private, given its `mu` (sensitivity divided by
    noise). `epsilon` must not be negative. The formula is computed in logarithms, because e^epsilon may overflow."""
    from scipy.special import log_ndtr

    if mu <= 0:
        return 0.0
    larger, smaller = (float(log_ndtr(x)) for x in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu))
    return math.exp(larger) * -math.expm1(min(0.0, epsilon + smaller - larger))


@lru_cache(maxsize=4096)
def epsilon_of(mu: float, delta: float) -> float:
    """Return the least epsilon >= 0 for which a release is (epsilon, delta)-private, given its `mu` (sensitivity
    divided by noise)."""
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
    """Return the largest mu (sensitivity divided by noise) that is still (epsilon, delta)-private. A quantity of
    sensitivity s therefore needs noise of standard deviation s/mu."""
    check(epsilon, delta)
    high = 1.0
    while delta_of(high, epsilon) <= delta:
        high *= 2
    return -_bisect(lambda mu: delta_of(-mu, epsilon) <= delta, -high, 0.0)


def together(mus: Iterable[float]) -> float:
    """Return the Gaussian-privacy parameter mu (sensitivity divided by noise) of several releases about one sample,
    taken together: the root of the sum of their mu^2. A release may depend on the results of earlier ones."""
    return math.sqrt(sum(mu**2 for mu in mus))


def _bisect(holds: Callable[[float], bool], low: float, high: float) -> float:
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return high
        low, high = (low, middle) if holds(middle) else (middle, high)
