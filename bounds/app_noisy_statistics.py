"""Bound the excess risk of ridge regression from statistics with privacy noise (app:noisy_statistics).

From n samples (phi, r) in d dimensions, V = sum phi phi' and b = sum r phi. The estimate is

    w = (V + N + (tau + B) I)^{-1} (b + z)

    N, z     noise: N is symmetric with N(0, sigma^2) on the diagonal and N(0, sigma^2/2) off it; z has N(0,
             sigma^2) entries
    sigma    3/(sqrt2 mu) times 1 if the server adds the noise, sqrt M if each of M agents does, sqrt n if every
             sample gets it
    mu       the ratio of sensitivity to noise that the required privacy allows (bounds/app_gaussian_mechanism.py)
    tau      the regularisation
    B        sigma (sqrt(2d) + sqrt(2 ln(1/delta'))), which bounds norm(N) with probability 1 - 2 delta'

Assume that the data of all agents have the same distribution, predictions are clipped to [0,1], tau >= 1 and delta' =
1/(2(n+1)). Then the excess risk is at most

    e(n) <= [1 + d/4 + sigma^2 d/tau + (1+1/tau)^2 (tau/4 + B/2)]/(n+1)
"""

import math

from bounds.app_sensitivity import joint
from bounds.errors import choose

REGRET = ("app:noisy_statistics", "regret")  # the statement about FedIGW with such statistics
PLACES = ("central", "agent", "local")


def copies(where: str, agents: int, n: int) -> int:
    """Return how many independent noises the agents' summed statistics contain, depending on who adds them. `where`
    is "central" (one noise, of the server), "agent" (one per agent) or "local" (one per sample; n samples)."""
    choose("where", where, PLACES)
    return {"central": 1, "agent": agents, "local": n}[where]


def deviation(mu: float, count: int = 1) -> float:
    """Return (3/sqrt2)/mu sqrt(count), the standard deviation of the sum of `count` independent noises on the
    statistics of ridge regression (sum phi phi' and sum r phi over features phi and rewards r), if each noise alone
    gives Gaussian privacy with parameter `mu`."""
    return joint(1.0) / mu * math.sqrt(count)


def failure(n: int) -> float:
    """Return 1/(2(n+1)), the allowed failure probability of two bounds: on the largest and on the smallest eigenvalue
    of the noise matrix. Their failures add at most 1/(n+1) to the excess risk after n samples."""
    return 1 / (2 * (n + 1))


def norm_bound(sigma: float, dimension: int, probability: float) -> float:
    """Return a bound on the largest eigenvalue of a symmetric Gaussian noise matrix, and on minus the smallest one.
    Each exceeds it with at most the given probability. `sigma`: standard deviation of the diagonal entries; the other
    entries have sigma/sqrt2."""
    return sigma * (math.sqrt(2 * dimension) + math.sqrt(2 * math.log(1 / probability)))


def usual_tau(sigma: float, dimension: int) -> float:
    """Return the default regularisation max(1, 2 sigma sqrt(dimension)) of ridge regression on statistics with noise of
    standard deviation `sigma`. For large noise it minimises the terms sigma^2 dimension/tau + tau/4 of the excess risk.
    """
    return max(1.0, 2 * sigma * math.sqrt(dimension))


def bracket(dimension: int, sigma: float, tau: float, probability: float) -> float:
    """Return d/4 + sigma^2 d/tau + (1+1/tau)^2 (tau/4 + B/2), a part of (n+1) x the bound on the excess risk from n
    samples. d: `dimension`. `sigma`: standard deviation of the noise. `tau`: regularisation. The noise matrix's largest
    eigenvalue exceeds B with at most the given `probability`."""
    bias = (1 + 1 / tau) ** 2 * (tau / 4 + norm_bound(sigma, dimension, probability) / 2)
    return dimension / 4 + sigma**2 * dimension / tau + bias


def excess_risk(dimension: int, n: int, sigma: float, tau: float) -> float:
    """Bound the mean excess risk of ridge regression from `n` samples, if Gaussian noise is added to the sums of phi
    phi' and r phi (features phi, rewards r). `sigma`: standard deviation of the noise. `tau`: regularisation."""
    return (1 + bracket(dimension, sigma, tau, failure(n))) / (n + 1)


def regret(agents: int, arms: int, horizon: int, dimension: int, sigma: float, over_g: float) -> float:
    """Bound the regret of FedIGW if the server adds privacy noise to the statistics of ridge regression. `horizon`:
    steps T of each agent, at least 3; epochs end at steps 2, 4, 8, .... `sigma`: standard deviation of the noise.
    `over_g`: the constant in front of the square root in the regret bound of thm:global_regret."""
    n = agents * horizon
    inside = 1 + bracket(dimension, sigma, usual_tau(sigma, dimension), failure(n))
    return 2 * agents * (1 - 1 / arms) + over_g * (2 + math.sqrt(2)) * math.sqrt(n * arms * inside)
