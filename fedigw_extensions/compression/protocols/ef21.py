"""EF21 (Richtarik et al. 2021): agents send the k largest coordinates of the difference between their gradient and a
reference vector, with their places.

The method is deterministic and converges to the minimiser however different the agents' objectives are (app:ef21). A
round reduces

    Psi = F(x) - min F + (eta/theta) sum p_m norm(g_m - grad f_m(x))^2

by the factor 1 - min(eta mu, theta/2), theta = 1 - sqrt(1 - k/d) in d dimensions. Here agent m has weight p_m,
objective f_m and reference g_m; F is the weighted mean of the objectives, eta the step and mu the strong convexity.
With M agents R rounds send M R k (64 + ceil(log2 d)) bits up and 64 M d R down.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from bounds.compression import Known, Schedule, remaining, rounds_until
from fedigw_extensions.compression.engine import Sparse


def theta(share: float) -> float:
    """Return theta = 1 - sqrt(1 - share), which determines step size and rate of EF21. share: the compressor's squared
    error is at most 1 - share times the squared norm of the message."""
    return 1 - math.sqrt(1 - share)


def largest_step(beta: float, share: float) -> float:
    return 1 / (beta * (1 + math.sqrt(2) * (1 / theta(share) - 1)))


def rate(step: float, mu: float, share: float) -> float:
    """Return the share by which a round of EF21 reduces its potential: the objective minus its minimum, plus the
    weighted error of the reference vectors. mu: the strong convexity. share: the compressor's squared error is at most
    1 - share times the squared norm of the message."""
    return min(step * mu, theta(share) / 2)


def gap_bound(rounds: int, step: float, mu: float, share: float, start: float, references: float) -> float:
    """Bound the objective minus its minimum after `rounds` rounds of EF21. share: the compressor's squared error is at
    most 1 - share times the squared norm of the message. start: the objective minus its minimum at the beginning.
    references: the weighted mean squared distance, before the first step, of the agents' reference vectors from their
    gradients."""
    return remaining(rate(step, mu, share), rounds) * (start + step / theta(share) * references)


def schedule(known: Known, share: float, target: float) -> Schedule:
    """Return the step and the number of rounds for which EF21 comes within a squared distance `target` of the
    minimiser, in every run that starts at 0. share: the compressor's squared error is at most 1 - share times the
    squared norm of the message."""
    step = largest_step(known.beta, share)
    psi = 1 + step / theta(share) * (1 - share) * known.slopes
    return Schedule(step, rounds_until(target * known.mu / 2 / psi, rate(step, known.mu, share)))


@dataclass(frozen=True)
class Ef21(Sparse):
    """Gradient descent by the largest coordinates of differences between gradients and reference vectors (EF21).

    * tolerance: delta; the proved squared distance from the minimiser is delta^2 times the minimiser's excess risk
    * rounds, step_size: fixed values instead, without a guarantee
    * keep: how many coordinates a message has
    """

    name: ClassVar[str] = "ef21"
    claim: ClassVar[str] = "app:ef21"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)
    in_the_mean: ClassVar[bool] = False

    def learning(self, width: int) -> float:
        return 1.0
