"""Compute the exact probability law of FedIGW with a finite class: the function in use is a Markov chain.

Its states are the functions of the class and the initial zero function. Given the function in use, an epoch's samples
are independent, and the next function depends on them only through the sums of losses. So the expected regret, the
excess risks and the two suprema of lem:true_virtual_loss are finite sums: exact rationals for tiny instances, floats
for long epochs.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.schedules import Segment
from fedigw import rewards as reward_laws
from fedigw.adapting import adapts, check
from fedigw.federation import Federation
from fedigw.law import EpochLaw, ExactLaw, Number, TooLarge, in_rationals_or_floats, walk
from finite_class.loss_law import Law, Samples, float_law, rational_law, refuse_hopeless
from finite_class.tables import Rows, Tables, merged, tables
from finite_class.world import FiniteWorld

MOST_ENTRIES = 300_000  # functions x cells x epochs: each is visited for every function that may be in use


def exact_law(federation: Federation, rational: bool = True, suprema: bool = False) -> ExactLaw:
    """Return the exact probability law of a run of FedIGW, in rationals if they stay small, else in floats. Raise
    InputError if it is too large for both. rational=False: use floats at once. suprema: whether to compute, for every
    epoch, the expected suprema over policies of R - 2 R' and of R' - 2 R, where R is a policy's true regret and R' its
    regret if the function in use were true."""
    longest = max(sum(row) for row in federation.plan.full)
    functions = FiniteWorld.of(federation).functions
    entries = len(functions) * len(functions[0]) * len(functions[0][0]) * federation.plan.epochs
    if entries > MOST_ENTRIES:
        raise InputError(
            "functions",
            f"{len(functions)} functions",
            f"{entries:.1e} entries, above {MOST_ENTRIES:.0e}: too large for the exact law; use simulate",
        )
    size = f"|F| = {len(functions)}, longest epoch {longest}"
    if adapts(federation):  # rates are square roots of what was seen, so floats at once
        from finite_class import adaptive_law

        check(federation)
        return in_rationals_or_floats(
            federation, lambda exact: adaptive_law.exact_law(federation), False, size
        )
    return in_rationals_or_floats(federation, lambda exact: _law(federation, exact, suprema), rational, size)


def _law(federation: Federation, exact: bool, suprema: bool) -> ExactLaw:
    plan = federation.plan
    arrays, (full_rows, played_rows) = merged(tables(federation.world, exact), plan.full, plan.played)
    rates = [rate if exact else float(rate) for rate in federation.learning_rates()]

    def kernels_in(epoch: int, segment: Segment) -> list[np.ndarray]:
        policy = federation.policy_in(segment)
        return [arrays.probabilities(policy, own, rates[epoch]) for own in arrays.arms]

    _refuse_hopeless(federation, arrays, kernels_in, full_rows, exact)

    def move(epoch: int, segment: Segment, law: dict[int, Number]) -> tuple[EpochLaw, dict[int, Number]]:
        full, rate = full_rows[epoch], rates[epoch]
        kernels = kernels_in(epoch, segment)
        following: dict[int, Number] = {}
        risk = None
        if segment.learns:
            risk = 0 * rate
            for state, probability in law.items():
                errors = _squared_errors(arrays, kernels, state, full)
                for learned, chance in _learn(federation, arrays, kernels, state, full, exact).items():
                    following[learned] = following.get(learned, 0) + probability * chance
                    risk += probability * chance * errors[learned]
            risk /= sum(full)
        found = EpochLaw(
            lengths=segment.played,
            learning_rate=rate,
            models=len(law),
            law=dict(sorted(law.items())),
            regret=_regret(arrays, kernels, law, played_rows[epoch]),
            excess_risk=risk,
            a=_supremum(arrays, law, full, 1, -2) if suprema else None,
            b=_supremum(arrays, law, full, -2, 1) if suprema else None,
        )
        return found, following if segment.learns else law

    start: dict[int, Number] = {arrays.initial: Fraction(1) if exact else 1.0}
    return walk(federation, start, move, exact)


def _refuse_hopeless(
    federation: Federation,
    arrays: Tables,
    kernels_in: Callable[[int, Segment], list[np.ndarray]],
    full_rows: Rows,
    exact: bool,
) -> None:
    learning = [(sum(full_rows[e]), e, s) for e, s in enumerate(federation.plan.segments) if s.learns and e]
    if not learning:
        return
    _, epoch, segment = max(learning, key=lambda row: row[0])
    kernels = kernels_in(epoch, segment)
    for state in range(arrays.initial):
        try:
            refuse_hopeless(_samples(federation, arrays, kernels, state, full_rows[epoch])[0], exact)
        except TooLarge:
            continue
        return
    raise TooLarge


def _regret(
    arrays: Tables, kernels: list[np.ndarray], law: Mapping[int, Number], played: tuple[int, ...]
) -> Number:
    total: Number = 0
    for agent, steps in enumerate(played):
        rate = arrays.regret_rate(agent, kernels[agent])
        total += steps * sum(probability * rate[state] for state, probability in law.items())
    return total


def _squared_errors(
    arrays: Tables, kernels: list[np.ndarray], state: int, full: tuple[int, ...]
) -> np.ndarray:
    squared = (arrays.scores[:-1] - arrays.truth) ** 2
    total = 0
    for agent, steps in enumerate(full):
        weight = kernels[agent][state] * arrays.laws[agent][:, None]
        total = total + steps * (squared * weight).sum(axis=(1, 2))
    return np.asarray(total)


def _supremum(
    arrays: Tables, law: Mapping[int, Number], full: tuple[int, ...], true_weight: int, virtual_weight: int
) -> Number:
    total: Number = 0
    for agent, steps in enumerate(full):
        own = list(arrays.arms[agent])
        mixed = true_weight * arrays.regret[agent] + virtual_weight * arrays.virtual_regret(agent)
        per_context = np.max(mixed[..., own], axis=-1)  # (S, X)
        per_state = (per_context * arrays.laws[agent]).sum(axis=1)
        total += steps * sum(probability * per_state[state] for state, probability in law.items())
    return total


def _learn(
    federation: Federation,
    arrays: Tables,
    kernels: list[np.ndarray],
    state: int,
    full: tuple[int, ...],
    exact: bool,
) -> dict[int, Number]:
    groups, members = _samples(federation, arrays, kernels, state, full)
    law = rational_law(groups) if exact else float_law(groups)
    ties: str = federation.protocol.ties  # type: ignore[attr-defined]
    return _break_ties(law, members, FiniteWorld.of(federation).truth, ties)


def _samples(
    federation: Federation,
    arrays: Tables,
    kernels: list[np.ndarray],
    state: int,
    full: tuple[int, ...],
) -> tuple[list[Samples], list[list[int]]]:
    """Return (groups, members). groups: for each group of agents with the same distributions, the law of one sample's
    vector of loss differences (loss of a function minus that of the true one). Functions that no possible sample
    distinguishes share an entry of this vector. members: the functions that equal the true one on all samples, then
    those of each entry. kernels: arm probabilities. state: the function in use."""
    world, table = FiniteWorld.of(federation), FiniteWorld.of(federation).table
    values, chances = reward_laws.points(np.array(world.functions[world.truth], dtype=object), world.rewards)
    numerators = np.array([int(v * table.denominator) for v in values.ravel()], dtype=object).reshape(
        -1, values.shape[-1]
    )
    # (C, J, F): D^2 times the loss of each function at each cell and reward point, minus that of f*
    k = table.numerators
    loss = (k**2).T[:, None, :] - 2 * numerators[:, :, None] * k.T[:, None, :]
    loss = loss - loss[:, :, world.truth][:, :, None]
    exact = arrays.scores.dtype == object
    chance = (chances if exact else chances.astype(float)).reshape(numerators.shape)
    laws: dict[tuple[Any, ...], int] = {}
    for agent, steps in enumerate(full):
        cell = (kernels[agent][state] * arrays.laws[agent][:, None]).ravel()
        law = tuple((cell[:, None] * chance).ravel())
        laws[law] = laws.get(law, 0) + steps
    flat = loss.reshape(-1, loss.shape[-1])
    possible = np.array([any(law[i] != 0 for law in laws) for i in range(flat.shape[0])])
    columns: dict[tuple[int, ...], list[int]] = {(0,) * int(possible.sum()): []}
    for f in range(flat.shape[1]):
        columns.setdefault(tuple(int(v) for v in flat[possible, f]), []).append(f)
    members = list(columns.values())  # entry 0 is the zero column: f* and what equals it
    increments = np.array(list(columns)[1:], dtype=object).T.reshape(int(possible.sum()), -1)
    groups = [
        Samples(increments, [p for p, keep in zip(law, possible, strict=True) if keep], steps)
        for law, steps in laws.items()
    ]
    return groups, members


def _break_ties(law: Law, members: list[list[int]], truth: int, ties: str) -> dict[int, Number]:
    result: dict[int, Number] = {}
    for least, probability in law.items():
        if not probability:
            continue
        candidates = sorted(f for entry in least for f in members[entry])
        if ties == "uniform":
            for f in candidates:
                result[f] = result.get(f, 0) + probability / len(candidates)
            continue
        wrong = [f for f in candidates if f != truth]
        chosen = wrong[0] if ties == "adversarial" and wrong else candidates[0]
        result[chosen] = result.get(chosen, 0) + probability
    return result
