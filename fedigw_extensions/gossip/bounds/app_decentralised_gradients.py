"""app:decentralised_gradients (G3): step, bias and schedule; the head of the claim states and proves the theorem."""

import math

from bounds.compression import Known, Schedule, remaining, rounds_until


def largest_step(beta: float, second: float) -> float:
    return (1 - second) / (1.5 * beta)


def bias(step: float, mu: float, second: float, heterogeneity: float) -> float:
    """B; heterogeneity: zeta*^2."""
    return math.sqrt(2 * step * heterogeneity / (mu * (1 - second)))


def error(rounds: int, step: float, mu: float, second: float, heterogeneity: float, start: float) -> float:
    """The bound on sqrt(mean norm(x_m - w_S)^2); start: its value before the first round."""
    left = bias(step, mu, second, heterogeneity)
    return remaining(step * mu / 2, rounds) * (start + left) + left


def schedule(known: Known, second: float, target: float) -> Schedule:
    """A mean squared distance of at most target: half of its root for the bias, half for what is left of the start."""
    half = math.sqrt(target) / 2
    step = min(
        largest_step(known.beta, second), half**2 * known.mu * (1 - second) / (2 * known.heterogeneity)
    )
    left = bias(step, known.mu, second, known.heterogeneity)
    return Schedule(step, rounds_until(half / (math.sqrt(known.start) + left), step * known.mu / 2))
