"""app:fedprox: convergence of FedProx with exact local solves on quadratics (Theorem 2), proximal weight m > 0.

Agent m has weight p_m and a beta-smooth objective f_m; F = sum p_m f_m is mu-strongly convex. gap_r is F above its
minimum after r rounds, gap_inf is its limit, and zeta*^2 = sum p_m norm(grad f_m)^2 at the minimiser of F:

    gap_inf <= beta zeta*^2/(2 m^2)
    sqrt(gap_r) <= sqrt(gap_inf) + sqrt(1 + beta/m) rho^r (sqrt(gap_0) + sqrt(gap_inf))

rho = 1 - eta_g mu/(m + beta) for a server step eta_g <= 1 + m/beta: 1 - mu/(m + beta) at eta_g = 1, 1 - mu/beta at
the largest eta_g.
"""

from bounds.app_local_operator import gap_after

ROUNDING = 1e-12


def conditions(proximal: float, server_step: float, beta: float) -> tuple[str, ...]:
    """Return the conditions of the convergence theorem for FedProx that these parameters violate, as sentences."""
    if proximal <= 0:
        return (f"the proximal weight must be positive, it is {proximal:.6g}",)
    most = 1 + proximal / beta
    if 0 < server_step <= most * (1 + ROUNDING):
        return ()
    return (f"the server step must be in (0, 1 + proximal/beta = {most:.6g}], it is {server_step:.6g}",)


def fixed_point_gap(proximal: float, beta: float, heterogeneity: float) -> float:
    return beta * heterogeneity / (2 * proximal**2)


def gap_bound(
    rounds: int,
    proximal: float,
    server_step: float,
    beta: float,
    mu: float,
    heterogeneity: float,
    start: float,
) -> float:
    """Return the theorem's bound on F - F* after `rounds` rounds of FedProx. proximal: the proximal weight m.
    heterogeneity: zeta*^2. start: F - F* before the first round."""
    least = proximal / (proximal + beta)
    contraction = 1 - server_step * mu / (proximal + beta)
    return gap_after(rounds, contraction, least, start, fixed_point_gap(proximal, beta, heterogeneity))
