"""app:noisy_gradients: rounds, step, noise and risk; the head of the claim states and proves the theorem."""

import math

from bounds import own_ridge_excess_risk
from bounds.app_sensitivity import gradient

LARGEST_GRADIENT = 4.0  # 2 abs(phi'w - r) norm(phi) in the unit ball: clipping at 4 or more changes nothing


def smoothness(n: int) -> float:
    """beta of F = mean (phi'w - r)^2 + norm(w)^2/n."""
    return 2 * (1 + 1 / n)


def least_rounds(n: int, dimension: int, mu: float, sensitivity: float | None = None) -> int:
    """ceil(beta m n/(Delta sqrt(2d))): more rounds do not lower the bound."""
    delta = gradient() if sensitivity is None else sensitivity
    return max(1, math.ceil(smoothness(n) * mu * n / (delta * math.sqrt(2 * dimension))))


def step(n: int, dimension: int, mu: float, rounds: int, sensitivity: float | None = None) -> float:
    """eta = min(1/beta, m n/(R Delta sqrt(2d)))."""
    delta = gradient() if sensitivity is None else sensitivity
    return min(1 / smoothness(n), mu * n / (rounds * delta * math.sqrt(2 * dimension)))


def noise(mu: float, rounds: int, sensitivity: float | None = None) -> float:
    """Standard deviation of every coordinate of the noise on the sum of gradients, in each of R rounds."""
    return math.sqrt(rounds) * (gradient() if sensitivity is None else sensitivity) / mu


def loss(n: int, dimension: int, mu: float, rounds: int, sensitivity: float | None = None) -> float:
    """Bound on E F(xbar) - F(w*)."""
    delta = gradient() if sensitivity is None else sensitivity
    eta = step(n, dimension, mu, rounds, delta)
    return 1 / (2 * eta * rounds) + eta * dimension * rounds * (delta / (mu * n)) ** 2


def gap(n: int, dimension: int, mu: float, rounds: int, sensitivity: float | None = None) -> float:
    """Bound on E F(xbar) - F*."""
    return loss(n, dimension, mu, rounds, sensitivity) + (dimension / 4 + 1) / n


def excess_risk(
    n: int,
    dimension: int,
    mu: float,
    rounds: int,
    heterogeneous: bool = False,
    sensitivity: float | None = None,
) -> float:
    """e(n) at delta' = 1/(n+1)."""
    exact = float(own_ridge_excess_risk.mean(float(dimension), n, heterogeneous))
    spread = float(own_ridge_excess_risk.CHERNOFF) * math.log(dimension * (n + 1))
    transferred = max(2.0, spread) * gap(n, dimension, mu, rounds, sensitivity)
    return (math.sqrt(exact) + math.sqrt(transferred)) ** 2 + 1 / (n + 1)
