"""app:compressed_gradients (C1): step, floor and schedule; the head of the claim states and proves the theorem."""

from bounds.compression import Known, Schedule, remaining, rounds_until


def largest_step(beta: float, variance: float, largest_share: float) -> float:
    return 1 / (beta * (1 + 2 * variance * largest_share))


def floor(step: float, mu: float, variance: float, largest_share: float, heterogeneity: float) -> float:
    """2 eta om p_max zeta*^2/mu: what no number of rounds removes."""
    return 2 * step * variance * largest_share * heterogeneity / mu


def distance_bound(
    rounds: int,
    step: float,
    mu: float,
    variance: float,
    largest_share: float,
    heterogeneity: float,
    start: float,
) -> float:
    """E norm(x_k - w_S)^2; start: norm(x_0 - w_S)^2."""
    left = floor(step, mu, variance, largest_share, heterogeneity)
    return remaining(step * mu, rounds) * start + left


def schedule(known: Known, variance: float, target: float) -> Schedule:
    """A mean squared distance of at most target, half of it for each term."""
    target = target / known.spread
    noise = 2 * variance * known.largest_share * known.heterogeneity / known.mu
    step = min(largest_step(known.beta, variance, known.largest_share), target / (2 * noise))
    return Schedule(step, rounds_until(target / (2 * known.start), step * known.mu))
