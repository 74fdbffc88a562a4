"""thm:global_regret: the regret of FedIGW with any FL routine of known excess risk, any lengths, any arm counts.

With W^l = sum_m E^l_m, S^l = sum_m E^l_m K_m, Kbar^l = S^l/W^l and e_{l-1} the excess risk from epoch l-1:

printed     W^1 + 11 c^{5/2} sum_{l>=2} sqrt(Kbar^l e_{l-1}) W^l                     (the paper's c)
repaired    W^1 + 11 c^2 sum_{l>=2} S^l sqrt(e_{l-1}/Kbar^{l-1})                     (c = max_l c_l)
sharpened   sum_m (1-1/K_m) E^1_m + sum_{l>=2} min(W^l, (C/g) S^l sqrt(e_{l-1}/Kbar^{l-1}))
best        the same with the constant of bounds.best for agents in step; an epoch that the horizon cuts out of step
            has the constant of its own ratio c_l, or the charge of the whole epoch if that is less
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bounds import lem_epoch_regret_bound, variants
from bounds.arithmetic import sqrt
from bounds.epoch_charges import mean_arms
from bounds.report import BoundReport
from bounds.schedules import EpochPlan, asynchrony, epoch_weights
from bounds.symbols import symbol
from bounds.variant_row import doubling_sum, root

VARIANTS = tuple(name for name, row in variants.VARIANTS.items() if not row.in_step)  # for any c

HYPOTHESES = (
    "H1 rewards in [0,1], realizability",
    "H2 epoch lengths independent of the data, at least 1",
    "H3 e_{l-1} known with E[Err^{l-1}] <= W^{l-1} e_{l-1}, for every sampling kernel",
    "H4 gamma^l = g sqrt(Kbar^{l-1}/e_{l-1}) for l >= 2",
    "H5 gamma^{l-1} <= gamma^l for l >= 3",
)


def multiplier_squared(variant: str, plan: EpochPlan, arms: Sequence[int]) -> float:
    """g^2 of the variant's learning rate. Fixed before the horizon is known, so by the uncut epochs."""
    return variants.row(variant).learning_rate.multiplier_squared(plan, arms)


def learning_rate(multiplier_squared: float, risk: float, mean: float) -> float:
    """gamma^l = g sqrt(Kbar^{l-1}/e_{l-1})."""
    return float(sqrt(multiplier_squared * mean / risk))


def epoch_terms(variant: str, plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> list[float]:
    """The bound on the regret of each epoch. risks[l] is the excess risk of what epoch l's data teach.

    Summed, these are the bound; the epoch cut at the horizon keeps its own term (its weights change, and with them c).
    """
    row = variants.row(variant)
    charge = row.charges(plan, arms)
    terms = [first_epoch(variant, plan.played[0], arms)]
    for epoch in range(1, plan.epochs):
        term = charge(epoch, risks[epoch - 1])
        terms.append(min(float(sum(plan.played[epoch])), term) if row.capped else term)
    return terms


def trivial(variant: str, plan: EpochPlan, arms: Sequence[int]) -> float:
    """What is known without learning, as the variant's terms are summed: every epoch at its cap, or one a step."""
    row = variants.row(variant)
    first = first_epoch(variant, plan.played[0], arms) if row.capped else float(sum(plan.played[0]))
    return sum([first, *(float(sum(played)) for played in plan.played[1:])])


def first_epoch(variant: str, played: Sequence[int], arms: Sequence[int]) -> float:
    """Uniform play in epoch 1 picks a best arm with probability at least 1/K_m: 1 - 1/K_m a step, or 1."""
    first_step = variants.row(variant).first_step
    return float(sum(e * first_step(float(k)) for e, k in zip(played, arms, strict=True)))


def regret_given_learning_rates(
    plan: EpochPlan, arms: Sequence[int], rates: Sequence[float], risks: Sequence[float]
) -> list[float]:
    """Sharpened epoch bounds for a run with its own learning rates gamma^2, gamma^3, ... (rates[l] for epoch l >= 1).

    C(g) S^l/gamma^l with g = max_l gamma^l sqrt(e_{l-1}/Kbar^{l-1}), valid when the rates never decrease (H5).
    """
    q, c = 1 - 1 / max(arms), asynchrony(plan)
    g2 = max(
        (
            rates[epoch] ** 2 * risks[epoch - 1] / mean_arms(plan.full[epoch - 1], arms)
            for epoch in range(1, plan.epochs)
        ),
        default=1.0,
    )
    terms = [first_epoch("sharpened", plan.played[0], arms)]
    for epoch in range(1, plan.epochs):
        weights = epoch_weights(plan, epoch)
        total = sum(weights)
        scale = total * mean_arms(weights, arms) / rates[epoch]
        terms.append(
            min(float(sum(plan.played[epoch])), float(lem_epoch_regret_bound.sharpened(c, q, g2)) * scale)
        )
    return terms


def synchronous_rate(
    variant: str, agents: int, arms: int, c: float, risk: Callable[[int], float]
) -> Callable[[int], float]:
    """Charge per step of an epoch that follows one of length E: C sqrt(K e(M E)) M."""
    constant = variants.row(variant).in_theorem(c, float(arms))
    return lambda previous: float(constant * sqrt(arms * risk(agents * previous)) * agents)


def closed_form(variant: str) -> Any:
    """First epoch + constant (2 + sqrt2) sqrt(K M T A), for T >= 3."""
    row, K, A, c = variants.row(variant), symbol("K"), symbol("A"), symbol("c")
    return row.closed_form(row.in_theorem(row.c.under_doubling * c, K), doubling_sum() * root(A))


@dataclass(frozen=True)
class GeneralRegret:
    """thm:global_regret under tau^l = 2^l with excess risk e(n) = A/n (clipped at 1 by some), n = M E^{l-1}."""

    quantities: tuple[str, ...] = ("regret",)
    protocols: tuple[str, ...] = ()
    required: tuple[str, ...] = ("M", "K", "T", "A")
    optional: Mapping[str, float] = field(default_factory=lambda: {"c": 1.0})

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(variants.VARIANTS)

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T = (int(parameters[name]) for name in "MKT")
        coefficient, row = float(parameters["A"]), variants.row(variant)
        c = row.c.under_doubling * float(parameters["c"])
        in_step = c == row.c.under_doubling  # else g may depend on how agents differ
        constant = row.in_theorem(c, float(K))
        bound = row.epoch_sum(M, K, constant, lambda n: coefficient / n, None if in_step else 0.0)
        return BoundReport(
            value=bound.value(T),
            formula=partial(closed_form, variant),
            trivial=bound.trivial(T),
            first_informative_horizon=bound.first_informative_horizon(),
            hypotheses=(*HYPOTHESES, *row.hypotheses(row, K, c)),
            lower=bound.lower(T),
        )
