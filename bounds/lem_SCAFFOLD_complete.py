"""lem:SCAFFOLD_complete, repaired for quadratics (ridge): how far SCAFFOLD is from the minimum after R rounds.

Full local gradients, last iterate: app:scaffold_gradients. Stochastic gradients, option II, R >= 36.1 beta/mu rounds,
eta_g >= 1, the weighted average iterate, c1 and Phi_0 of app:scaffold_sgd, Lb = ln max(2, mu^2 Phi_0 R/(2 c1)),
h = min(1/(26 beta), 2 Lb/(mu R)):

    E gap <= mu Phi_0 e^{-mu R/(52 beta)} + (2 c1/(mu R))(1 + Lb).        (the printed exponent has 162 for 52)

Phi_0 contains h; Phi_0 <= d_0 + 5e-5 Ev_0/beta^2 is put in its place before h is chosen.
"""

from __future__ import annotations

import math

from bounds import app_local_sgd, app_scaffold_gradients, app_scaffold_sgd

FEWEST = 36.1  # rounds, in units of beta/mu

conditions = app_scaffold_gradients.conditions


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


def sgd_start(distance: float, controls: float, beta: float) -> float:
    """d_0 + 5e-5 Ev_0/beta^2 >= Phi_0 for every h <= 1/(26 beta) and eta_g >= 1."""
    return distance + 5e-5 * controls / beta**2


def sgd_step(rounds: int, beta: float, mu: float, start: float, c1: float) -> float:
    """h = local steps x step size x server step, chosen for R rounds."""
    return app_local_sgd.chosen_step(rounds, beta, mu, start, c1, app_scaffold_sgd.LIMIT)


def sgd_gap_bound(rounds: int, beta: float, mu: float, start: float, c1: float) -> float:
    """E gap of the weighted average at the chosen step; start: from `sgd_start`, c1 > 0."""
    factor = app_local_sgd.log_factor(rounds, mu, start, c1)
    return mu * start * math.exp(-mu * rounds / (52 * beta)) + 2 * c1 / (mu * rounds) * (1 + factor)
