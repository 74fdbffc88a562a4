"""Measure the regret of finite-class federations at horizons where the bounds of col:finite are informative."""

import inspect
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from bounds.theorems import col_finite
from fedigw.discovery import modules
from finite_class.environments import near_ties
from finite_class.law import exact_law
from finite_class.protocols.exact_minimiser import ExactMinimiser
from finite_class.world import FiniteWorld
from verify.claim import Evidence, Task
from verify.statistics import regrets
from verify.statistics.regrets import BELOW_TRUTH, RATE_OF, Family

AGENTS, ARMS = 10, 2
LARGEST_CLASS = 10  # of the worlds below; smaller classes have smaller bounds, informative sooner
QUICK_POINTS = {"printed": (0, 1), "repaired": (0, 2), "sharpened": (0, 2), "best": (0, 2)}  # of horizons()
# replications of a comparison that is decided sooner, so that plots have narrow bands
LEAST = {"quick": 128, "full": 256}
CONTROL_HORIZON = 4096  # long enough to have something to learn, short enough for the exact law


def families(rng: np.random.Generator) -> list[Family]:
    """Return the simulated environments that meet the assumptions of col:finite: agents share one true function of a
    finite class and learn it by the exact minimiser. Each can be set to any horizon."""
    found = []
    for name, module in modules("finite_class.environments", ("make", "EXAMPLES")).items():
        example = module.make(np.random.default_rng(0), **module.EXAMPLES[0])
        fits = isinstance(example.world, FiniteWorld) and isinstance(example.protocol, ExactMinimiser)
        if fits and "arms" in inspect.signature(module.make).parameters:
            found.append(Family(name, module.make(rng, arms=ARMS, agents=AGENTS)))
    return found


def hard_family(gap: Fraction) -> Family:
    return Family(f"near_ties gap {gap}", near_ties.make(np.random.default_rng(0), gap, 1, ARMS, AGENTS))


def horizons(variant: str, points: Iterable[int]) -> list[int]:
    """Return a horizon 16^(i+1) H for each number i in `points`. H is the first power of two above the least horizon at
    which the regret bound of col:finite for the largest class is informative."""
    first = col_finite.epoch_sum(variant, AGENTS, ARMS, LARGEST_CLASS).first_informative_horizon()
    assert first is not None
    start = 16 << first.bit_length()
    return [start * 16**i for i in points]


def regret_against_bound(task: Task, variant: str) -> Evidence:
    """Compare the measured regret with the bound of col:finite, in every finite-class environment, at horizons where
    the bound is informative. Negative control, which must fail: a bound a tenth below an exact regret."""
    chosen = [*families(task.rng()), hard_family(Fraction(1, 50))]
    points = horizons(variant, range(4) if task.full else QUICK_POINTS[variant])
    parts, replications = len(chosen) * len(points), 4000 if task.full else 1000
    comparisons, series = [], []
    for family in chosen:
        size = len(FiniteWorld.of(family.instance).functions)
        bound = col_finite.epoch_sum(variant, AGENTS, ARMS, size)
        for horizon in points:
            instance, where = family.at(horizon, variant), f"{family.name}, T = {horizon}"
            comparisons.append(
                regrets.to_the_end(task, where, instance, bound, parts, replications, LEAST[task.profile])
            )
            series.append(comparisons[-1].json() | {"world": family.name, "T": horizon, "F": size})
    rate, runs = RATE_OF[variant], "informative runs"
    return regrets.judged(task, comparisons, runs=runs, series=series, M=AGENTS, K=ARMS, learning_rate=rate)


def regret_against_false_bound(task: Task, variant: str) -> Evidence:
    """Run the negative control of regret_against_bound, which must fail: compare the measured regret at T = 4096 for
    nearly equal arms with a bound a tenth below the exact regret."""
    instance = hard_family(Fraction(1, 50)).at(CONTROL_HORIZON, variant)
    truth = float(exact_law(instance, rational=False).total_regret)
    where = f"near ties, T = {CONTROL_HORIZON}, a bound {1 - BELOW_TRUTH:.0%} below the exact regret"
    found = regrets.below_truth(
        task, where, instance, truth, 4000 if task.full else 1000, LEAST[task.profile]
    )
    return regrets.judged(task, [found])
