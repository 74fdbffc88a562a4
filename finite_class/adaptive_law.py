"""Compute the exact probability law of a tiny run of FedIGW whose learning rates come from the data.

Between epochs the server knows the cumulative losses, the functions that are not refuted, and the function and learning
rate in use in every context. This is the state of a Markov chain. An epoch adds the sum of its samples' losses, whose
law is a convolution. Learning rates are square roots, so probabilities are floats.
"""

from typing import Any

import numpy as np

from fedigw import rewards as reward_laws
from fedigw.federation import Federation
from fedigw.law import EpochLaw, ExactLaw, TooLarge
from finite_class.adaptive import Adapting
from finite_class.losses import choose_minimiser
from finite_class.world import FiniteWorld

MOST_STATES = 20_000
MOST_WORK = 3_000_000  # additions of a loss vector to another


def final_states(federation: Federation) -> tuple[list[EpochLaw], list[tuple[float, float, Adapting]]]:
    """Return the exact results of every epoch, and all possible ends of the run, as a list of (probability, regret,
    state). A state is what the server knows. Raise TooLarge if there are too many."""
    start = Adapting(federation, 1)
    states: list[tuple[float, float, Adapting]] = [(1.0, 0.0, start)]
    epochs = []
    for number, segment in enumerate(federation.plan.segments):
        following: dict[tuple[Any, ...], tuple[float, float, Adapting]] = {}
        expected, mean_rate = 0.0, 0.0
        for chance, lost, state in states:
            regret = _regret(federation, state, number)
            expected, mean_rate = expected + chance * regret, mean_rate + chance * float(state.rates.mean())
            state.played_epoch(number)
            if not segment.learns:
                _merge(following, chance, lost + regret, state)
                continue
            for losses, probability in _losses(federation, state, segment.full).items():
                _learned(
                    federation, following, chance * probability, lost + regret, state, losses, segment.full
                )
            if len(following) > MOST_STATES:
                raise TooLarge
        epochs.append(EpochLaw(segment.played, mean_rate, len(states), expected, None))
        states = list(following.values())
    return epochs, states


def exact_law(federation: Federation) -> ExactLaw:
    epochs, _ = final_states(federation)
    return ExactLaw(tuple(epochs), sum(epoch.regret for epoch in epochs), "float")


def _regret(federation: Federation, state: Adapting, epoch: int) -> float:
    truth = FiniteWorld.of(federation).truth
    return sum(
        steps * float((state.probabilities(own)[0] * state.gaps[group][truth]).sum())
        for group, (own, steps) in enumerate(zip(state.groups.arms, state.played[epoch], strict=True))
    )


def _losses(federation: Federation, state: Adapting, full: tuple[int, ...]) -> dict[tuple[int, ...], float]:
    """Return the probability of every possible vector of summed losses of one epoch (one entry per function, all agents
    together). state: the functions and learning rates in use. full: the number of samples of each agent."""
    world, tables = FiniteWorld.of(federation), FiniteWorld.of(federation).tables
    values, chances = reward_laws.points(np.array(world.functions[world.truth], dtype=object), world.rewards)
    d = world.table.denominator
    points = [[int(v * d) for v in row] for row in values.reshape(-1, values.shape[-1])]
    likely = chances.astype(float).reshape(-1, values.shape[-1])
    k = world.table.numerators
    total: dict[tuple[int, ...], float] = {(0,) * len(k): 1.0}
    work, left = 0, sum(full)
    for agent, steps in enumerate(full):
        cells = (state.probabilities(tables.arms[agent])[0] * tables.laws[agent][:, None]).ravel()
        one: dict[tuple[int, ...], float] = {}
        for cell in np.flatnonzero(cells):
            for point, p in zip(points[cell], likely[cell], strict=True):
                if p:
                    key = tuple(int(f[cell]) ** 2 - 2 * point * int(f[cell]) for f in k)
                    one[key] = one.get(key, 0.0) + float(cells[cell] * p)
        for _ in range(steps):
            if work + left * len(total) > MOST_WORK:  # sums never become fewer
                raise TooLarge
            work, left = work + len(total) * len(one), left - 1
            summed: dict[tuple[int, ...], float] = {}
            for before, p in total.items():
                for more, q in one.items():
                    key = tuple(a + b for a, b in zip(before, more, strict=True))
                    summed[key] = summed.get(key, 0.0) + p * q
            total = summed
    return total


def _learned(
    federation: Federation,
    following: dict[tuple[Any, ...], tuple[float, float, Adapting]],
    chance: float,
    lost: float,
    state: Adapting,
    losses: tuple[int, ...],
    full: tuple[int, ...],
) -> None:
    """Add to `following`, with their probabilities, the states of the server after an epoch with these summed losses.
    There are several if the protocol chooses at random among functions with equal loss. chance, lost: probability and
    regret of the run so far."""
    minimal = np.array([[loss == min(losses) for loss in losses]])
    ties: str = federation.protocol.ties  # type: ignore[attr-defined]
    if ties == "uniform":
        chosen = [int(f) for f in np.flatnonzero(minimal[0])]
    else:
        chosen = [int(choose_minimiser(minimal, FiniteWorld.of(federation).truth, ties)[0])]
    for function in chosen:
        new = state.copied()
        new.learn(np.array([function]), np.array([losses], dtype=object), sum(full))
        _merge(following, chance / len(chosen), lost, new)


def _merge(
    following: dict[tuple[Any, ...], tuple[float, float, Adapting]],
    chance: float,
    lost: float,
    state: Adapting,
) -> None:
    key = (
        tuple(state.space.cumulative[0] - state.space.cumulative[0][0]),
        tuple(state.space.alive[0]),
        tuple(state.models[0]),
        tuple(state.rates[0]),
        tuple(np.round(state.if_true[0], 12)),
        round(float(state.pathwise[0]), 12),
    )
    before = following.get(key)
    following[key] = (chance + (before[0] if before else 0.0), lost, state)
