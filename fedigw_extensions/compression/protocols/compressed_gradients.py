"""Compressed gradient descent: agents send gradients whose numbers are rounded at random to b bits, without bias.

If the agents' objectives differ, an error remains (app:compressed_gradients). After k rounds

    E norm(x_k - w_S)^2 <= (1 - eta mu)^k norm(x_0 - w_S)^2 + 2 eta omega p_max zeta*^2/mu

Here eta is the step, mu the strong convexity, w_S the minimiser, zeta*^2 the mean squared norm of the agents'
gradients at w_S, p_max the largest weight of an agent, and omega = d/(2^b-1)^2 in d dimensions. With M agents k rounds
send M k (d b + 32) bits up and 64 M d k down.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from bounds.compression import Known, Schedule, remaining, rounds_until
from fedigw_extensions.compression.engine import Rounded


def largest_step(beta: float, variance: float, largest_share: float) -> float:
    return 1 / (beta * (1 + 2 * variance * largest_share))


def floor(step: float, mu: float, variance: float, largest_share: float, heterogeneity: float) -> float:
    """Return the mean squared distance from the minimiser that no number of rounds of compressed gradient descent
    removes. mu: the strong convexity. variance: the compressor's mean squared error divided by the message's squared
    norm. largest_share: the largest weight of an agent. heterogeneity: the mean squared norm of the agents' gradients
    at the minimiser."""
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
    """Return the bound on the mean squared distance of compressed gradient descent from the minimiser after `rounds`
    rounds. start: the squared distance before the first round. variance: the compressor's mean squared error divided
    by the message's squared norm. largest_share: the largest weight of an agent. heterogeneity: the mean squared norm
    of the agents' gradients at the minimiser."""
    left = floor(step, mu, variance, largest_share, heterogeneity)
    return remaining(step * mu, rounds) * start + left


def schedule(known: Known, variance: float, target: float) -> Schedule:
    """Return the step and the number of rounds for which compressed gradient descent has a mean squared distance of at
    most `target` from the minimiser. variance: (mean squared error of the compressor)/(squared norm of the message)."""
    target = target / known.spread
    noise = 2 * variance * known.largest_share * known.heterogeneity / known.mu
    step = min(largest_step(known.beta, variance, known.largest_share), target / (2 * noise))
    return Schedule(step, rounds_until(target / (2 * known.start), step * known.mu))


@dataclass(frozen=True)
class CompressedGradients(Rounded):
    """Compressed gradient descent.

    * tolerance: delta; the proved squared distance from the minimiser is delta^2 times the minimiser's excess risk
    * rounds, step_size: fixed values instead, without a guarantee
    * bits_each: the bits to which each number is rounded
    """

    name: ClassVar[str] = "compressed_gradients"
    claim: ClassVar[str] = "app:compressed_gradients"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)
