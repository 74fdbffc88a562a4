"""app:error_feedback (C4): step, floor and schedule; the head of the claim states and proves the theorem."""

import math

from bounds.compression import Known, Schedule, remaining, rounds_until


def largest_step(beta: float, share: float) -> float:
    return share / (8 * beta)


def decay(step: float, mu: float) -> float:
    """q."""
    return 1 - 3 * step * mu / 16


def floor(step: float, beta: float, share: float, heterogeneity: float) -> float:
    return 16 * (1 - share) * step**2 * beta * heterogeneity / share**2


def gap_bound(
    rounds: int, step: float, mu: float, beta: float, share: float, heterogeneity: float, start: float
) -> float:
    """The weighted mean of the gaps of the first `rounds` points; start: norm(x_0 - w_S)^2."""
    power = remaining(3 * step * mu / 16, rounds)
    return 3 * mu / 20 * start * power / (1 - power) + floor(step, beta, share, heterogeneity)


def schedule(known: Known, share: float, target: float) -> Schedule:
    """E norm(x - w_S)^2 <= (2/mu) E gap <= target of the weighted average, half of it for each term."""
    gap = target * known.mu / 2
    step = largest_step(known.beta, share)
    if share < 1:
        step = min(step, share * math.sqrt(gap / (32 * (1 - share) * known.beta * known.heterogeneity)))
    y = gap / 2 / (3 * known.mu / 20 * known.start)
    return Schedule(step, rounds_until(y / (1 + y), 3 * step * known.mu / 16))
