"""app:noisy_statistics: ridge regression from noisy statistics (Theorem 4), w = (V + N + (tau + B)I)^{-1}(b + z).

N is symmetric with N(0, sigma^2) on the diagonal and N(0, sigma^2/2) off it, z has N(0, sigma^2) entries, and sigma =
3/(sqrt2 m) times 1 (central), sqrt M (every agent adds its own) or sqrt n (every sample). B = sigma(sqrt(2d) + sqrt(2
ln(1/delta'))) bounds norm(N) with probability 1 - 2 delta'. For one law of all agents, predictions clipped to [0,1],
tau >= 1 and delta' = 1/(2(n+1)):

    e(n) <= [1 + d/4 + sigma^2 d/tau + (1+1/tau)^2 (tau/4 + B/2)]/(n+1)
"""

import math

from bounds.app_sensitivity import joint
from bounds.errors import choose

REGRET = ("app:noisy_statistics", "regret")  # the statement about FedIGW with such statistics
PLACES = ("central", "agent", "local")


def copies(where: str, agents: int, n: int) -> int:
    """Return the number of independent noises in the sum: one of the server, one per agent, or one per sample."""
    choose("where", where, PLACES)
    return {"central": 1, "agent": agents, "local": n}[where]


def deviation(mu: float, count: int = 1) -> float:
    """Return sigma of the sum of `count` noises, each sufficient for mu: 3/(sqrt2 mu) sqrt(count)."""
    return joint(1.0) / mu * math.sqrt(count)


def failure(n: int) -> float:
    """Return delta' = 1/(2(n+1)), so that the cost 2 delta' of the exceptional event is 1/(n+1)."""
    return 1 / (2 * (n + 1))


def norm_bound(sigma: float, dimension: int, probability: float) -> float:
    """Return B, which the largest eigenvalue of N exceeds with at most this probability, and that of -N as well."""
    return sigma * (math.sqrt(2 * dimension) + math.sqrt(2 * math.log(1 / probability)))


def usual_tau(sigma: float, dimension: int) -> float:
    """Return tau = max(1, 2 sigma sqrt d), which minimises sigma^2 d/tau + tau/4, the main part for large sigma."""
    return max(1.0, 2 * sigma * math.sqrt(dimension))


def bracket(dimension: int, sigma: float, tau: float, probability: float) -> float:
    """Return d/4 + sigma^2 d/tau + (1+1/tau)^2 (tau/4 + B/2)."""
    bias = (1 + 1 / tau) ** 2 * (tau / 4 + norm_bound(sigma, dimension, probability) / 2)
    return dimension / 4 + sigma**2 * dimension / tau + bias


def excess_risk(dimension: int, n: int, sigma: float, tau: float) -> float:
    """Return e(n) at delta' = 1/(2(n+1))."""
    return (1 + bracket(dimension, sigma, tau, failure(n))) / (n + 1)


def regret(agents: int, arms: int, horizon: int, dimension: int, sigma: float, over_g: float) -> float:
    """Return 2M(1-1/K) + (C/g)(2+sqrt2) sqrt(M K T (1 + bracket at n = M T)): doubling epochs, central noise, T >=
    3."""
    n = agents * horizon
    inside = 1 + bracket(dimension, sigma, usual_tau(sigma, dimension), failure(n))
    return 2 * agents * (1 - 1 / arms) + over_g * (2 + math.sqrt(2)) * math.sqrt(n * arms * inside)
