"""app:local_gradients: FedAvg and LSGD-PFL with full local gradients on quadratics, last iterate (Theorem 1A).

Agent m has weight p_m and a beta-smooth objective f_m; F = sum p_m f_m is mu-strongly convex. A round has K local
steps of size eta and a server step eta_g. gap_r is F above its minimum after r rounds, gap_inf is its limit, and
zeta*^2 = sum p_m norm(grad f_m)^2 at the minimiser. For s = (K-1) eta beta <= 1, eta beta <= 1, h = K eta eta_g <=
1/beta:

    gap_inf <= ((K-1) eta)^2 beta zeta*^2/(8 (1-s/2)^2)
    sqrt(gap_r) <= sqrt(gap_inf) + (1-s/2)^{-1/2} (1 - h mu (1-s/2))^r (sqrt(gap_0) + sqrt(gap_inf))
"""

from bounds.app_local_operator import gap_after

ROUNDING = 1e-12  # a step size computed as 1/beta may miss the limit by its last digit


def conditions(local_steps: int, step_size: float, server_step: float, beta: float) -> tuple[str, ...]:
    """Return the conditions of the convergence theorem for FedAvg with full local gradients that these parameters
    violate, as sentences."""
    drift, step = (local_steps - 1) * step_size * beta, local_steps * step_size * server_step
    failed = []
    if step_size * beta > 1 + ROUNDING:
        failed.append(f"the local step size must be at most 1/beta = {1 / beta:.6g}, it is {step_size:.6g}")
    if drift > 1 + ROUNDING:
        failed.append(f"(local steps - 1) x step size x beta must be at most 1, it is {drift:.6g}")
    if step * beta > 1 + ROUNDING:
        failed.append(
            f"local steps x step size x server step must be at most 1/beta = {1 / beta:.6g}, it is {step:.6g}"
        )
    return tuple(failed)


def fixed_point_gap(local_steps: int, step_size: float, beta: float, heterogeneity: float) -> float:
    """Return the bound on gap_inf. heterogeneity: zeta*^2."""
    s = (local_steps - 1) * step_size * beta
    return ((local_steps - 1) * step_size) ** 2 * beta * heterogeneity / (8 * (1 - s / 2) ** 2)


def gap_bound(
    rounds: int,
    local_steps: int,
    step_size: float,
    server_step: float,
    beta: float,
    mu: float,
    heterogeneity: float,
    start: float,
) -> float:
    """Return the theorem's bound on F - F* after `rounds` rounds of FedAvg. heterogeneity: zeta*^2. start: F - F*
    before the first round."""
    least = 1 - (local_steps - 1) * step_size * beta / 2
    contraction = 1 - local_steps * step_size * server_step * mu * least
    limit = fixed_point_gap(local_steps, step_size, beta, heterogeneity)
    return gap_after(rounds, contraction, least, start, limit)
