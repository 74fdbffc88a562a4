"""app:robust_predictions. Robust aggregation of the agents' own predictions (Theorem 3.3), E samples for each agent.

    e <= C_rob/(E+1),  C_rob = (sqrt(d/(4(M-f)) + 1) + sqrt(kappa (d/4 + 1)))^2

Every agent has its own ridge estimate (lambda = 1/E); the prediction for a context and an arm is the aggregate of the
agents'. kappa: of app:robust_mean, f of M agents lying.

    honest regret <= 2 M_h (1-1/K) + c_I (2+sqrt2) M_h sqrt(K C_rob T),  T >= 3, tau^l = 2^l, M_h = M - f, c_I = C/g

No 1/M: against lying agents the honest ones learn no faster than about one agent alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import app_robust_mean, variants
from bounds.arithmetic import ratio, sqrt
from bounds.errors import InputError
from bounds.report import BoundReport
from bounds.symbols import symbol
from bounds.theorems import thm_global_regret

HYPOTHESES = (
    *thm_global_regret.HYPOTHESES[:2],
    "f < M/2 agents lie; what they send may depend on everything",
    "the same law of features and as many samples for every honest agent, lambda = 1/E",
    "every prediction is the trimmed mean (cut = f) or the median of the agents' predictions",
)


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


def closed_form(variant: str, median: bool) -> Any:
    """2 M_h (1-1/K) + c_I (2+sqrt2) M_h sqrt(K C_rob T), M_h = M - f, as sympy."""
    import sympy

    M, f, d = (symbol(name) for name in "Mfd")
    high = (sympy.ceiling(M / 2) - 1) / (sympy.floor(M / 2) + 1 - f)
    kappa = high if median else f / (M - 2 * f)
    inside = (M - f) * coefficient(d, M, f, kappa)
    return thm_global_regret.closed_form(variant).subs(
        {M: M - f, symbol("A"): inside, symbol("c"): 1}, simultaneous=True
    )


@dataclass(frozen=True)
class RobustRegret:
    """The honest agents' regret under tau^l = 2^l."""

    quantities: tuple[str, ...] = ("regret",)
    protocols: tuple[str, ...] = ()
    required: tuple[str, ...] = ("M", "K", "T", "d", "f")
    optional: Mapping[str, float] = field(default_factory=lambda: {"median": 0})
    variants: tuple[str, ...] = ("repaired", "sharpened")

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, d, f = (int(parameters[name]) for name in "MKTdf")
        median, row = bool(parameters["median"]), variants.row(variant)
        kappa = (app_robust_mean.median if median else app_robust_mean.least)(M, f)
        if kappa is None:
            raise InputError("f", f, f"must be below one half of the {M} agents: from there on nothing holds")
        constant = row.in_theorem(row.c.under_doubling, float(K))
        honest = M - f
        bound = row.epoch_sum(
            honest, K, float(constant), lambda n: float(risk(float(d), M, f, float(kappa), n / honest))
        )
        return BoundReport(
            value=bound.value(T),
            formula=partial(closed_form, variant, median),
            trivial=bound.trivial(T),
            first_informative_horizon=bound.first_informative_horizon(),
            hypotheses=HYPOTHESES,
        )
