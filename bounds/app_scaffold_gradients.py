"""app:scaffold_gradients. SCAFFOLD with full local gradients on quadratics (Theorem S1), all agents in every round.

h = K eta eta_g, eta_g >= 1, Ev = sum p_m norm(c_m - grad f_m(x))^2, Psi = gap + (h/2) Ev. A round of option II with
h <= 1/(2 beta) takes Psi to at most (1 - (13/16) h mu) Psi; of option I (c_m+ = grad f_m(x^r)) with h <= 0.618/beta to
at most (1 - 0.90 h mu) Psi. So gap_r <= factor^r (gap_0 + (h/2) Ev_0): the limit is w_S for every heterogeneity.
Corrections taken at the current x (one more exchange a round), h beta <= 1:
gap_{r+1} <= (1 - mu eta_g (1 - (1 - eta beta)^K)/beta)^2 gap_r.
"""

from __future__ import annotations

ROUNDING = 1e-12
LIMIT = {1: 0.618, 2: 0.5}  # h beta at most, by option
SPEED = {1: 0.90, 2: 13 / 16}  # the factor of h mu, by option


def conditions(
    local_steps: int, step_size: float, server_step: float, beta: float, option: int = 2
) -> tuple[str, ...]:
    """The conditions of the theorem that fail, as sentences."""
    step, failed = local_steps * step_size * server_step, []
    if step * beta > LIMIT[option] * (1 + ROUNDING):
        failed.append(
            f"local steps x step size x server step must be at most {LIMIT[option]}/beta = "
            f"{LIMIT[option] / beta:.6g}, it is {step:.6g}"
        )
    if server_step < 1:
        failed.append(f"the server step must be at least 1, it is {server_step:.6g}")
    return tuple(failed)


def contraction(step: float, mu: float, option: int = 2) -> float:
    """The factor of one round for Psi; step: h."""
    return 1 - SPEED[option] * step * mu


def gap_bound(rounds: int, step: float, mu: float, start: float, controls: float, option: int = 2) -> float:
    """F - F* after `rounds` rounds; start: gap_0, controls: Ev_0."""
    return contraction(step, mu, option) ** rounds * (start + step / 2 * controls)


def fresh_contraction(
    local_steps: int, step_size: float, server_step: float, beta: float, mu: float
) -> float:
    """The factor of one round for the gap, with corrections taken at the current x."""
    return (1 - mu * server_step * (1 - (1 - step_size * beta) ** local_steps) / beta) ** 2
