"""lem:LSGD-PFL_full, repaired for quadratics (ridge): the rounds that LSGD-PFL needs for an error eps.

Stochastic gradients (app:local_sgd), weighted average iterate, in the norm norm(alpha)^2 + sum p_m norm(beta_m)^2:

    h = min(1/(25 beta), eps/(4 c1), sqrt(eps/(4 c2))),   R = ceil((2/(mu h)) ln(1 + mu d_0/eps))   =>   E gap <= eps.

Printed: O~(max(beta_b/kappa, beta_a)/mu + sigma_b^2/(mu kappa M eps) + sqrt(beta_a (G^2 + sigma^2)/eps)/mu) rounds.
"""

from __future__ import annotations

from bounds import app_local_gradients, app_local_sgd

conditions = app_local_gradients.conditions


def plan(target: float, beta: float, mu: float, distance: float, c1: float, c2: float) -> tuple[float, int]:
    """(h, R) after which E gap of the weighted average is at most `target`."""
    step = app_local_sgd.step_for(target, beta, c1, c2)
    return step, app_local_sgd.rounds_for(target, mu, distance, step)
