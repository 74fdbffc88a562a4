"""Compressed gradient descent: agents send gradients rounded at random to b bits, without bias.

If the agents' objectives differ, noise remains (app:compressed_gradients): with step eta, strong convexity mu, om =
d/(2^b-1)^2 and p_max the largest weight of an agent, E norm(x_k - w_S)^2 <= (1 - eta mu)^k norm(x_0 - w_S)^2 + 2 eta
om p_max zeta*^2/mu after k rounds, where w_S is the minimiser and zeta*^2 the mean squared norm of the agents'
gradients there. With M agents in d dimensions a call of k rounds sends M k (d b + 32) bits up and 64 M d k down.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from bounds.compression import Known, Schedule, remaining, rounds_until
from fedigw_extensions.compression.engine import Rounded


def largest_step(beta: float, variance: float, largest_share: float) -> float:
    return 1 / (beta * (1 + 2 * variance * largest_share))


def floor(step: float, mu: float, variance: float, largest_share: float, heterogeneity: float) -> float:
    """Return 2 eta om p_max zeta*^2/mu, the squared error that no number of rounds removes. step: eta. variance: om.
    largest_share: p_max. heterogeneity: zeta*^2."""
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
    """Return the bound on E norm(x_k - w_S)^2, the squared distance from the minimiser, after k = `rounds`. start:
    norm(x_0 - w_S)^2."""
    left = floor(step, mu, variance, largest_share, heterogeneity)
    return remaining(step * mu, rounds) * start + left


def schedule(known: Known, variance: float, target: float) -> Schedule:
    """Return step and rounds for which the mean squared distance from the minimiser is at most `target`, half of it for
    each term of the bound. variance: om, the compressor's relative variance."""
    target = target / known.spread
    noise = 2 * variance * known.largest_share * known.heterogeneity / known.mu
    step = min(largest_step(known.beta, variance, known.largest_share), target / (2 * noise))
    return Schedule(step, rounds_until(target / (2 * known.start), step * known.mu))


@dataclass(frozen=True)
class CompressedGradients(Rounded):
    """Compressed gradient descent. tolerance: delta, the accuracy for which the number of rounds is proved. rounds,
    step_size: fixed values instead, without a guarantee. bits_each: the bits b to which each number is rounded."""

    name: ClassVar[str] = "compressed_gradients"
    claim: ClassVar[str] = "app:compressed_gradients"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)
