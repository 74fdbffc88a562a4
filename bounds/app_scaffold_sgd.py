"""app:scaffold_sgd. SCAFFOLD, option II, with stochastic local gradients on quadratics (Theorem S2).

Sampling with replacement, beta per sample, h = K eta eta_g <= 1/(26 beta), eta_g >= 1, q = 1 - mu h/2. The mean of
E gap_r over r < R with weights q^{-(r+1)}, and so E gap of the average iterate with these weights, is at most

    (mu/2) Phi_0 q^R/(1-q^R) + c1 h,   c1 = (sigma*^2/K)(4 p_max + 0.30/eta_g^2),
    Phi_0 = d_0 + 0.86 beta h^3 Ev_0/eta_g^2:   no term for heterogeneity.
"""

from __future__ import annotations

LIMIT = 26  # h beta <= 1/26


def noise(local_steps: int, server_step: float, largest_weight: float, variance: float) -> float:
    """c1; variance: sigma*^2, of one sample's gradient at w_S, weighted by p_m."""
    return variance / local_steps * (4 * largest_weight + 0.30 / server_step**2)


def start(distance: float, controls: float, step: float, server_step: float, beta: float) -> float:
    """Phi_0; distance: d_0, controls: Ev_0, step: h."""
    return distance + 0.86 * beta * step**3 * controls / server_step**2
