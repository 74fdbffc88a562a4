"""EF21 (Richtarik et al. 2021): agents send the k largest coordinates of their gradient minus a reference vector,
with their places.

The method is deterministic and converges to the minimiser w_S however different the agents' objectives are
(app:ef21). The compressor C satisfies norm(C(v) - v)^2 <= (1 - al) norm(v)^2 with al = k/d; let th = 1 - sqrt(1 -
al). Agent m has weight p_m, objective f_m and reference g_m. With step eta and strong convexity mu, a round reduces
Psi = F(x) - min F + (eta/th) sum p_m norm(g_m - grad f_m(x))^2 by the factor 1 - min(eta mu, th/2). With M agents in
d dimensions a call of R rounds sends M R k (64 + ceil(log2 d)) bits up and 64 M d R down.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from bounds.compression import Known, Schedule, remaining, rounds_until
from fedigw_extensions.compression.engine import Sparse


def theta(share: float) -> float:
    """Return th = 1 - sqrt(1 - al). share: al."""
    return 1 - math.sqrt(1 - share)


def largest_step(beta: float, share: float) -> float:
    return 1 / (beta * (1 + math.sqrt(2) * (1 / theta(share) - 1)))


def rate(step: float, mu: float, share: float) -> float:
    """Return min(eta mu, th/2), the share by which a round reduces Psi. step: eta. share: al."""
    return min(step * mu, theta(share) / 2)


def gap_bound(rounds: int, step: float, mu: float, share: float, start: float, references: float) -> float:
    """Return the bound on F - min F after `rounds` rounds. start: F - min F at the beginning. references: sum p_m
    norm(g_m - grad f_m)^2 when x first moves."""
    return remaining(rate(step, mu, share), rounds) * (start + step / theta(share) * references)


def schedule(known: Known, share: float, target: float) -> Schedule:
    """Return the step and the rounds for which norm(x - w_S)^2 <= (2/mu) (F(x) - min F) <= target in every run from
    x = 0.

    At the start F - min F <= 1, and the first messages leave an error of at most (1 - al) sum p_m norm(grad
    f_m(0))^2. share: al.
    """
    step = largest_step(known.beta, share)
    psi = 1 + step / theta(share) * (1 - share) * known.slopes
    return Schedule(step, rounds_until(target * known.mu / 2 / psi, rate(step, known.mu, share)))


@dataclass(frozen=True)
class Ef21(Sparse):
    """EF21. tolerance: delta, the accuracy for which the number of rounds is proved. rounds, step_size: fixed values
    instead, without a guarantee. keep: how many coordinates a message has."""

    name: ClassVar[str] = "ef21"
    claim: ClassVar[str] = "app:ef21"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)
    in_the_mean: ClassVar[bool] = False

    def learning(self, width: int) -> float:
        return 1.0
