"""DIANA (Mishchenko et al. 2019): agents send the compressed difference between their gradient and a reference vector
that follows it.

The references converge to the gradients at the minimiser w_S. So the differences vanish, and rounding to b bits leaves
no error (app:diana). A round reduces the mean of

    Psi = norm(x - w_S)^2 + (4 omega p_max/alpha) eta^2 sum p_m norm(h_m - grad f_m(w_S))^2

by the factor 1 - min(eta mu, alpha/2), alpha = 1/(1 + omega). Here agent m has weight p_m <= p_max, objective f_m and
reference h_m; eta is the step, mu the strong convexity and omega the compressor's mean squared error relative to the
squared norm of the message. With M agents in d dimensions k rounds send M k (d b + 32) bits up and 64 M d k down.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from bounds.compression import Known, Schedule, remaining, rounds_until
from fedigw_extensions.compression.engine import Rounded


def learning(variance: float) -> float:
    """Return 1/(1 + variance), the share of a message that DIANA adds to a reference vector. variance: the
    compressor's mean squared error divided by the message's squared norm."""
    return 1 / (1 + variance)


def largest_step(beta: float, variance: float, largest_share: float) -> float:
    return 1 / (beta * (1 + 6 * variance * largest_share))


def weight(step: float, variance: float, largest_share: float) -> float:
    """Return the weight of the reference vectors' squared error in the potential that DIANA reduces; its other term is
    the squared distance from the minimiser. variance: the compressor's mean squared error divided by the message's
    squared norm. largest_share: the largest weight of an agent."""
    return 4 * variance * largest_share / learning(variance) * step**2


def rate(step: float, mu: float, variance: float) -> float:
    """Return the share by which a round of DIANA reduces the mean of its potential: the squared distance from the
    minimiser plus the weighted error of the reference vectors. mu: the strong convexity. variance: the compressor's
    mean squared error divided by the message's squared norm."""
    return min(step * mu, learning(variance) / 2)


def distance_bound(
    rounds: int,
    step: float,
    mu: float,
    variance: float,
    largest_share: float,
    start: float,
    references: float,
) -> float:
    """Bound DIANA's mean squared distance from the minimiser after `rounds` rounds. Before the first round, `start` is
    this squared distance, and `references` the weighted mean squared distance between the agents' reference vectors and
    their gradients at the minimiser. variance, largest_share: as in `weight`."""
    psi = start + weight(step, variance, largest_share) * references
    return remaining(rate(step, mu, variance), rounds) * psi


def schedule(known: Known, variance: float, target: float) -> Schedule:
    """Return the step and the number of rounds for which DIANA's mean squared distance from the minimiser is at most
    `target`, if the point and the reference vectors start at 0. variance: the compressor's mean squared error divided
    by the message's squared norm."""
    step = largest_step(known.beta, variance, known.largest_share)
    psi = known.start + weight(step, variance, known.largest_share) * known.slopes
    return Schedule(step, rounds_until(target / known.spread / psi, rate(step, known.mu, variance)))


@dataclass(frozen=True)
class Diana(Rounded):
    """Gradient descent by compressed differences between gradients and reference vectors (DIANA).

    * tolerance: delta; the proved squared distance from the minimiser is delta^2 times the minimiser's excess risk
    * rounds, step_size: fixed values instead, without a guarantee
    * bits_each: the bits to which each number is rounded
    """

    bits_each: int = 4
    name: ClassVar[str] = "diana"
    claim: ClassVar[str] = "app:diana"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)

    def learning(self, width: int) -> float:
        return learning(self.quality(width))
