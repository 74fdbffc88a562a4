"""app:ef21 (C3). EF21: differences from a learned reference travel through a contraction (top-k); deterministic.

g_m <- g_m + C(grad f_m(x) - g_m), x+ = x - eta sum p_m g_m, norm(C(v) - v)^2 <= (1 - al) norm(v)^2,
th = 1 - sqrt(1 - al), eta <= 1/(beta(1 + sqrt2 (1/th - 1))), Psi = gap + (eta/th) sum p_m norm(g_m - grad f_m(x))^2:

    Psi_{k+1} <= (1 - min(eta mu, th/2)) Psi_k
"""

from __future__ import annotations

import math

from bounds.compression import Known, Schedule, remaining, rounds_until


def theta(share: float) -> float:
    """th = 1 - sqrt(1 - al)."""
    return 1 - math.sqrt(1 - share)


def largest_step(beta: float, share: float) -> float:
    return 1 / (beta * (1 + math.sqrt(2) * (1 / theta(share) - 1)))


def rate(step: float, mu: float, share: float) -> float:
    """min(eta mu, th/2): what a round takes off Psi."""
    return min(step * mu, theta(share) / 2)


def gap_bound(rounds: int, step: float, mu: float, share: float, start: float, references: float) -> float:
    """F - F* after `rounds` rounds; start: gap_0, references: sum p_m norm(g_m - grad f_m)^2 when x first moves."""
    return remaining(rate(step, mu, share), rounds) * (start + step / theta(share) * references)


def schedule(known: Known, share: float, target: float) -> Schedule:
    """norm(x_k - w_S)^2 <= (2/mu) gap <= target, surely, from x = 0: gap_0 <= 1, and the first messages leave at most
    (1 - al) of sum p_m norm(grad f_m(0))^2."""
    step = largest_step(known.beta, share)
    psi = 1 + step / theta(share) * (1 - share) * known.slopes
    return Schedule(step, rounds_until(target * known.mu / 2 / psi, rate(step, known.mu, share)))
