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

from bounds import lem_epoch_regret_bound
from bounds.arithmetic import ratio, sqrt
from bounds.best import regret as best_regret
from bounds.epoch_sum import EpochSum
from bounds.report import BoundReport
from bounds.schedules import (
    EpochPlan,
    asynchrony,
    epoch_weights,
    papers_ratio,
    spread_of_growth,
    uncut_asynchrony,
)
from bounds.symbols import symbol

VARIANTS = ("printed", "repaired", "sharpened")

HYPOTHESES = (
    "H1 rewards in [0,1], realizability",
    "H2 epoch lengths independent of the data, at least 1",
    "H3 e_{l-1} known with E[Err^{l-1}] <= W^{l-1} e_{l-1}, for every sampling kernel",
    "H4 gamma^l = g sqrt(Kbar^{l-1}/e_{l-1}) for l >= 2",
    "H5 gamma^{l-1} <= gamma^l for l >= 3",
)


def mean_arms(lengths: Sequence[int], arms: Sequence[int]) -> float:
    """Kbar = S/W."""
    return sum(e * k for e, k in zip(lengths, arms, strict=True)) / sum(lengths)


def multiplier_squared(variant: str, plan: EpochPlan, arms: Sequence[int]) -> float:
    """g^2 of the variant's learning rate. Fixed before the horizon is known, so by the uncut epochs."""
    if variant == "best":
        return float(best_regret.of_plan(plan, arms).best_multiplier_squared)
    if variant == "sharpened":
        return float(
            lem_epoch_regret_bound.best_multiplier_squared(uncut_asynchrony(plan), 1 - 1 / max(arms))
        )
    return 1.0


def learning_rate(multiplier_squared: float, risk: float, mean: float) -> float:
    """gamma^l = g sqrt(Kbar^{l-1}/e_{l-1})."""
    return float(sqrt(multiplier_squared * mean / risk))


def epoch_terms(variant: str, plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> list[float]:
    """The bound on the regret of each epoch. risks[l] is the excess risk of what epoch l's data teach.

    Summed, these are the bound; the epoch cut at the horizon keeps its own term (its weights change, and with them c).
    """
    if variant == "best":
        return _best_terms(plan, arms, risks)
    q = 1 - 1 / max(arms)
    c = papers_ratio(plan) if variant == "printed" else asynchrony(plan)
    g2 = multiplier_squared(variant, plan, arms)
    terms = [first_epoch(variant, plan.played[0], arms)]
    for epoch in range(1, plan.epochs):
        weights = epoch_weights(plan, epoch)
        total, risk = sum(weights), risks[epoch - 1]
        if variant == "printed":
            terms.append(11 * c**2.5 * float(sqrt(mean_arms(weights, arms) * risk)) * total)
            continue
        scale = _scale(weights, plan.full[epoch - 1], arms, risk)
        if variant == "repaired":
            terms.append(lem_epoch_regret_bound.paper(c) * scale)
        else:
            constant = float(lem_epoch_regret_bound.sharpened(c, q, g2) / sqrt(g2))
            terms.append(min(float(total), constant * scale))
    return terms


def _best_terms(plan: EpochPlan, arms: Sequence[int], risks: Sequence[float]) -> list[float]:
    """The epoch terms of variant best, whose constant is for agents in step.

    Lengths in proportion but unequal are cut differently by the horizon. Such an epoch is charged on its cut weights
    with the constant of its own ratio, or as a whole and in step: what is played of it costs no more than all of it.
    An agent that plays nothing of an epoch leaves the second charge only.
    """
    in_step = best_regret.of_plan(plan, arms)
    g2 = in_step.best_multiplier_squared
    terms = [first_epoch("best", plan.played[0], arms)]
    for epoch in range(1, plan.epochs):
        before, whole, played = plan.full[epoch - 1], plan.full[epoch], plan.played[epoch]
        charges = [float(sum(played)), in_step.over_g * _scale(whole, before, arms, risks[epoch - 1])]
        if all(played):
            c = spread_of_growth(played, before)
            over_g = in_step.over_g if c == 1 else best_regret.cut_over_g(max(arms), c, g2)
            charges.append(over_g * _scale(played, before, arms, risks[epoch - 1]))
        terms.append(min(charges))
    return terms


def _scale(weights: Sequence[int], before: Sequence[int], arms: Sequence[int], risk: float) -> float:
    """S^l sqrt(e_{l-1}/Kbar^{l-1}); `before` are the full lengths of epoch l-1, which taught and fixed the rate."""
    played_arms = sum(weights) * mean_arms(weights, arms)
    return played_arms * float(sqrt(risk / mean_arms(before, arms)))


def first_epoch(variant: str, played: Sequence[int], arms: Sequence[int]) -> float:
    """Uniform play in epoch 1 picks a best arm with probability at least 1/K_m."""
    if variant in ("sharpened", "best"):
        return sum(e * (1 - 1 / k) for e, k in zip(played, arms, strict=True))
    return float(sum(played))


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
        terms.append(min(float(total), float(lem_epoch_regret_bound.sharpened(c, q, g2)) * scale))
    return terms


def synchronous_rate(
    variant: str, agents: int, arms: int, c: float, risk: Callable[[int], float]
) -> Callable[[int], float]:
    """Charge per step of an epoch that follows one of length E: C sqrt(K e(M E)) M."""
    if variant == "printed":
        constant = 11 * c**2.5
    elif variant == "repaired":
        constant = 11 * c**2
    elif variant == "best":
        constant = best_regret.doubling_over_g(arms, c)
    else:
        constant = float(lem_epoch_regret_bound.sharpened_over_g(c, 1 - 1 / arms))
    return lambda previous: float(constant * sqrt(arms * risk(agents * previous)) * agents)


def _schedule(variant: str, arms: int, c: float) -> tuple[str, ...]:
    """What the number rests on beyond H1-H5: the schedule, the excess risk, c."""
    if variant == "best":
        return best_regret.doubling_hypotheses(arms)
    clipped = "min(1, A/n)" if variant == "sharpened" else "A/n"
    reading = "over all epochs, as the paper has it" if variant == "printed" else "between agents"
    return (
        "epoch lengths 2, 2, 4, 8, ... (tau^l = 2^l)",
        f"e_l = {clipped} after the n = M E^l samples of epoch l",
        f"lengths that differ by at most c = {c:g} ({reading})",
    )


def closed_form(variant: str) -> Any:
    """First epoch + constant (2 + sqrt2) sqrt(K M T A), for T >= 3."""
    M, K, T, A, c = (symbol(name) for name in "MKTAc")
    summed = (2 + sqrt(2 * ratio(1, 1, K))) * sqrt(K * M * T * A)
    if variant == "printed":
        return 2 * M + 11 * (2 * c) ** ratio(5, 2, c) * summed
    if variant == "repaired":
        return 2 * M + 11 * c**2 * summed
    if variant == "best":
        return 2 * M * (1 - 1 / K) + best_regret.over_g(K, doubling=True) * summed
    return 2 * M * (1 - 1 / K) + lem_epoch_regret_bound.sharpened_over_g(c, 1 - 1 / K) * summed


@dataclass(frozen=True)
class GeneralRegret:
    """thm:global_regret under tau^l = 2^l with excess risk e(n) = A/n (sharpened: clipped at 1), n = M E^{l-1}."""

    variants: tuple[str, ...] = (*VARIANTS, "best")
    quantities: tuple[str, ...] = ("regret",)
    protocols: tuple[str, ...] = ()
    required: tuple[str, ...] = ("M", "K", "T", "A")
    optional: Mapping[str, float] = field(default_factory=lambda: {"c": 1.0})

    def evaluate(
        self, variant: str, quantity: str, protocol: str | None, parameters: Mapping[str, Any]
    ) -> BoundReport:
        M, K, T = (int(parameters[name]) for name in "MKT")
        coefficient, c = float(parameters["A"]), float(parameters["c"])
        sharp = variant in ("sharpened", "best")

        def risk(n: int) -> float:
            return min(1.0, coefficient / n) if sharp else coefficient / n

        papers_c = 2 * c if variant == "printed" else c  # tau^l = 2^l alone makes the paper's c equal to 2
        first = M * (1 - 1 / K) if sharp else float(M)
        bound = EpochSum(M, first, synchronous_rate(variant, M, K, papers_c, risk), capped=sharp)
        return BoundReport(
            value=bound.value(T),
            formula=partial(closed_form, variant),
            trivial=float(M * T),
            first_informative_horizon=bound.first_informative_horizon(),
            hypotheses=(*HYPOTHESES, *_schedule(variant, K, papers_c)),
        )
