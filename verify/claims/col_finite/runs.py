"""Runs of the finite class in the regime where the bounds mean something, shared by the claims about it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from bounds.schedules import doubling_plan
from bounds.theorems import col_finite
from fedigw.applicable import largest_regret
from fedigw.discovery import modules
from fedigw.federation import Federation
from fedigw.replications import pooled as replicate
from finite_class.world import FiniteWorld
from verify.claim import Evidence, Task
from verify.statistics.measurement import Comparison, measure, overall
from verify.verdict import Verdict

AGENTS, ARMS = 10, 2
LARGEST_CLASS = 10  # of the worlds below; smaller classes have smaller bounds, informative sooner
QUICK_POINTS = {"printed": 2, "repaired": 3, "sharpened": 3, "best": 3}  # horizons in the quick profile
LEAST = 256  # replications of a comparison that is decided sooner, so that plots have narrow bands
CONTROL_HORIZON = 4096  # long enough to have something to learn, short enough for the exact law
BELOW_TRUTH = 0.9
# The learning rate that each variant's theorem is about.
RATE_OF = {"printed": "printed", "repaired": "printed", "sharpened": "sharpened", "best": "best"}


@dataclass(frozen=True)
class Family:
    """A named environment with |F| functions, to any horizon: at(T) is its federation of AGENTS agents."""

    name: str
    instance: Federation

    def at(self, horizon: int, variant: str) -> Federation:
        plan = doubling_plan(horizon, len(self.instance.arms))
        return self.instance.with_plan(plan).with_rates(RATE_OF[variant])


def families(rng: np.random.Generator) -> list[Family]:
    """One family from every file of finite_class/environments, with two arms: the K of the bound is everybody's."""
    found = []
    for name, module in modules("finite_class.environments", ("make", "EXAMPLES")).items():
        found.append(Family(name, module.make(rng, arms=ARMS, agents=AGENTS)))
    return found


def hard_family(gap: Fraction) -> Family:
    """Near ties at the gap that an epoch of interest can just not resolve."""
    from finite_class.environments import near_ties

    return Family(f"near_ties gap {gap}", near_ties.make(np.random.default_rng(0), gap, 1, ARMS, AGENTS))


def horizons(variant: str, count: int) -> list[int]:
    """Powers of 16 from well beyond where the bound for |F| = LARGEST_CLASS beats M T: there it also beats what most
    of the worlds can lose."""
    first = col_finite.epoch_sum(variant, AGENTS, ARMS, LARGEST_CLASS).first_informative_horizon()
    assert first is not None
    start = 16 << first.bit_length()
    return [start * 16**i for i in range(count)]


def regret_against_bound(task: Task, variant: str) -> Evidence:
    """Measured regret of every world against the epoch-sum bound of `variant`."""
    chosen = [*families(task.rng()), hard_family(Fraction(1, 50))]
    return _measure(
        task,
        variant,
        chosen,
        points=4 if task.full else QUICK_POINTS[variant],
        replications=4000 if task.full else 1000,
    )


def regret_against_false_bound(task: Task, variant: str) -> Evidence:
    """The negative control: the same comparison with a bound just below the truth, which the exact law knows."""
    from finite_class.law import exact_law

    instance = hard_family(Fraction(1, 50)).at(CONTROL_HORIZON, variant)
    truth = float(exact_law(instance, rational=False).total_regret)
    comparison = measure(
        f"near ties, T = {CONTROL_HORIZON}, a bound {1 - BELOW_TRUTH:.0%} below the exact regret",
        partial(_draw, task, instance),
        largest_regret(instance),
        BELOW_TRUTH * truth,
        float(AGENTS * CONTROL_HORIZON),
        task.level,
        budget=4000 if task.full else 1000,
        least=LEAST,
    )
    return Evidence(
        comparison.verdict, _summary(comparison.verdict, [comparison]), comparison.json(), level=task.level
    )


def _measure(task: Task, variant: str, chosen: list[Family], points: int, replications: int) -> Evidence:
    level = task.level / (len(chosen) * points)
    comparisons: list[Comparison] = []
    series: list[dict[str, Any]] = []
    for family in chosen:
        size = len(FiniteWorld.of(family.instance).functions)
        for horizon in horizons(variant, points):
            instance = family.at(horizon, variant)
            bound = col_finite.epoch_sum(variant, AGENTS, ARMS, size)
            comparison = measure(
                f"{family.name}, T = {horizon}",
                partial(_draw, task, instance),
                largest_regret(instance),
                bound.value(horizon),
                bound.trivial(horizon),
                level,
                budget=replications,
                least=min(replications, LEAST),
            )
            comparisons.append(comparison)
            series.append(comparison.json() | {"world": family.name, "T": horizon, "F": size})
    verdict = overall(comparisons)
    return Evidence(
        verdict,
        _summary(verdict, comparisons),
        {"series": series, "M": AGENTS, "K": ARMS, "learning_rate": RATE_OF[variant]},
        level=task.level,
    )


def _draw(task: Task, instance: Federation, replications: int) -> np.ndarray:
    """(R,): total regret of further replications, on a stream of their own."""
    return replicate(instance, replications, task.seed.spawn(1)[0]).total_regret


def _summary(verdict: Verdict, comparisons: list[Comparison]) -> str:
    telling = [c for c in comparisons if not c.vacuous]
    if verdict is Verdict.REFUTED:
        worst = max(comparisons, key=lambda c: c.mean / c.bound)
        return f"{worst.where}: measured {worst.mean:.4g} > bound {worst.bound:.4g}"
    factors = sorted(c.factor for c in telling)
    undecided = sum(c.verdict is Verdict.INCONCLUSIVE for c in telling)
    tail = f"; {undecided} undecided" if undecided else ""
    if not factors:
        return "every comparison was vacuous"
    return (
        f"regret below the bound by a factor {factors[0]:.1f} to {factors[-1]:.0f} in {len(telling)} informative runs"
        f"{tail}"
    )
