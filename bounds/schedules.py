"""Compute epoch schedules: how long each epoch lasts, and where the horizon cuts the last one.

In the paper epoch l ends at step 2^l and epoch 1 begins at step 0. So the lengths are 2, 2, 4, 8, ... (not 1, 2, 4,
...).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bounds.arithmetic import Value
from bounds.errors import InputError
from bounds.symbols import symbol

MOST_EPOCHS = 100_000


def doubling_lengths() -> Iterator[int]:
    """Yield 2, 2, 4, 8, ..., the lengths of epochs that end at steps 2, 4, 8, ...."""
    yield 2
    for exponent in itertools.count(1):
        yield 2**exponent


def capped_lengths(cap: int) -> Iterator[int]:
    """Return the epoch lengths 2, 2, 4, 8, ..., which stop growing at `cap` (4096 in the paper's experiments)."""
    growing = itertools.takewhile(lambda length: length < cap, doubling_lengths())
    return itertools.chain(growing, itertools.repeat(cap))


def lengths_of_ends(ends: Sequence[int]) -> Iterator[int]:
    return (after - before for before, after in zip((0, *ends), ends, strict=False))


def calls(horizon: int) -> int:
    """Return the number of calls of the FL protocol up to a horizon, floor(log2 horizon), for epochs that end at
    steps 2, 4, 8, .... The model of the last call may not be used before the horizon."""
    return horizon.bit_length() - 1


def closed_calls() -> Value:
    import sympy

    return sympy.floor(sympy.log(symbol("T"), 2))


def samples_of_calls(agents: int, horizon: int) -> list[int]:
    """Return the number of samples from which each model up to the horizon is learned: agents times 2, 2, 4, 8, ...."""
    return [agents * length for length in itertools.islice(doubling_lengths(), calls(horizon))]


@dataclass(frozen=True)
class Segment:
    """One epoch of an epoch plan.

    full     its length for each agent
    played   its part before the horizon, for each agent
    uses     the earlier epoch (0-based) from whose data the model in use was learned; None for the zero function
    learns   whether a model is learned after this epoch
    """

    full: tuple[int, ...]
    played: tuple[int, ...]
    uses: int | None
    learns: bool


@dataclass(frozen=True)
class EpochPlan:
    """How long each agent plays in each epoch, and on which data each model is learned. It is fixed before the data
    (hypothesis H2).

    full         full[l][m] is the length of epoch l + 1 for agent m; learning and learning rates depend on it
    played       played[l][m] is its part before the horizon, over which regret is counted
    lag          how many epochs back the model in use was learned: 1 in the paper's basic form, 2 if odd and even
                 epochs are two separate runs
    cumulative   whether models are learned from the data of all epochs so far, not only of the last one
    floor        no model is learned after an epoch in which some agent plays at least one step but fewer than `floor`
    """

    full: tuple[tuple[int, ...], ...]
    played: tuple[tuple[int, ...], ...]
    lag: int = 1
    cumulative: bool = False
    floor: int = 1

    def of(self, agents: Sequence[int]) -> EpochPlan:
        """Return the plan restricted to the agents with these indices."""
        if len(agents) == self.agents:
            return self
        tables = (self.full, self.played)
        full, played = (tuple(tuple(row[m] for m in agents) for row in table) for table in tables)
        return replace(self, full=full, played=played)

    @property
    def absent(self) -> tuple[int, int] | None:
        return next(((e, row.index(0)) for e, row in enumerate(self.full) if 0 in row), None)

    @property
    def merged(self) -> EpochPlan:
        full, played = (tuple((sum(row),) for row in table) for table in (self.full, self.played))
        return replace(self, full=full, played=played)

    def taught(self, epoch: int) -> int:
        """Return the number of samples from which the model is learned after `epoch` (0-based)."""
        rows = self.full[: epoch + 1] if self.cumulative else (self.full[epoch],)
        return sum(map(sum, rows))

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        return tuple(
            Segment(full, played, self._teacher(epoch - self.lag), self.learns(epoch))
            for epoch, (full, played) in enumerate(zip(self.full, self.played, strict=True))
        )

    @property
    def runs(self) -> tuple[EpochPlan, ...]:
        starts = range(min(self.lag, len(self.full)))
        return tuple(EpochPlan(self.full[i :: self.lag], self.played[i :: self.lag]) for i in starts)

    @property
    def epochs(self) -> int:
        return len(self.full)

    @property
    def agents(self) -> int:
        return len(self.full[0])

    def _teacher(self, epoch: int) -> int | None:
        return next((e for e in range(epoch, -1, -1) if self._reaches(e)), None)

    def _reaches(self, epoch: int) -> bool:
        return min((length for length in self.full[epoch] if length), default=0) >= self.floor

    def learns(self, epoch: int) -> bool:
        """Return whether a model is learned after `epoch` (0-based). This requires that some agent plays in it, that
        each agent that does has at least `floor` steps and, for the last epoch, that the horizon does not cut it."""
        over = epoch + 1 < self.epochs or self.full[epoch] == self.played[epoch]
        return over and self._reaches(epoch)

    @property
    def calls(self) -> int:
        return sum(self.learns(epoch) for epoch in range(self.epochs))


def synchronous_plan(lengths: Iterator[int], horizon: int, agents: int) -> EpochPlan:
    """Return an epoch plan in which all agents have epochs of these lengths, the last one cut at `horizon`. Raise
    InputError if the lengths do not reach the horizon."""
    found, start = [], 0
    for length in lengths:
        found.append(length)
        start += length
        if start >= horizon:
            rows = {each: (each,) * agents for each in found}  # one for all epochs of a length
            full = tuple(rows[each] for each in found)
            return EpochPlan(full, (*full[:-1], (length - (start - horizon),) * agents))
        if len(found) >= MOST_EPOCHS:
            raise InputError("horizon", horizon, f"the schedule needs over {MOST_EPOCHS} epochs to reach it")
    raise InputError("horizon", horizon, f"must be at most {start}, where the schedule ends")


def doubling_plan(horizon: int, agents: int = 1) -> EpochPlan:
    return synchronous_plan(doubling_lengths(), horizon, agents)


def asynchronous_plan(lengths: Sequence[Sequence[int]], horizon: int) -> EpochPlan:
    """Return an epoch plan in which epoch l + 1 of agent m has lengths[m][l] steps, and regret counts for the first
    `horizon` steps of every agent. Later steps of an agent only supply data. Epochs that no agent reaches by then are
    dropped."""
    counts = {len(agent) for agent in lengths}
    if len(counts) != 1:
        raise InputError("agents.epochs", sorted(counts), "every agent needs the same number of epochs")
    played = []
    for agent in lengths:
        starts = [0, *itertools.accumulate(agent)]
        played.append(
            [max(0, min(length, horizon - start)) for start, length in zip(starts, agent, strict=False)]
        )
    by_epoch = [
        (tuple(f), tuple(p))
        for f, p in zip(zip(*lengths, strict=True), zip(*played, strict=True), strict=True)
    ]
    used = [row for row in by_epoch if any(row[1])]
    return EpochPlan(tuple(f for f, _ in used), tuple(p for _, p in used))


def spread_of_growth(now: Sequence[int], before: Sequence[int]) -> float:
    """Return how unequally the agents' epochs grow: the largest now[m]/before[m] of their epoch lengths divided by
    the smallest. It is 1 if all grow alike. Agents without a step in one of the two epochs are left out."""
    growth = [n / b for n, b in zip(now, before, strict=True) if n and b]
    return max(growth) / min(growth) if growth else 1.0


def epoch_ratio(plan: EpochPlan, epoch: int) -> float:
    """Return how unequally the agents' epochs grow into `epoch` (0-based, at least 1): the largest ratio of an agent's
    length (`epoch_weights`) to its full length in the epoch before, divided by the smallest such ratio."""
    return spread_of_growth(epoch_weights(plan, epoch), plan.full[epoch - 1])


def epoch_weights(plan: EpochPlan, epoch: int) -> tuple[int, ...]:
    """Return the length of `epoch` (0-based) for each agent, as the regret theorem counts it: the part before the
    horizon, or the full length if for some agent all steps of this epoch are after the horizon."""
    played, full = plan.played[epoch], plan.full[epoch]
    return played if [p > 0 for p in played] == [f > 0 for f in full] else full


def asynchrony(plan: EpochPlan) -> float:
    """Return c, which measures how unequally the agents' epochs grow: the largest over all epochs of `epoch_ratio`.
    It is 1 if they grow alike."""
    # from the lengths before the horizon and, as the induction of the proof needs, the full lengths of all epochs
    # but the last
    cut = [epoch_ratio(plan, epoch) for epoch in range(1, plan.epochs)]
    passed = [spread_of_growth(now, before) for before, now in itertools.pairwise(plan.full[:-1])]
    return max([*cut, *passed], default=1.0)


def uncut_asynchrony(plan: EpochPlan) -> float:
    """Return how unequally the agents' epochs grow, before the horizon cuts them: the largest over all epochs of the
    ratio of the largest to the smallest growth of an agent's epoch length."""
    return max((spread_of_growth(now, before) for before, now in itertools.pairwise(plan.full)), default=1.0)


def papers_ratio(plan: EpochPlan) -> float:
    """Return c as the paper defines it: the largest growth of an epoch over all agents AND epochs, divided by the
    smallest. It is 2 for epochs that end at steps 2, 4, 8, .... Lengths are those before the horizon cuts them,
    because cutting the last epoch could make it about as large as the horizon."""
    growth = [
        now / before
        for rows in itertools.pairwise(plan.full)
        for before, now in zip(*rows, strict=True)
        if now and before
    ]
    return max(growth) / min(growth) if growth else 1.0
