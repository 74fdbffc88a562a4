"""Distributed accelerated gradient descent on ridge regression with lambda = 1/n: its rate and its schedule.

F(w) = (1/n) sum (phi'w - r)^2 + norm(w)^2/n is 2(1+1/n)-smooth and 2/n-strongly convex: kappa <= n+1. From w_0 = 0,

    F(w_k) - F* <= 1.25 exp(-k/sqrt(n+1)),   norm(w_k - w_S)^2 <= 1.25 n exp(-k/sqrt(n+1))      (surely)

because gap_0 <= mean r^2 <= 1 and lambda norm(w_S)^2 <= 1/4. Chebyshev and CG: gap_k <= 4 exp(-4k/sqrt(n+1)).
"""

from __future__ import annotations

import math
from typing import Any

from bounds.arithmetic import exp, ratio, sqrt


def smoothness(n: Any) -> Any:
    return 2 * (1 + ratio(1, 1, n) / n)


def strong_convexity(n: Any) -> Any:
    return 2 * ratio(1, 1, n) / n


def momentum(n: Any) -> Any:
    """(sqrt kappa - 1)/(sqrt kappa + 1), kappa = n+1."""
    root = sqrt(n + 1)
    return (root - 1) / (root + 1)


def start(n: Any) -> Any:
    """1.25: gap_0 + (mu/2) norm(w_S)^2 at w_0 = 0."""
    return ratio(5, 4, n)


def loss_gap(n: Any, rounds: Any) -> Any:
    """Bound on F(w_k) - F* after k rounds."""
    return start(n) * exp(-rounds / sqrt(n + 1))


def distance_squared(n: Any, rounds: Any) -> Any:
    """Bound on norm(w_k - w_S)^2 after k rounds: gap/lambda. Term (A) of the paper needs this, not the loss."""
    return n * loss_gap(n, rounds)


def rounds_for_distance(n: float, target: float) -> int:
    """ceil(sqrt(n+1) ln(1.25 n/target)): the fewest rounds whose bound on the squared distance is `target`."""
    return max(0, math.ceil(math.sqrt(n + 1) * (math.log(1.25 * n) - math.log(target))))


def polynomial_loss_gap(n: Any, rounds: Any) -> Any:
    """Chebyshev's (and so CG's) bound on F(w_k) - F*: 4 rho^{2k} gap_0, rho <= exp(-2/sqrt kappa), gap_0 <= 1."""
    return 4 * exp(-4 * rounds / sqrt(n + 1))


def chebyshev_rounds_for_distance(n: float, target: float) -> int:
    """ceil(sqrt(n+1)/4 ln(4n/target)): a quarter of AGD's leading term."""
    return max(0, math.ceil(math.sqrt(n + 1) / 4 * (math.log(4.0 * n) - math.log(target))))


def certified_loss_gap(n: float, gradient_norm: float) -> float:
    """F(w) - F* <= norm(grad)^2/(2 mu) = n norm(grad)^2/4."""
    return n * gradient_norm**2 / 4


def certified_distance(n: float, gradient_norm: float) -> float:
    """norm(w - w_S) <= norm(grad)/mu = n norm(grad)/2."""
    return n * gradient_norm / 2
