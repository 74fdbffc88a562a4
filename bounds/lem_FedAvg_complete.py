"""lem:FedAvg_complete, repaired for quadratics (ridge): how far FedAvg is from the minimum after R rounds.

Full local gradients, last iterate: app:local_gradients. Stochastic gradients, R >= 35 beta/mu rounds, eta_g >= 1, the
weighted average iterate, c1 and c2 of app:local_sgd, Lb = ln max(2, mu^2 d_0 R/(2 c1)),
h = min(1/(25 beta), 2 Lb/(mu R)):

    E gap <= mu d_0 e^{-mu R/(50 beta)} + (2 c1/(mu R))(1 + Lb) + 4 c2 Lb^2/(mu R)^2.
"""

from __future__ import annotations

import math

from bounds import app_local_gradients, app_local_sgd

FEWEST = 35  # rounds, in units of beta/mu


def fedavg_gap_bound(
    rounds: int,
    local_steps: int,
    step_size: float,
    server_step: float,
    beta: float,
    mu: float,
    zeta2: float,
    gap0: float,
) -> float:
    """F - F* of the last iterate with full local gradients; ask `conditions` first."""
    return app_local_gradients.gap_bound(rounds, local_steps, step_size, server_step, beta, mu, zeta2, gap0)


conditions = app_local_gradients.conditions


def sgd_conditions(rounds: int, server_step: float, beta: float, mu: float) -> tuple[str, ...]:
    """The conditions for stochastic gradients that fail, as sentences; the step is chosen, so it cannot fail."""
    failed = []
    if rounds * mu < FEWEST * beta:
        failed.append(
            f"at least {FEWEST} beta/mu = {FEWEST * beta / mu:.6g} rounds are needed, there are {rounds}"
        )
    if server_step < 1:
        failed.append(f"the server step must be at least 1, it is {server_step:.6g}")
    return tuple(failed)


def sgd_step(rounds: int, beta: float, mu: float, distance: float, c1: float) -> float:
    """h = local steps x step size x server step, chosen for R rounds."""
    return app_local_sgd.chosen_step(rounds, beta, mu, distance, c1)


def sgd_gap_bound(rounds: int, beta: float, mu: float, distance: float, c1: float, c2: float) -> float:
    """E gap of the weighted average at the chosen step; distance: d_0 = norm(x^0 - w_S)^2, c1 > 0."""
    factor = app_local_sgd.log_factor(rounds, mu, distance, c1)
    return (
        mu * distance * math.exp(-mu * rounds / (50 * beta))
        + 2 * c1 / (mu * rounds) * (1 + factor)
        + 4 * c2 * factor**2 / (mu * rounds) ** 2
    )
