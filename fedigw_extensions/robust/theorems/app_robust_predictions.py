"""app:robust_predictions. Regret of FedIGW with robust aggregation of the agents' own predictions (Theorem 3.3).

f of M agents lie, and each agent has E samples in d dimensions and its own ridge estimate (lambda = 1/E). The
prediction for a context and an arm is an aggregate of the agents' predictions, whose squared distance from the honest
mean is at most kappa times the honest variance (app:robust_mean). There are K arms, T >= 3 steps and epochs that end at
steps 2, 4, 8, .... With learning rates g sqrt(K/e) the regret of a step is at most (C/g) sqrt(K e) (thm:global_regret).
Then

    e <= C_rob/(E+1),  C_rob = (sqrt(d/(4(M-f)) + 1) + sqrt(kappa (d/4 + 1)))^2
    honest regret <= 2 (M-f) (1-1/K) + (C/g) (2+sqrt2) (M-f) sqrt(K C_rob T)

where e is the excess risk. There is no factor 1/M: among lying agents the honest ones learn no faster than about a
single agent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds.arithmetic import is_symbolic, ratio, sqrt
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.symbols import symbol
from bounds.theorem import Case, DoublingTheorem, Statement
from bounds.theorems import thm_global_regret
from fedigw_extensions.robust.bounds import app_robust_mean

HYPOTHESES = (
    *thm_global_regret.HYPOTHESES[:2],
    "f < M/2 agents lie; what they send may depend on everything",
    "the same law of features and as many samples for every honest agent, lambda = 1/E",
    "every prediction is the trimmed mean (cut = f) or the median of the agents' predictions",
)


def own_coefficient(dimension: Any) -> Any:
    """Return d/4 + 1: one agent's own estimate from E samples has an excess risk of at most this divided by E + 1."""
    return ratio(1, 4, dimension) * dimension + 1


def mean_coefficient(dimension: Any, honest: Any) -> Any:
    """Return d/(4N) + 1: the mean of N honest predictions, each from E samples, has an excess risk of at most this
    divided by E + 1."""
    return ratio(1, 4, dimension) * dimension / honest + 1


def coefficient(dimension: Any, agents: Any, lying: Any, kappa: Any) -> Any:
    """Return the constant C in the bound C/(E+1) on the excess risk of aggregated predictions from E samples per
    agent. kappa: the aggregate's squared distance from the mean honest prediction is at most kappa times the variance
    of the honest predictions."""
    spread = sqrt(kappa * own_coefficient(dimension))
    return (sqrt(mean_coefficient(dimension, agents - lying)) + spread) ** 2


def risk(dimension: Any, agents: Any, lying: Any, kappa: Any, each: Any) -> Any:
    """Bound the excess risk of aggregated predictions from `each` samples per agent. kappa: the aggregate's squared
    distance from the mean honest prediction is at most kappa times the variance of the honest predictions."""
    return coefficient(dimension, agents, lying, kappa) / (each + 1)


@dataclass(frozen=True)
class RobustRegret(DoublingTheorem):
    """Bound on the honest agents' regret with aggregated predictions, for epochs that end at steps 2, 4, 8, ...."""

    label: str = "app:robust_predictions"
    hypotheses: tuple[str, ...] = HYPOTHESES
    required: tuple[str, ...] = ("M", "K", "T", "d", "f")
    optional: Mapping[str, float] = field(default_factory=lambda: {"median": 0})
    shapes: tuple[str, ...] = ("median",)
    forms: tuple[str, ...] = ("repaired", "sharpened")

    def check(self, case: Case, quantity: str) -> None:
        if self._kappa(case) is None:
            said = f"must be below one half of the {case['M']} agents: from there on nothing holds"
            raise InputError("f", case["f"], said)

    def factor(self, case: Case) -> Any:
        return case.row.in_theorem(case.row.c.under_doubling, float(case["K"]))

    def rests_on(self, case: Case) -> tuple[Statement, ...]:
        return ((self.label, "risk"),) if case.variant == "sharpened" else ()  # no check bears on other forms

    def needs(self, case: Case, quantity: str) -> tuple[str, ...]:
        kappa = "(ceil(M/2)-1)/(floor(M/2)+1-f)" if case["median"] else "f/(M-2f)"
        spread = f"C_rob = (sqrt(d/(4(M-f)) + 1) + sqrt(kappa (d/4 + 1)))^2, kappa = {kappa}"
        return (*HYPOTHESES, f"{case.row.rate_words('C_rob/(E+1)', int(case['K']))}; {spread}")

    def risk(self, case: Case, n: int) -> float:
        M, f, d = int(case["M"]), int(case["f"]), float(case["d"])
        return float(risk(d, M, f, float(self._kappa(case)), n / (M - f)))

    def regret(self, case: Case) -> EpochSum:
        honest = int(case["M"]) - int(case["f"])
        # no lower bound next to it: aggregated predictions need not lie in [0,1]
        return case.row.epoch_sum(
            honest, int(case["K"]), float(self.factor(case)), partial(self.risk, case), multiplier_squared=0.0
        )

    def closed_regret(self, case: Case) -> Any:
        """Return the bound on the honest agents' regret as a sympy expression in closed form."""
        M, f, d = case.each("Mfd")
        inside = (M - f) * coefficient(d, M, f, self._kappa(case))
        general = thm_global_regret.THEOREM.expression(case.variant, "regret", None)
        return general.subs({M: M - f, symbol("A"): inside, symbol("c"): 1}, simultaneous=True)

    def _kappa(self, case: Case) -> Any:
        M, f = case.each("Mf")
        if not is_symbolic(M):
            return (app_robust_mean.median if case["median"] else app_robust_mean.least)(int(M), int(f))
        import sympy

        high = (sympy.ceiling(M / 2) - 1) / (sympy.floor(M / 2) + 1 - f)
        return high if case["median"] else f / (M - 2 * f)


THEOREM = RobustRegret()
