"""Bound the regret of FedIGW if every epoch uses the model learned two epochs earlier, so that learning may last a
whole epoch (app:interleaved).

Epochs 1 and 2 are uniform. The odd epochs then are one FedIGW run and the even epochs another. Neither sees the data of
the other, so every variant of thm:global_regret holds for each, and the regrets add up. For M agents with K arms, T
steps, epochs of E^l steps that end at steps 2, 4, 8, ..., and the excess risk e_l = A/n after epoch l of n samples:

    epoch sum     M (E^1 + E^2)(1-1/K) + (C/g) sum_{l>=3} M E^l sqrt(K e_{l-2})   (capped variants: no term above M E^l)
    closed form   4M(1-1/K) + (C/g)(2 + 2 sqrt2) sqrt(M K A T),   T >= 3

C/g is the constant of thm:global_regret at learning rates g sqrt(K/e). Variant `best` uses its constant for arbitrary
schedules, 3.8098, because lengths within each run grow by 2 once and then by 4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bounds import own_lower_bound, variants
from bounds.arithmetic import Value, first_integer, ratio, sqrt
from bounds.report import Beside, BoundReport
from bounds.schedules import EpochPlan, doubling_plan
from bounds.theorem import Applied, Case, Setting, Theorem
from bounds.theorems import thm_global_regret
from bounds.variant_row import root

VARIANTS = ("repaired", "sharpened", "best")
LAST_EPOCH = 200
HYPOTHESES = (
    "H1 rewards in [0,1], realizability",
    "epoch l uses what epoch l-2 has taught; epochs 1 and 2 are uniform",
    "every agent's epochs have 2, 2, 4, 8, ... steps (tau^l = 2^l), K arms each",
    "H3 e_l = A/n after the n = M E^l samples of epoch l (at most 1 where the variant clips)",
    "H4 gamma^l = g sqrt(K/e_{l-2}) for l >= 3, g of the variant for any schedule",
)


def terms(variant: str, plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> list[float]:
    """Return the bound on the regret of each epoch if the epochs form several interleaved runs, each bounded
    separately. `plan`: epoch lengths of each agent. risks[l]: the excess risk of the model learned in epoch l."""
    found = [0.0] * plan.epochs
    for start, run in enumerate(plan.runs):
        charged = thm_global_regret.epoch_terms(variant, run, arms, risks[start :: plan.lag])
        found[start :: plan.lag] = charged
    return found


def trivial(variant: str, plan: EpochPlan, arms: Sequence[int]) -> float:
    """Return the trivial regret bound, summed over the two interleaved runs (odd and even epochs) of `plan`."""
    return sum(thm_global_regret.trivial(variant, run, arms) for run in plan.runs)


def interleaved_plan(horizon: int, agents: int = 1) -> EpochPlan:
    plan = doubling_plan(horizon, agents)
    return EpochPlan(plan.full, plan.played, lag=2)


def value(variant: str, agents: int, arms: int, horizon: int, coefficient: float) -> float:
    """Return the regret bound of agents with the same epochs, of which the odd and the even ones are two interleaved
    runs. The excess risk after n samples is coefficient/n."""
    plan = interleaved_plan(horizon)
    return agents * sum(terms(variant, plan, (arms,), _risks(variant, plan, agents, coefficient)))


def lower(variant: str, agents: int, arms: int, horizon: int, coefficient: float) -> float:
    """Return a lower bound on the worst regret (claim own:lower_bound) if odd and even epochs are two interleaved runs
    of FedIGW, at the learning rates that the variant prescribes. The excess risk after n samples is coefficient/n."""
    plan = interleaved_plan(horizon)
    risks, rates = _risks(variant, plan, agents, coefficient), [0.0] * plan.epochs
    for epoch in range(plan.lag, plan.epochs):
        start = epoch % plan.lag
        own = risks[start :: plan.lag]
        g2 = thm_global_regret.multiplier_squared(variant, plan.runs[start], (arms,), own)
        rates[epoch] = thm_global_regret.learning_rate(g2, risks[epoch - plan.lag], arms)
    return agents * float(own_lower_bound.regret(plan.played, (arms,), rates))


def _risks(variant: str, plan: EpochPlan, agents: int, coefficient: float) -> list[float]:
    return [variants.row(variant).clip(coefficient / (agents * row[0])) for row in plan.full]


def first_informative_horizon(variant: str, agents: int, arms: int, coefficient: float) -> int | None:
    """Return the smallest horizon, at least 3, from which on the regret bound of interleaved epochs is below the one
    known without learning; None if there is none. The excess risk after n samples is coefficient/n."""

    def informative(horizon: int) -> bool:
        known = agents * trivial(variant, interleaved_plan(horizon), (arms,))
        return value(variant, agents, arms, horizon, coefficient) < known

    return first_integer(informative, 3, 2**LAST_EPOCH)


@dataclass(frozen=True)
class InterleavedRegret(Theorem):
    """The regret bound if odd and even epochs are two interleaved FedIGW runs. At given parameters it is for epochs
    that end at steps 2, 4, 8, ... and excess risk A/n; for a federation, for its own epochs and excess risks."""

    label: str = "app:interleaved"
    hypotheses: tuple[str, ...] = HYPOTHESES
    required: tuple[str, ...] = ("M", "K", "T", "A")
    replaces: str = "thm:global_regret"
    forms: tuple[str, ...] = VARIANTS

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T, A = (*(int(parameters[name]) for name in "MKT"), float(parameters["A"]))
        upper, below = value(variant, M, K, T, A), lower(variant, M, K, T, A) if K > 1 else 0.0
        run = interleaved_plan(64).runs[0]
        g2 = thm_global_regret.multiplier_squared(variant, run, (K,), ()) if K > 1 else 0
        over_g = variants.row(variant).in_corollary(K, halves=False) if K > 1 else 0.0
        limit = float(over_g) * g2**0.5 * K / (K - 1) if K > 1 else 0.0
        return BoundReport(
            value=upper,
            formula=self.formula(Case(variant, protocol, protocol, parameters), quantity),
            trivial=M * trivial(variant, interleaved_plan(T), (K,)),
            first_informative_horizon=first_informative_horizon(variant, M, K, A),
            hypotheses=HYPOTHESES,
            lower=Beside(below, upper / below, limit) if below else None,
        )

    def closed_regret(self, case: Case) -> Value:
        """Return the closed-form regret bound 4M(1-1/K) + (C/g)(2 + 2 sqrt2) sqrt(M K A T) for M agents with K arms, T
        steps and the excess risk A/n. C/g is the constant of the bound's variant. The first term is 4M in variants that
        do not cap epochs."""
        K = case["K"]
        summed = 2 + 2 * sqrt(2 * ratio(1, 1, K))
        factor = case.row.in_corollary(K, halves=False)
        return 4 * case["M"] * case.row.first_step(K) + factor * summed * root(case["A"])

    def concerns(self, setting: Setting) -> bool:
        return setting.plan.lag != 1

    def missing(self, setting: Setting) -> tuple[str, ...]:
        return thm_global_regret.THEOREM.missing(setting)

    def applied(self, setting: Setting) -> Applied:
        plan, arms = setting.counted
        if setting.rule is not None:
            names = setting.bounds[setting.rule]
            found = {name: terms(name, plan, arms, setting.risks(name)) for name in names}
            return thm_global_regret.apply(self, setting, found)
        assert setting.rates is not None
        own, risks = [0.0] * plan.epochs, setting.risks("sharpened")
        for start, run in enumerate(plan.runs):
            part = slice(start, None, plan.lag)
            own[part] = thm_global_regret.regret_given_learning_rates(
                run, arms, setting.rates[part], risks[part]
            )
        return thm_global_regret.apply(self, setting, {"sharpened": own})


THEOREM = InterleavedRegret()


def closed_form(variant: str) -> Value:
    return THEOREM.expression(variant, "regret", None)
