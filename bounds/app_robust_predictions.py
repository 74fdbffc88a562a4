"""app:robust_predictions. Robust aggregation of the agents' own predictions (Theorem 3.3), E samples for each agent.

    e <= C_rob/(E+1),  C_rob = (sqrt(d/(4(M-f)) + 1) + sqrt(kappa (d/4 + 1)))^2

Every agent has its own ridge estimate (lambda = 1/E); the prediction for a context and an arm is the aggregate of the
agents'. kappa: of app:robust_mean, f of M agents lying.

    honest regret <= 2 M_h (1-1/K) + c_I (2+sqrt2) M_h sqrt(K C_rob T),  T >= 3, tau^l = 2^l, M_h = M - f, c_I = C/g

No 1/M: against lying agents the honest ones learn no faster than about one agent alone.
"""

from __future__ import annotations

from typing import Any

from bounds.arithmetic import ratio, sqrt


def own_coefficient(dimension: Any) -> Any:
    """d/4 + 1: (E+1) times what one agent's own estimate risks."""
    return ratio(1, 4, dimension) * dimension + 1


def mean_coefficient(dimension: Any, honest: Any) -> Any:
    """d/(4N) + 1: (E+1) times what the mean of N honest predictions risks; noise averages out, bias does not."""
    return ratio(1, 4, dimension) * dimension / honest + 1


def coefficient(dimension: Any, agents: Any, lying: Any, kappa: Any) -> Any:
    """C_rob."""
    spread = sqrt(kappa * own_coefficient(dimension))
    return (sqrt(mean_coefficient(dimension, agents - lying)) + spread) ** 2


def risk(dimension: Any, agents: Any, lying: Any, kappa: Any, each: Any) -> Any:
    """C_rob/(E+1) after `each` samples of every agent."""
    return coefficient(dimension, agents, lying, kappa) / (each + 1)
