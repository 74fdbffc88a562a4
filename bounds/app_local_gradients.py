"""Bound the optimisation error of FedAvg and LSGD-PFL with full local gradients on quadratics (app:local_gradients).

The bounds are about the last iterate. Agent m has weight p_m and a quadratic objective f_m whose curvature is at most
beta; F = sum_m p_m f_m has curvature at least mu.

    K, eta, eta_g   local steps of a round, their size, and the server's step
    h               K eta eta_g, the step of a whole round, at most 1/beta
    s               (K-1) eta beta, at most 1; also eta beta <= 1
    gap_r           F minus its minimum after r rounds; gap_inf is its limit
    zeta^2          sum_m p_m norm(grad f_m)^2 at the minimiser of F: how much the agents differ

The bounds are

    gap_inf <= ((K-1) eta)^2 beta zeta^2/(8 (1-s/2)^2)
    sqrt(gap_r) <= sqrt(gap_inf) + (1-s/2)^{-1/2} (1 - h mu (1-s/2))^r (sqrt(gap_0) + sqrt(gap_inf))

Theorem G (bounds/local_steps.py) covers all convex losses, but on quadratics these bounds are better after many rounds:
the bound on gap_inf is at most 0.4 times the limit of Theorem G's bound (b), and gap_r approaches it at more than twice
the rate. After a few rounds (b) can be smaller: it falls like d_0/(h r), d_0 the squared distance at the start.
"""

from bounds.app_local_operator import gap_after

ROUNDING = 1e-12  # a step size computed as 1/beta may miss the limit by its last digit


def conditions(local_steps: int, step_size: float, server_step: float, beta: float) -> tuple[str, ...]:
    """Return, as sentences, the conditions of app:local_gradients, the convergence theorem for FedAvg with full local
    gradients, that these parameters violate. `beta` is the largest curvature of an agent's objective."""
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
    """Bound how far the objective stays above its minimum after infinitely many rounds of FedAvg with full local
    gradients. `beta`: largest curvature of an agent's objective. `heterogeneity`: mean squared norm of the agents'
    gradients at the joint minimiser."""
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
    """Bound how far the objective is above its minimum after `rounds` rounds of FedAvg with full local gradients.
    `beta`, `mu`: largest and smallest curvature. `heterogeneity`: mean squared norm of the agents' gradients at
    the joint minimiser. `start`: how far the objective is above its minimum at the start."""
    least = 1 - (local_steps - 1) * step_size * beta / 2
    contraction = 1 - local_steps * step_size * server_step * mu * least
    limit = fixed_point_gap(local_steps, step_size, beta, heterogeneity)
    return gap_after(rounds, contraction, least, start, limit)
