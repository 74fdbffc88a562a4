"""app:local_sgd. FedAvg and LSGD-PFL with stochastic local gradients on quadratics (Theorem 1B).

Sampling with replacement, beta per sample, h = K eta eta_g <= 1/(25 beta), eta_g >= 1, q = 1 - mu h/2. The mean of
E gap_r over r < R with weights q^{-(r+1)}, and so E gap of the average iterate with these weights, is at most

    (mu/2) d_0 q^R/(1-q^R) + c1 h + c2 h^2,
    c1 = (4 (p_max sigma_a^2 + sigma_b^2) + 0.10 sigma^2/eta_g^2)/K,   c2 = 1.67 beta zeta*^2/eta_g^2.

sigma_a^2, sigma_b^2: variance of one sample's gradient at w_S in the shared and the personal coordinates, weighted by
p_m; sigma^2 is their sum (FedAvg: sigma_b = 0). d_0 = norm(x^0 - w_S)^2.
"""

from __future__ import annotations

import math

LIMIT = 25  # h beta <= 1/25
ROUNDING = 1e-12


def conditions(step: float, server_step: float, beta: float, limit: float = LIMIT) -> tuple[str, ...]:
    """The conditions that fail, as sentences. step: h = local steps x step size x server step."""
    failed = []
    if step * beta * limit > 1 + ROUNDING:
        failed.append(
            f"local steps x step size x server step must be at most 1/({limit} beta) = {1 / (limit * beta):.6g}, "
            f"it is {step:.6g}"
        )
    if server_step < 1:
        failed.append(f"the server step must be at least 1, it is {server_step:.6g}")
    return tuple(failed)


def noise(
    local_steps: int, server_step: float, largest_weight: float, shared: float, personal: float = 0.0
) -> float:
    """c1. shared, personal: sigma_a^2 and sigma_b^2."""
    return (
        4 * (largest_weight * shared + personal) + 0.10 * (shared + personal) / server_step**2
    ) / local_steps


def drift(server_step: float, beta: float, heterogeneity: float) -> float:
    """c2 = 1.67 beta zeta*^2/eta_g^2."""
    return 1.67 * beta * heterogeneity / server_step**2


def weighted_gap(rounds: int, step: float, mu: float, distance: float, c1: float, c2: float = 0.0) -> float:
    """The bound for a fixed step h. distance: d_0 = norm(x^0 - w_S)^2."""
    logarithm = rounds * math.log1p(-mu * step / 2)  # ln q^R
    return mu / 2 * distance * math.exp(logarithm) / -math.expm1(logarithm) + c1 * step + c2 * step**2


def chosen_step(
    rounds: int, beta: float, mu: float, distance: float, c1: float, limit: float = LIMIT
) -> float:
    """h = min(1/(limit beta), 2 Lb/(mu R)) for a given number of rounds."""
    return min(1 / (limit * beta), 2 * log_factor(rounds, mu, distance, c1) / (mu * rounds))


def log_factor(rounds: int, mu: float, distance: float, c1: float) -> float:
    """Lb = ln max(2, mu^2 d_0 R/(2 c1)); c1 = 0 has no finite one."""
    return math.log(max(2.0, mu**2 * distance * rounds / (2 * c1))) if c1 else math.inf


def step_for(target: float, beta: float, c1: float, c2: float) -> float:
    """h = min(1/(25 beta), eps/(4 c1), sqrt(eps/(4 c2))): the noise and the drift leave half of the target."""
    return min(
        1 / (LIMIT * beta),
        target / (4 * c1) if c1 else math.inf,
        math.sqrt(target / (4 * c2)) if c2 else math.inf,
    )


def rounds_for(target: float, mu: float, distance: float, step: float) -> int:
    """R = ceil((2/(mu h)) ln(1 + mu d_0/eps)): the start is forgotten down to half of the target."""
    return math.ceil(2 / (mu * step) * math.log1p(mu * distance / target))
