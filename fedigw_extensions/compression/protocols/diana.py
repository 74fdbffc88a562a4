"""DIANA (Mishchenko et al. 2019): agents send the compressed difference between their gradient and a reference
vector that they learn.

The references converge to the gradients at the minimiser w_S, so the differences vanish and rounding to b bits
leaves no noise (app:diana). Agent m has weight p_m, objective f_m and reference h_m. With eta the step, mu the
strong convexity, om the relative variance of the compressor and p_max the largest weight, a round reduces the mean
of Psi = norm(x - w_S)^2 + (4 om p_max/al) eta^2 sum p_m norm(h_m - grad f_m(w_S))^2 by the factor 1 - min(eta mu,
al/2), al = 1/(1+om). With M agents in d dimensions a call of k rounds sends M k (d b + 32) bits up and 64 M d k
down.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from bounds.compression import Known, Schedule, remaining, rounds_until
from fedigw_extensions.compression.engine import Rounded


def learning(variance: float) -> float:
    """Return al = 1/(1 + om), the share of a message that is added to a reference. variance: om."""
    return 1 / (1 + variance)


def largest_step(beta: float, variance: float, largest_share: float) -> float:
    return 1 / (beta * (1 + 6 * variance * largest_share))


def weight(step: float, variance: float, largest_share: float) -> float:
    """Return (4 om p_max/al) eta^2, the weight of the references' error in Psi. step: eta. variance: om.
    largest_share: p_max."""
    return 4 * variance * largest_share / learning(variance) * step**2


def rate(step: float, mu: float, variance: float) -> float:
    """Return min(eta mu, al/2), the share by which a round reduces the mean of Psi. step: eta. variance: om."""
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
    """Return the bound on E norm(x_k - w_S)^2 after k = `rounds` rounds. start: norm(x_0 - w_S)^2. references: sum
    p_m norm(h_m - grad f_m(w_S))^2 before the first round."""
    psi = start + weight(step, variance, largest_share) * references
    return remaining(rate(step, mu, variance), rounds) * psi


def schedule(known: Known, variance: float, target: float) -> Schedule:
    """Return the step and the rounds for which the mean squared distance from the minimiser is at most `target`, if
    x and the references start at 0. variance: om."""
    step = largest_step(known.beta, variance, known.largest_share)
    psi = known.start + weight(step, variance, known.largest_share) * known.slopes
    return Schedule(step, rounds_until(target / known.spread / psi, rate(step, known.mu, variance)))


@dataclass(frozen=True)
class Diana(Rounded):
    """DIANA. tolerance: delta, the accuracy for which the number of rounds is proved. rounds, step_size: fixed values
    instead, without a guarantee. bits_each: the bits b to which each number is rounded."""

    bits_each: int = 4
    name: ClassVar[str] = "diana"
    claim: ClassVar[str] = "app:diana"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)

    def learning(self, width: int) -> float:
        """Return al = 1/(1 + om), the share of a message that is added to a reference. variance: om."""
        return learning(self.quality(width))
