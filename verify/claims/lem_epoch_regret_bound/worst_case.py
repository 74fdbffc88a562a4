"""Worst-case search over two epochs given their data: climb towards the largest ratio of a pathwise inequality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

import numpy as np

from finite_class.lemmas.two_epochs import AgentCells, TwoEpochs
from verify.experiments import random_worlds

T = TypeVar("T")


def climb(
    rng: np.random.Generator,
    start: Callable[[np.random.Generator], T],
    change: Callable[[np.random.Generator, T], T],
    score: Callable[[T], float],
    restarts: int,
    steps: int,
) -> tuple[float, T]:
    """The best (score, instance): random starts, then changes that do not lower the score."""
    best: tuple[float, T] | None = None
    for _ in range(restarts):
        instance = start(rng)
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
