"""app:local_operator: a round of a local method on quadratics is one operator, with this fixed point and rate.

    x+ = x - eta_g Pi Q(H)(x - w_loc),   psi = Q/t,   0 < psi(h) <= h on the spectrum of H

H: the agents' Hessians, w_loc: their own minimisers, Pi: the average of the shared coordinates (weights p_m). FedAvg:
Q = 1 - (1 - eta h)^K, t = K eta. FedProx: Q = h/(h + m), t = 1/m; with K steps of gradient descent on the local
problem Q = h/(h + m) (1 - (1 - eta(h + m))^K), t = (1 - (1 - eta m)^K)/m.
"""

import math
from typing import Any


def fedavg_filter(h: Any, local_steps: int, step_size: float) -> Any:
    """Return Q(h) = 1 - (1 - eta h)^K, the share of an error in a direction of curvature h that K steps remove."""
    return 1 - (1 - step_size * h) ** local_steps


def fedprox_filter(h: Any, proximal: float, local_steps: int | None = None, step_size: float = 0.0) -> Any:
    """Return Q of FedProx at eigenvalue h. local_steps=None means that local problems are solved exactly."""
    solved = h / (h + proximal)
    if local_steps is None:
        return solved
    return solved * (1 - (1 - step_size * (h + proximal)) ** local_steps)


def fedprox_time(proximal: float, local_steps: int | None = None, step_size: float = 0.0) -> float:
    """Return t with Q(h) <= t h: 1/m, or (1 - (1 - eta m)^K)/m for K local steps."""
    if local_steps is None:
        return 1 / proximal
    return (1 - (1 - step_size * proximal) ** local_steps) / proximal


def fixed_point_gap(spread: float, deviation: float, heterogeneity: float) -> float:
    """Return (1/2) sup(h/psi) sup((h-psi)^2/(h^2 psi)) zeta*^2: a bound on F - F* at the fixed point."""
    return spread * deviation * heterogeneity / 2


def gap_after(rounds: int, contraction: float, least: float, start: float, limit: float) -> float:
    """Return the bound on F - F* after r rounds: (sqrt(limit) + a^{-1/2} contraction^r (sqrt(start) + sqrt(limit)))^2.
    least: a = inf(psi/h). contraction: 1 - h0 mu a with h0 = eta_g t. limit: a bound on the gap at the fixed point."""
    root = math.sqrt(limit)
    return (root + contraction**rounds * (math.sqrt(start) + root) / math.sqrt(least)) ** 2
