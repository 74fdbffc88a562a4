"""app:gossip_statistics (G1). Agents average their Gram matrices and moments with their neighbours, tau rounds.

W symmetric, doubly stochastic, no negative entry, rho its second largest absolute eigenvalue; M agents with n/M samples
each. Agent m solves with M times its averages: wh_m = (Vh_m + Lam I)^{-1} bh_m. Then

    norm(wh_m - w_S) <= sqrt(M-1) rho^tau (n/Lam) (1 + norm(w_S)) <= sqrt(M-1) rho^tau (n/Lam) (1 + sqrt(n/Lam)/2)
"""

from __future__ import annotations

import math


def error(rho: float, rounds: int, agents: int, n: float, norm: float | None = None) -> float:
    """The bound on norm(wh_m - w_S); n: samples over Lam. norm: of w_S; its bound sqrt(n)/2 if None."""
    length = math.sqrt(n) / 2 if norm is None else norm
    return math.sqrt(agents - 1) * rho**rounds * n * (1 + length)


def disagreement_allowed(target: float, agents: int, n: float) -> float:
    """rho^tau at which the error is at most `target`."""
    if agents == 1:
        return 1.0
    return target / (math.sqrt(agents - 1) * n * (1 + math.sqrt(n) / 2))
