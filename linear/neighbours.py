"""Change one thing in a linear federation, as a step of a random search for worst cases: a feature, the arms, the
parameter, context probabilities, rewards or epoch lengths.

Values are moved to multiples of 1/16, which are short in a file, exact in floats and reach the boundary of the unit
ball. If a change breaks a hypothesis of the theory, the federation is returned unchanged.
"""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw.federation import Federation
from fedigw.rewards import LAWS
from linear.contexts.finite import FiniteContexts
from linear.federations import changed
from linear.world import LinearWorld

GRID = 16
Move = Callable[[Federation, np.random.Generator], Federation]


def neighbour(moves: Sequence[Move]) -> Move:
    """Return a function that makes one of the changes `moves` to a federation, chosen at random."""

    def move(instance: Federation, rng: np.random.Generator) -> Federation:
        try:
            return moves[int(rng.integers(len(moves)))](instance, rng)
        except InputError:
            return instance

    return move


def feature(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with a feature vector replaced by another one, or changed in one coordinate."""
    m, contexts = _agent(instance, rng)
    features = contexts.features.copy()
    x, a, i = (int(rng.integers(size)) for size in features.shape)
    if rng.random() < 0.3:
        features[x, a] = features[int(rng.integers(len(features))), int(rng.integers(contexts.arms))]
    else:
        features[x, a, i] = _value(rng)
    return _with(instance, m, FiniteContexts(features, contexts.law))


def arms(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with a copy of one arm added in every context of an agent, or with one arm removed."""
    m, contexts = _agent(instance, rng)
    chosen = int(rng.integers(contexts.arms))
    if rng.random() < 0.5:
        features = np.concatenate([contexts.features, contexts.features[:, chosen : chosen + 1]], axis=1)
    elif contexts.arms > 1:
        features = np.delete(contexts.features, chosen, axis=1)
    else:
        return instance
    return _with(instance, m, FiniteContexts(features, contexts.law))


def parameter(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with one coordinate of the true parameter changed."""
    moved = LinearWorld.of(instance).parameter.copy()
    moved[int(rng.integers(len(moved)))] = _value(rng)
    return changed(instance, parameter=moved)


def law(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with some sixteenths of probability moved from one context of an agent to another."""
    m, contexts = _agent(instance, rng)
    if len(contexts.law) < 2:
        return instance
    source, target = (int(i) for i in rng.permutation(len(contexts.law))[:2])
    moved = contexts.law.copy()
    step = int(rng.integers(1, GRID)) / GRID
    if moved[source] < step:
        return instance
    moved[source], moved[target] = moved[source] - step, moved[target] + step
    return _with(instance, m, FiniteContexts(contexts.features, moved))


def rewards(instance: Federation, rng: np.random.Generator) -> Federation:
    return changed(instance, rewards=str(rng.choice(LAWS)))


def first_length(instance: Federation, rng: np.random.Generator) -> Federation:
    """Return the federation with another length of epoch 1: times 1/2, 1 or 3/2, then up to two steps more or less."""
    step, factor = int(rng.integers(-2, 3)), float(rng.choice([0.5, 1.0, 1.5]))
    first = tuple(max(1, round(length * factor) + step) for length in instance.plan.full[0])
    rows = (first, *instance.plan.full[1:])
    return changed(instance, plan=EpochPlan(rows, rows))


def _value(rng: np.random.Generator) -> float:
    return float(rng.choice([int(rng.integers(-GRID, GRID + 1)) / GRID, 0.0, 1.0, -1.0, 0.5]))


def _agent(instance: Federation, rng: np.random.Generator) -> tuple[int, FiniteContexts]:
    m = int(rng.integers(len(LinearWorld.of(instance).agents)))
    return m, cast(FiniteContexts, LinearWorld.of(instance).agents[m])


def _with(instance: Federation, m: int, contexts: FiniteContexts) -> Federation:
    old = LinearWorld.of(instance).agents[m]
    return changed(
        instance,
        agents=tuple(contexts if agent is old else agent for agent in LinearWorld.of(instance).agents),
    )
