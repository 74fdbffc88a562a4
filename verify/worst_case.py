"""Worst-case search: climb from random exact instances towards the largest measured/bound ratio."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

import numpy as np

from bounds.schedules import EpochPlan
from finite_class.instance import Agent, FiniteClassInstance
from finite_class.two_epochs import AgentCells, TwoEpochs
from verify import random_worlds

T = TypeVar("T")
LONGEST = 12  # steps of an epoch in a search: its exact law is computed hundreds of times


def climb(
    rng: np.random.Generator,
    start: Callable[[np.random.Generator], T],
    change: Callable[[np.random.Generator, T], T],
    score: Callable[[T], float],
    restarts: int,
    steps: int,
    first: T | None = None,
) -> tuple[float, T]:
    """The best (score, instance): `first` and random starts, then changes that do not lower the score."""
    best: tuple[float, T] | None = None
    for number in range(restarts):
        instance = first if first is not None and number == 0 else start(rng)
        value = score(instance)
        for _ in range(steps):
            candidate = change(rng, instance)
            reached = score(candidate)
            if reached >= value:
                value, instance = reached, candidate
        if best is None or value > best[0]:
            best = value, instance
    assert best is not None
    return best


def fooled_run() -> FiniteClassInstance:
    """A run that a tie can fool: f* = (1/2, 0) against (1/2, 1), deterministic rewards, three epochs of two steps."""
    half, rows = Fraction(1, 2), ((2,), (2,), (2,))
    return FiniteClassInstance(
        functions=(((half, Fraction(0)),), ((half, Fraction(1)),)),
        truth=0,
        agents=(Agent((Fraction(1),), (0, 1)),),
        plan=EpochPlan(rows, rows),
        ties="adversarial",
        learning_rate=(Fraction(2), Fraction(2)),
        rewards="deterministic",
    )


def change_world(rng: np.random.Generator, world: TwoEpochs) -> TwoEpochs:
    """One entry of one table, or one learning rate (kept in order), moved."""
    if rng.random() < 0.3:
        factor = Fraction(int(rng.integers(5, 21)), 10)
        first, second = world.rate_before, world.rate
        first, second = (first * factor, second) if rng.random() < 0.5 else (first, second * factor)
        return replace(world, rate_before=min(first, second), rate=max(first, second))
    number = int(rng.integers(len(world.agents)))
    agent = world.agents[number]
    field = str(rng.choice(["truth", "before", "now"]))
    rows = [list(row) for row in getattr(agent, field)]
    x, a = int(rng.integers(len(rows))), int(rng.integers(len(rows[0])))
    moved = rows[x][a] + Fraction(int(rng.integers(-20, 21)), 10 ** int(rng.integers(1, 4)))
    rows[x][a] = min(max(moved, Fraction(0)), Fraction(1)) if field == "truth" else moved
    table = tuple(tuple(row) for row in rows)
    changed: AgentCells = replace(agent, **{field: table})  # type: ignore[arg-type]
    return replace(world, agents=(*world.agents[:number], changed, *world.agents[number + 1 :]))


def start_world(rng: np.random.Generator) -> TwoEpochs:
    """One agent, one context: what the pathwise inequalities are about."""
    arms = int(rng.integers(2, 5))
    truth = random_worlds.table(rng, 1, arms, unit=True)
    before, now = random_worlds.table(rng, 1, arms, unit=True), random_worlds.table(rng, 1, arms, unit=True)
    first, second = sorted(Fraction(int(v), 4) for v in rng.integers(1, 400, size=2))
    return TwoEpochs((AgentCells((Fraction(1),), truth, before, now),), first, second)


def small(
    draw: Callable[[np.random.Generator], FiniteClassInstance], rng: np.random.Generator
) -> FiniteClassInstance:
    """The first instance drawn whose epochs are all short."""
    while True:
        instance = draw(rng)
        if max(max(row) for row in instance.plan.full) <= LONGEST:
            return instance


def change_instance(rng: np.random.Generator, instance: FiniteClassInstance) -> FiniteClassInstance:
    """Learning rates, one function value, one epoch's length or the ties of an exact instance moved."""
    what = rng.random()
    if what < 0.4 and not isinstance(instance.learning_rate, str):
        rates = list(instance.learning_rate)
        position = int(rng.integers(len(rates)))
        moved = max(rates[position] * Fraction(int(rng.integers(6, 16)), 10), Fraction(1, 10))
        rates[position] = moved.limit_denominator(100)
        return replace(instance, learning_rate=tuple(sorted(rates)))
    if what < 0.7:
        functions = [[list(row) for row in table] for table in instance.functions]
        f, x = int(rng.integers(len(functions))), int(rng.integers(len(functions[0])))
        a = int(rng.integers(len(functions[0][0])))
        functions[f][x][a] = Fraction(int(rng.integers(0, 3)), 2)
        return replace(instance, functions=tuple(tuple(tuple(row) for row in table) for table in functions))
    if what < 0.9:
        rows = [list(row) for row in instance.plan.full]
        epoch = int(rng.integers(len(rows) - 1))
        rows[epoch] = [min(max(1, e + int(rng.integers(-1, 2))), LONGEST) for e in rows[epoch]]
        full = tuple(tuple(row) for row in rows)
        return replace(instance, plan=EpochPlan(full, full))
    return replace(instance, ties=str(rng.choice(["first", "adversarial", "uniform"])))
