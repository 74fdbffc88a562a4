"""app:robust_gd: conditions, floor and rate; the head of the claim states and proves the theorem."""

ROUNDING = 1e-12


def conditions(step: float, beta: float, mu: float, kappa: float, spread: float) -> tuple[str, ...]:
    """The conditions of the theorem that fail, as sentences. spread: d2."""
    failed = []
    if not 0 < step * beta <= 1 + ROUNDING:
        failed.append(f"the step size must be at most 1/beta = {1 / beta:.6g}, it is {step:.6g}")
    if kappa * spread > mu / 4:
        failed.append(f"kappa d2 must be at most mu/4 = {mu / 4:.6g}, it is {kappa * spread:.6g}")
    return tuple(failed)


def floor(kappa: float, heterogeneity: float, mu: float) -> float:
    """2 kappa zeta*^2/mu: what lying agents cost for ever."""
    return 2 * kappa * heterogeneity / mu


def gap_bound(rounds: int, step: float, mu: float, kappa: float, heterogeneity: float, start: float) -> float:
    """F - F* after `rounds` rounds; start: F - F* before the first."""
    return float((1 - step * mu / 2) ** rounds * start + floor(kappa, heterogeneity, mu))
