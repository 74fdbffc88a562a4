"""app:gossip_statistics (G1): the error after tau rounds; the head of the claim states and proves the theorem."""

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
