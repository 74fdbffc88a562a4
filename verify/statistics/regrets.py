"""Compare the measured regret of simulated federations with a bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.epoch_sum import EpochSum
from bounds.schedules import doubling_plan
from fedigw.applicable import applicable, declared_cost, largest_regret
from fedigw.federation import Federation
from fedigw.replications import simulate
from verify.claim import Evidence, Task, Verdict
from verify.statistics.growth import Fit, fit
from verify.statistics.measurement import Comparison, measure, overall, until_refuted

# The learning rate that each variant's theorem is about.
RATE_OF = {"printed": "printed", "repaired": "printed", "sharpened": "sharpened", "best": "best"}
BELOW_TRUTH = 0.9  # of an exact regret: a bound that is false


@dataclass(frozen=True)
class Family:
    """A named federation whose horizon can be set. at(T, variant) returns it with horizon T, epochs that end at steps
    2^l, and the learning rates for which this variant of the regret bound is proved."""

    name: str
    instance: Federation

    def at(self, horizon: int, variant: str) -> Federation:
        plan = doubling_plan(horizon, len(self.instance.arms))
        return self.instance.with_plan(plan).with_rates(RATE_OF[variant])


def regret_against_bound(
    task: Task,
    name: str,
    federation: Federation,
    variant: str,
    shrink: float = 1.0,
    parts: int = 1,
    **limits: Any,
) -> Comparison:
    """Compare the measured regret of the federation called `name` with `shrink` times its bound, in the given variant,
    at 1/parts of the task's error level. limits: `budget` (by default 2000) and `least`, the largest and the smallest
    number of replications."""
    found = applicable(federation)
    bound, trivial = shrink * found.values[variant], found.trivial[variant]
    return regret_against(task, name, federation, bound, trivial, parts, **limits)


def regret_against(
    task: Task,
    name: str,
    federation: Federation,
    bound: float,
    trivial: float,
    parts: int = 1,
    budget: int = 2000,
    least: int = 0,
) -> Comparison:
    """Compare the measured regret of a federation with a given bound, at 1/parts of the task's error level. trivial:
    the bound that holds without learning. budget, least: the largest and the smallest number of replications."""
    largest, level = largest_regret(federation), task.level / parts
    return measure(name, draw(task, federation), largest, bound, trivial, level, budget, least)


def draw(task: Task, federation: Federation) -> Callable[[int], np.ndarray]:
    """Return a function that simulates R further replications with new random numbers, and returns their regrets, shape
    (R,)."""
    return lambda count: simulate(federation, count, task.seed.spawn(1)[0]).total_regret


def judged(
    task: Task, comparisons: Sequence[Comparison], what: str = "regret", runs: str = "runs", **figures: Any
) -> Evidence:
    """Combine several comparisons of a measured value with its bound to one piece of evidence, at the error level of
    the check.

    The summary states by which factors the value (`what`) is below the bounds that are not vacuous, or the worst
    violation. runs: what was simulated, in words. figures: further values to record.
    """
    verdict, telling = overall(list(comparisons)), [c for c in comparisons if not c.vacuous]
    if verdict is Verdict.REFUTED:
        worst = max(comparisons, key=lambda c: c.mean / c.bound)
        said = f"{worst.where}: measured {worst.mean:.4g} > bound {worst.bound:.4g}"
    elif telling:
        telling.sort(key=lambda c: c.factor)
        undecided = sum(c.verdict is Verdict.UNDECIDED for c in telling)
        said = f"{what} below the bound by a factor {telling[0].factor:.1f} ({telling[0].where}) to"
        said += f" {telling[-1].factor:.0f} in {len(telling)} {runs}"
        said += f"; {undecided} undecided" if undecided else ""
    else:
        said = "every comparison was vacuous"
    return Evidence(verdict, said, {"series": [c.json() for c in comparisons]} | figures, level=task.level)


def on_worlds(
    task: Task, worlds: dict[str, Federation], variant: str, shrink: float, horizon: int, what: str = "worlds"
) -> Evidence:
    """Compare the measured regret with its bound in each of several federations (`worlds`) with the same horizon, and
    return the evidence. shrink: a factor on the bound, below 1 in a negative control. what: words for the
    federations."""
    found = (
        regret_against_bound(task, f"{name}, T = {horizon}", world, variant, shrink, len(worlds))
        for name, world in worlds.items()
    )
    return judged(task, until_refuted(found), runs=what)


def to_the_end(
    task: Task, name: str, federation: Federation, bound: EpochSum, parts: int, budget: int, least: int = 0
) -> Comparison:
    """Compare the measured regret of a federation after its last epoch with the value of `bound` there, at 1/parts of
    the task's error level. budget, least: the largest and the smallest number of replications."""
    horizon = sum(row[0] for row in federation.plan.played)
    value, trivial = bound.value(horizon), bound.trivial(horizon)
    return regret_against(task, name, federation, value, trivial, parts, budget, least)


def in_worlds(
    task: Task, worlds: Sequence[Family], parts: int, variant: str = "sharpened"
) -> tuple[list[Comparison], list[dict[str, Any]]]:
    """Compare the measured regret in each simulated environment with its bound. Raise ValueError if a protocol sends
    other numbers than it declares; an adaptive protocol may send fewer.

    The horizon is the first at which twice the bound is at most the largest possible regret. Return the comparisons,
    each at 1/parts of the task's error level, and a row for each environment: its comparison as JSON, the horizon (T)
    and the numbers sent.
    """
    found, rows = [], []
    for world in worlds:
        horizon, federation = 8, world.at(8, variant)
        while 2 * applicable(federation).values[variant] > largest_regret(federation):
            horizon *= 2
            federation = world.at(horizon, variant)
        name = f"{world.name}, {federation.protocol.name}, T = {horizon}"
        few = dict(budget=400, least=36)  # 36 runs decide in most worlds
        found.append(regret_against_bound(task, name, federation, variant, parts=parts, **few))
        run = simulate(federation, 1, task.seed.spawn(1)[0])
        numbers = int((run.total_traffic("numbers_up") + run.total_traffic("numbers_down"))[0])
        declared = sum(cost.numbers for cost in declared_cost(federation) or ())
        if numbers > declared or (numbers < declared and not federation.protocol.adaptive):
            raise ValueError(f"{name}: {numbers} numbers in the ledger, {declared} declared")
        rows.append(found[-1].json() | {"T": horizon, "numbers": numbers})
    return found, rows


def below_truth(
    task: Task,
    where: str,
    instance: Federation,
    truth: float,
    budget: int,
    least: int,
    drawn: Callable[[int], np.ndarray] | None = None,
) -> Comparison:
    """Run a negative control, which must be refuted: the statement that the mean regret of `instance` is at most 0.9
    times its exact value `truth`. where: what is measured, in words. drawn(n) returns n values of the regret, by
    default from new simulations. budget, least: the largest and the smallest number of values."""
    steps = float(sum(map(sum, instance.plan.played)))
    sample, largest = drawn or draw(task, instance), largest_regret(instance)
    return measure(where, sample, largest, BELOW_TRUTH * truth, steps, task.level, budget, least)


def slope(
    task: Task,
    x: np.ndarray,
    instances: Sequence[Federation],
    replications: int,
    resolved: Callable[[Federation], float],
    stated: float,
    allowance: float,
    least_bend: float = -np.inf,
) -> tuple[Fit, list[float]]:
    """Fit the exponent a with which the mean regret grows like exp(a x), from one federation for each x. Return the fit
    and the mean regrets.

    The exponent is larger while the data do not distinguish all arms: by the excess over 1/2 of the exponent of
    resolved(federation), a closed form of the regret, but at least by least_bend. stated: the exponent to compare with.
    allowance: a tolerance.
    """
    samples = np.array([draw(task, instance)(replications) for instance in instances])
    known = np.log([resolved(instance) for instance in instances])
    bend = max(least_bend, float(np.polyfit(x, known, 1)[0]) - 0.5)
    return fit(x, samples, task.level, stated, bend, allowance), samples.mean(axis=1).tolist()
