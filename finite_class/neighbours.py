"""Change one thing in a finite-class federation, as a step of a search for worst cases: a function value, a probability
of contexts, a learning rate, an epoch length, the rule for ties, or the law of rewards.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from bounds.schedules import EpochPlan
from fedigw.federation import Federation
from fedigw.rates import ListedRates
from fedigw.rewards import LAWS
from finite_class.federations import changed
from finite_class.losses import TIES
from finite_class.world import FiniteWorld

GRID = 8  # function values and context probabilities move on eighths: short, and extremes are reached
Move = Callable[[Federation, np.random.Generator], Federation]


def value(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with one value of a function changed: to a multiple of 1/8, 0 or 1, or the true value."""
    world = FiniteWorld.of(instance)
    functions = world.functions
    f, x, a = (int(rng.integers(n)) for n in (len(functions), world.contexts, len(functions[0][0])))
    choices = [Fraction(int(rng.integers(GRID + 1)), GRID), Fraction(int(rng.integers(2)))]
    choices.append(functions[world.truth][x][a])
    table = [[list(row) for row in rows] for rows in functions]
    table[f][x][a] = choices[int(rng.integers(len(choices)))]
    return changed(instance, functions=tuple(tuple(tuple(row) for row in rows) for rows in table))


def contexts(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with some probability moved from one context of an agent to another."""
    world = FiniteWorld.of(instance)
    if world.contexts < 2:
        return instance
    m = int(rng.integers(len(world.agents)))
    law = list(world.agents[m].contexts)
    source, target = (int(i) for i in rng.permutation(world.contexts)[:2])
    moved = law[source] * Fraction(int(rng.integers(1, GRID)), GRID)
    law[source], law[target] = law[source] - moved, law[target] + moved
    # short rationals: back to a grid of 48ths, the last context takes the rest
    rounded = [Fraction(round(p * 48), 48) for p in law[:-1]]
    if sum(rounded) > 1:
        return instance
    agents = list(world.agents)
    agents[m] = replace(agents[m], contexts=(*rounded, Fraction(1) - sum(rounded)))
    return changed(instance, agents=tuple(agents))


def learning_rate(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with one learning rate of an explicit list increased or decreased. The list is sorted
    again, because rates must not decrease (hypothesis H5). If rates are not a list, return the federation unchanged."""
    if not isinstance(instance.rates, ListedRates) or not instance.rates.values:
        return instance
    rates = list(instance.rates.values)
    index = int(rng.integers(len(rates)))
    factor = Fraction(int(rng.choice([4, 6, 7, 9, 10, 12, 16])), 8)
    rates[index] = max(Fraction(1), Fraction(round(rates[index] * factor)))
    return changed(instance, learning_rate=tuple(sorted(rates)))


def lengths(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with one epoch length of an agent changed, by one step or a factor of 2, from 1 to 64."""
    rows = [list(row) for row in instance.plan.full]
    l, m = int(rng.integers(len(rows))), int(rng.integers(len(rows[0])))
    moved = rng.choice([rows[l][m] - 1, rows[l][m] + 1, rows[l][m] * 2, rows[l][m] // 2])
    rows[l][m] = min(64, max(1, int(moved)))
    plan = tuple(tuple(row) for row in rows)
    return changed(instance, plan=EpochPlan(plan, plan))


def ties(instance: Federation, rng: np.random.Generator) -> Federation:
    return changed(instance, ties=str(rng.choice(TIES)))


def rewards(instance: Federation, rng: np.random.Generator) -> Federation:
    return changed(instance, rewards=str(rng.choice(LAWS)))


def neighbour(moves: tuple[Move, ...]) -> Move:
    """Return a function that changes a federation by one of `moves`, chosen at random, or with probability 1/4 by two
    of them, so that a search can leave local maxima."""

    def move(instance: Federation, rng: np.random.Generator) -> Federation:
        for _ in range(1 + int(rng.integers(4) == 0)):
            instance = moves[int(rng.integers(len(moves)))](instance, rng)
        return instance

    return move
