"""app:local_operator: on quadratics, a round of a local method is an affine map; its fixed point and rate.

    x+ = x - eta_g Pi Q(H)(x - w_loc),   psi = Q/t,   0 < psi(h) <= h on the spectrum of H

x: the models of all agents. H: the agents' Hessians. w_loc: the minimisers of their own objectives. Pi: the average of
the shared coordinates (weights p_m). Q: a function of an eigenvalue h, the fraction of the error that the local steps
remove in its direction. t: the total length of the local steps, so that Q(h) <= t h.

    FedAvg      K steps of size eta: Q = 1 - (1 - eta h)^K, t = K eta
    FedProx     proximal weight m, exact local solves: Q = h/(h + m), t = 1/m
                K gradient steps on the local problem: Q = h/(h + m) (1 - (1 - eta(h + m))^K), t = (1 - (1 - eta m)^K)/m
"""

import math
from typing import Any


def fedavg_filter(h: Any, local_steps: int, step_size: float) -> Any:
    """Return 1 - (1 - eta h)^K, the fraction of an error in a direction of curvature h that K local steps of size eta
    remove."""
    return 1 - (1 - step_size * h) ** local_steps


def fedprox_filter(h: Any, proximal: float, local_steps: int | None = None, step_size: float = 0.0) -> Any:
    """Return the fraction of an error in a direction of curvature h that a local phase of FedProx removes: h/(h + m)
    for the proximal weight m, times 1 - (1 - eta(h + m))^K for K gradient steps of size eta. local_steps=None: exact
    local solves."""
    solved = h / (h + proximal)
    if local_steps is None:
        return solved
    return solved * (1 - (1 - step_size * (h + proximal)) ** local_steps)


def fedprox_time(proximal: float, local_steps: int | None = None, step_size: float = 0.0) -> float:
    """Return the number t with fedprox_filter(h) <= t h for every curvature h: 1/m for exact local solves with
    proximal weight m, (1 - (1 - eta m)^K)/m for K local steps of size eta."""
    if local_steps is None:
        return 1 / proximal
    return (1 - (1 - step_size * proximal) ** local_steps) / proximal


def fixed_point_gap(spread: float, deviation: float, heterogeneity: float) -> float:
    """Return spread times deviation times zeta*^2/2, a bound on how far the objective F is above its minimum at the
    fixed point of the rounds. spread: sup h/psi(h). deviation: sup (h - psi(h))^2/(h^2 psi(h)). heterogeneity:
    zeta*^2, the mean of norm(grad f_m)^2 at the minimiser."""
    return spread * deviation * heterogeneity / 2


def gap_after(rounds: int, contraction: float, least: float, start: float, limit: float) -> float:
    """Return the bound on F - F* after r rounds: (sqrt(limit) + least^{-1/2} contraction^r (sqrt(start) +
    sqrt(limit)))^2. start: F - F* at the start. limit: a bound on F - F* at the fixed point. contraction: the factor
    of one round. least: the least value of psi(h)/h."""
    root = math.sqrt(limit)
    return (root + contraction**rounds * (math.sqrt(start) + root) / math.sqrt(least)) ** 2
