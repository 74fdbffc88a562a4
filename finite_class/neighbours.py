"""Coordinate moves between instances, for searches: one thing about an instance changed, everything else kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from bounds.schedules import EpochPlan
from finite_class.instance import REWARDS, TIES, FiniteClassInstance

GRID = (
    8  # function values and context probabilities move on eighths: short rationals, and extremes are reached
)
Move = Callable[[FiniteClassInstance, np.random.Generator], FiniteClassInstance]


def value(instance: FiniteClassInstance, rng: np.random.Generator) -> FiniteClassInstance:
    """One function's value at one context and arm: anywhere on the grid, an end of [0,1], or equal to the truth's."""
    f, x, a = (
        int(rng.integers(n))
        for n in (len(instance.functions), instance.contexts, len(instance.functions[0][0]))
    )
    choices = [Fraction(int(rng.integers(GRID + 1)), GRID), Fraction(int(rng.integers(2)))]
    choices.append(instance.functions[instance.truth][x][a])
    table = [[list(row) for row in rows] for rows in instance.functions]
    table[f][x][a] = choices[int(rng.integers(len(choices)))]
    return replace(instance, functions=tuple(tuple(tuple(row) for row in rows) for rows in table))


def contexts(instance: FiniteClassInstance, rng: np.random.Generator) -> FiniteClassInstance:
    """One agent's context law: some weight from one context to another."""
    if instance.contexts < 2:
        return instance
    m = int(rng.integers(len(instance.agents)))
    law = list(instance.agents[m].contexts)
    source, target = (int(i) for i in rng.permutation(instance.contexts)[:2])
    moved = law[source] * Fraction(int(rng.integers(1, GRID)), GRID)
    law[source], law[target] = law[source] - moved, law[target] + moved
    # short rationals: back to a grid of 48ths, the last context takes the rest
    rounded = [Fraction(round(p * 48), 48) for p in law[:-1]]
    if sum(rounded) > 1:
        return instance
    agents = list(instance.agents)
    agents[m] = replace(agents[m], contexts=(*rounded, Fraction(1) - sum(rounded)))
    return replace(instance, agents=tuple(agents))


def learning_rate(instance: FiniteClassInstance, rng: np.random.Generator) -> FiniteClassInstance:
    """One learning rate of an explicit list, up or down; the list stays sorted (H5)."""
    if isinstance(instance.learning_rate, str) or not instance.learning_rate:
        return instance
    rates = list(instance.learning_rate)
    index = int(rng.integers(len(rates)))
    factor = Fraction(int(rng.choice([4, 6, 7, 9, 10, 12, 16])), 8)
    rates[index] = max(Fraction(1), Fraction(round(rates[index] * factor)))
    return replace(instance, learning_rate=tuple(sorted(rates)))


def lengths(instance: FiniteClassInstance, rng: np.random.Generator) -> FiniteClassInstance:
    """One agent's length of one epoch, a step or a factor 2 up or down, at least 1 and at most 64."""
    rows = [list(row) for row in instance.plan.full]
    l, m = int(rng.integers(len(rows))), int(rng.integers(len(rows[0])))
    moved = rng.choice([rows[l][m] - 1, rows[l][m] + 1, rows[l][m] * 2, rows[l][m] // 2])
    rows[l][m] = min(64, max(1, int(moved)))
    plan = tuple(tuple(row) for row in rows)
    return replace(instance, plan=EpochPlan(plan, plan))


def ties(instance: FiniteClassInstance, rng: np.random.Generator) -> FiniteClassInstance:
    return replace(instance, ties=str(rng.choice(TIES)))


def rewards(instance: FiniteClassInstance, rng: np.random.Generator) -> FiniteClassInstance:
    return replace(instance, rewards=str(rng.choice(REWARDS)))


def neighbour(moves: tuple[Move, ...]) -> Move:
    """One of `moves` at random, sometimes two: a single coordinate cannot leave every local maximum."""

    def move(instance: FiniteClassInstance, rng: np.random.Generator) -> FiniteClassInstance:
        for _ in range(1 + int(rng.integers(4) == 0)):
            instance = moves[int(rng.integers(len(moves)))](instance, rng)
        return instance

    return move
