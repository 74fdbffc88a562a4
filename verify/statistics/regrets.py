"""Measured regret against the bound that applies to a federation, and the evidence of several such comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fedigw.applicable import applicable, largest_regret
from fedigw.federation import Federation
from fedigw.replications import simulate
from verify.claim import Evidence, Task
from verify.statistics.measurement import Comparison, measure, overall
from verify.verdict import Verdict


def regret_against_bound(
    task: Task,
    name: str,
    federation: Federation,
    variant: str,
    shrink: float = 1.0,
    parts: int = 1,
    **limits: Any,
) -> Comparison:
    """Measure the regret against `shrink` times the bound of `variant`, with the share 1/parts of the task's level.

    limits: `budget` (2000) and `least` of verify.statistics.measurement.measure.
    """
    told = applicable(federation)
    bound, trivial = shrink * told.values[variant], told.trivial[variant]
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
    """Measure the regret of runs on streams of their own against any bound."""
    return measure(
        name,
        lambda count: simulate(federation, count, task.seed.spawn(1)[0]).total_regret,
        largest_regret(federation),
        bound,
        trivial,
        task.level / parts,
        budget,
        least,
    )


def below(task: Task, comparisons: Sequence[Comparison], what: str) -> Evidence:
    """Return the evidence that `what` ("regret below the bound") holds by which factors, where bounds say something."""
    verdict, telling = overall(list(comparisons)), [c for c in comparisons if not c.vacuous]
    figures = {"series": [c.json() for c in comparisons]}
    if verdict is Verdict.REFUTED or not telling:
        said = "a measured value is above its bound, or no bound says anything"
        return Evidence(verdict, said, figures, level=task.level)
    factors = sorted(c.factor for c in telling)
    said = f"{what} by a factor {factors[0]:.1f} to {factors[-1]:.0f} in {len(telling)} runs"
    return Evidence(verdict, said, figures, level=task.level)


def on_worlds(
    task: Task, worlds: dict[str, Federation], variant: str, shrink: float, horizon: int, what: str = "worlds"
) -> Evidence:
    """Return the evidence of bound over measured regret on each of `worlds`."""
    found = [
        regret_against_bound(task, f"{name}, T = {horizon}", world, variant, shrink, len(worlds))
        for name, world in worlds.items()
    ]
    factors = [c.bound / c.mean for c in found]
    return Evidence(
        overall(found),
        f"bound over measured regret {min(factors):.2f} to {max(factors):.2f} on {len(found)} {what}",
        {"comparisons": [c.json() for c in found]},
        level=task.level,
    )
