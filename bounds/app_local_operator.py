"""Describe a round of FedAvg or FedProx on quadratics as an affine map, which gives its fixed point and rate
(app:local_operator).

A round maps the agents' models x to

    x - eta_g Pi Q(H)(x - w),   and psi(h) = Q(h)/t satisfies 0 < psi(h) <= h for every eigenvalue h of H

    eta_g   the server's step
    Pi      averaging of the shared coordinates over the agents
    H, w    the Hessians of the agents' objectives, and the minimisers of these objectives
    Q(h)    the fraction of an error that the local steps remove in a direction of curvature h
    t       the total length of the local steps

Q and t of the methods, for K local steps of size eta and the proximal weight m:

    FedAvg                   Q(h) = 1 - (1 - eta h)^K,  t = K eta
    FedProx, exact solves    Q(h) = h/(h + m),  t = 1/m
    FedProx, local steps     Q(h) = h/(h + m) (1 - (1 - eta(h + m))^K),  t = (1 - (1 - eta m)^K)/m
"""

import math
from typing import Any


def fedavg_filter(h: Any, local_steps: int, step_size: float) -> Any:
    """Return the fraction of an error that the local steps of FedAvg remove in a direction of curvature `h`."""
    return 1 - (1 - step_size * h) ** local_steps


def fedprox_filter(h: Any, proximal: float, local_steps: int | None = None, step_size: float = 0.0) -> Any:
    """Return the fraction of an error that the local phase of FedProx removes in a direction of curvature `h`.
    `proximal` is the weight of the proximal term. With `local_steps=None` the local problem is solved exactly;
    otherwise by that many gradient steps of `step_size`."""
    solved = h / (h + proximal)
    if local_steps is None:
        return solved
    return solved * (1 - (1 - step_size * (h + proximal)) ** local_steps)


def fedprox_time(proximal: float, local_steps: int | None = None, step_size: float = 0.0) -> float:
    """Return the total length t of the local steps of FedProx. It satisfies fedprox_filter(h) <= t h for every
    curvature h. `proximal` is the weight of the proximal term. With `local_steps=None` the local problem is solved
    exactly."""
    if local_steps is None:
        return 1 / proximal
    return (1 - (1 - step_size * proximal) ** local_steps) / proximal


def fixed_point_gap(spread: float, deviation: float, heterogeneity: float) -> float:
    """Bound the objective minus its minimum at the fixed point of a local method: spread x deviation x heterogeneity/2.
    `spread`: the largest h/psi(h), `deviation`: the largest (h - psi(h))^2/(h^2 psi(h)) over all curvatures h; t psi(h)
    is the fraction of an error in a direction of curvature h that local steps of total length t remove.
    `heterogeneity`: mean squared norm of the agents' gradients at the joint minimiser."""
    return spread * deviation * heterogeneity / 2


def gap_after(rounds: int, contraction: float, least: float, start: float, limit: float) -> float:
    """Bound the objective minus its minimum after `rounds` rounds of a method that contracts to a fixed point.

    `contraction`: the factor by which a round shrinks the distance from the fixed point. `start`: the objective minus
    its minimum before the first round. `limit`: the same at the fixed point. `least`: the least psi(h)/h over all
    curvatures h; t psi(h) is the fraction of an error in a direction of curvature h that local steps of total length t
    remove."""
    root = math.sqrt(limit)
    return (root + contraction**rounds * (math.sqrt(start) + root) / math.sqrt(least)) ** 2
