"""Bound the optimisation error of FedProx on quadratics if every local problem is solved exactly (app:fedprox).

Agent i has weight p_i and a quadratic objective f_i whose curvature is at most beta. The objective of all agents, F =
sum_i p_i f_i, has curvature at least mu. The proximal term has the weight m, and the server makes steps of size eta_g.

    gap_r    F minus its minimum after r rounds; gap_inf is its limit
    zeta^2   sum_i p_i norm(grad f_i)^2 at the minimiser of F: how much the agents differ
    rho      1 - eta_g mu/(m + beta), for 0 < eta_g <= 1 + m/beta

The bounds are

    gap_inf <= beta zeta^2/(2 m^2)
    sqrt(gap_r) <= sqrt(gap_inf) + sqrt(1 + beta/m) rho^r (sqrt(gap_0) + sqrt(gap_inf))
"""

from bounds.app_local_operator import gap_after

ROUNDING = 1e-12


def conditions(proximal: float, server_step: float, beta: float) -> tuple[str, ...]:
    """Return, as sentences, the conditions of app:fedprox, the convergence theorem for FedProx, that these parameters
    violate. `proximal` is the weight of the proximal term, `beta` the largest curvature of an agent's objective."""
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
    """Bound how far the objective is above its minimum after `rounds` rounds of FedProx. `proximal`: weight of the
    proximal term. `beta`, `mu`: largest and smallest curvature. `heterogeneity`: mean squared norm of the agents'
    gradients at the joint minimiser. `start`: how far the objective is above its minimum at the start."""
    least = proximal / (proximal + beta)
    contraction = 1 - server_step * mu / (proximal + beta)
    return gap_after(rounds, contraction, least, start, fixed_point_gap(proximal, beta, heterogeneity))
