"""app:gradient_tracking (G2): potential and steps; the head of the claim states and proves the theorem."""

import math

from bounds.compression import remaining, rounds_until

POINTS, TRACKERS, SPEED = 11 / 2, 9 / 2, 1 / 2  # of V, and of the rate in 1/k
DISAGREEMENT = 1 / 9  # k s at most


def disagreement_allowed(condition: float) -> float:
    """s = rho^tau at most."""
    return DISAGREEMENT / condition


def potential(distance: float, points: float, trackers: float, step: float) -> float:
    """V."""
    return distance + POINTS * points + TRACKERS * step * trackers


def error(steps: int, condition: float, potential_: float) -> float:
    """The bound on sqrt(mean norm(x_m - w_S)^2) after `steps` steps."""
    return remaining(SPEED / condition, steps) * potential_


def steps_for(target: float, mu: float, beta: float, start: float, slopes: float) -> int:
    """Steps for an error of at most `target` from 0. start: norm(w_S)^2, slopes: mean norm(grad f_m(0))^2, at most."""
    first = potential(math.sqrt(start), 0.0, math.sqrt(slopes), 1 / beta)
    return rounds_until(target / first, SPEED * mu / beta)
