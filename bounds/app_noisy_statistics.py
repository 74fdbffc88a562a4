"""app:noisy_statistics: ridge regression from noisy statistics (Theorem 4), w = (V + N + (tau + B)I)^{-1}(b + z).

V = sum phi phi' and b = sum r phi over n samples (phi, r) in d dimensions, N and z are noise, and tau I is the
regularisation. mu is the ratio of sensitivity to noise that the required privacy allows (app:gaussian_mechanism). N
is symmetric with N(0, sigma^2) on the diagonal and N(0, sigma^2/2) off it; z has N(0, sigma^2) entries. sigma =
3/(sqrt2 mu) times 1 (the server adds noise), sqrt M (each of M agents does) or sqrt n (it is added to every sample).
B = sigma(sqrt(2d) + sqrt(2 ln(1/delta'))) bounds norm(N) with probability 1 - 2 delta'. If all agents have the same
law, predictions are clipped to [0,1], tau >= 1 and delta' = 1/(2(n+1)), the excess risk is

    e(n) <= [1 + d/4 + sigma^2 d/tau + (1+1/tau)^2 (tau/4 + B/2)]/(n+1)
"""

import math

from bounds.app_sensitivity import joint
from bounds.errors import choose

REGRET = ("app:noisy_statistics", "regret")  # the statement about FedIGW with such statistics
PLACES = ("central", "agent", "local")


def copies(where: str, agents: int, n: int) -> int:
    """Return the number of independent noises in the sum of statistics: one of the server ("central"), one per agent
    ("agent") or one per sample ("local")."""
    choose("where", where, PLACES)
    return {"central": 1, "agent": agents, "local": n}[where]


def deviation(mu: float, count: int = 1) -> float:
    """Return the standard deviation of the sum of `count` noises: 3/(sqrt2 mu) sqrt(count). Each of them is enough for
    Gaussian privacy with parameter mu."""
    return joint(1.0) / mu * math.sqrt(count)


def failure(n: int) -> float:
    """Return 1/(2(n+1)), the probability with which the noise matrix may exceed its bound in either direction. The two
    failures together add 1/(n+1) to the excess risk."""
    return 1 / (2 * (n + 1))


def norm_bound(sigma: float, dimension: int, probability: float) -> float:
    """Return a number that the largest eigenvalue of the noise matrix N exceeds with at most this probability; the
    same holds for -N. sigma: the standard deviation of the diagonal entries of N."""
    return sigma * (math.sqrt(2 * dimension) + math.sqrt(2 * math.log(1 / probability)))


def usual_tau(sigma: float, dimension: int) -> float:
    """Return the regularisation tau = max(1, 2 sigma sqrt d). It minimises sigma^2 d/tau + tau/4, the main part of the
    excess risk if the noise deviation sigma is large."""
    return max(1.0, 2 * sigma * math.sqrt(dimension))


def bracket(dimension: int, sigma: float, tau: float, probability: float) -> float:
    """Return d/4 + sigma^2 d/tau + (1+1/tau)^2 (tau/4 + B/2), the main part of (n+1) times the excess risk.
    probability: the one with which B may be exceeded."""
    bias = (1 + 1 / tau) ** 2 * (tau / 4 + norm_bound(sigma, dimension, probability) / 2)
    return dimension / 4 + sigma**2 * dimension / tau + bias


def excess_risk(dimension: int, n: int, sigma: float, tau: float) -> float:
    """Return the bound on the mean excess risk e(n) of ridge regression from n samples with noisy statistics."""
    return (1 + bracket(dimension, sigma, tau, failure(n))) / (n + 1)


def regret(agents: int, arms: int, horizon: int, dimension: int, sigma: float, over_g: float) -> float:
    """Return the regret bound of FedIGW with noise added by the server, for M agents, K arms, T >= 3 steps and
    epochs that end at steps 2, 4, 8, ...: 2M(1-1/K) + over_g (2+sqrt2) sqrt(M K T (1 + b)), where b is `bracket` at
    n = M T. over_g: the constant of thm:global_regret."""
    n = agents * horizon
    inside = 1 + bracket(dimension, sigma, usual_tau(sigma, dimension), failure(n))
    return 2 * agents * (1 - 1 / arms) + over_g * (2 + math.sqrt(2)) * math.sqrt(n * arms * inside)
