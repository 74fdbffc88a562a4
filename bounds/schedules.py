"""Epoch schedules: how long each epoch lasts, and where the horizon cuts the last one.

The paper's tau^l = 2^l with tau^0 = 0 has lengths 2, 2, 4, 8, ... (not 1, 2, 4, ...).
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
    """Return 2, 2, 4, 8, ...: the lengths of tau^l = 2^l."""
    yield 2
    for exponent in itertools.count(1):
        yield 2**exponent


def capped_lengths(cap: int) -> Iterator[int]:
    """Doubling lengths that stop growing at `cap` (4096 in the paper's experiments)."""
    growing = itertools.takewhile(lambda length: length < cap, doubling_lengths())
    return itertools.chain(growing, itertools.repeat(cap))


def lengths_of_ends(ends: Sequence[int]) -> Iterator[int]:
    """Lengths of an explicit list of epoch ends tau^1 < tau^2 < ..."""
    return (after - before for before, after in zip((0, *ends), ends, strict=False))


def calls(horizon: int) -> int:
    """Return FL calls executed by T under tau^l = 2^l: floor(log2 T). (The last one may come too late to be used.)"""
    return horizon.bit_length() - 1


def closed_calls() -> Value:
    """Return floor(log2 T), as sympy."""
    import sympy

    return sympy.floor(sympy.log(symbol("T"), 2))


def samples_of_calls(agents: int, horizon: int) -> list[int]:
    """Return n_l = M E^l of every executed call."""
    return [agents * length for length in itertools.islice(doubling_lengths(), calls(horizon))]


@dataclass(frozen=True)
class Segment:
    """One epoch of a plan: its lengths, the earlier epoch whose data taught the model in use (0-based; None: the zero
    function), and whether the FL routine is called on its own data."""

    full: tuple[int, ...]
    played: tuple[int, ...]
    uses: int | None
    learns: bool


@dataclass(frozen=True)
class EpochPlan:
    """Who plays how long in which epoch, and with what. Fixed before the data (H2).

    full[l][m] is E^{l+1}_m, the epoch's own length: learning and learning rates depend on it alone.
    played[l][m] <= full[l][m] is what lies before the horizon: regret is counted over it.
    lag: epoch l uses what epoch l - lag taught; 1 in the paper's basic form, 2 when two runs are interleaved.
    cumulative: an epoch teaches from its own data and those of all before it, where the paper takes its own alone.
    floor: epochs in which an agent has fewer steps teach nothing: no FL call, and what was in use stays in use.
    """

    full: tuple[tuple[int, ...], ...]
    played: tuple[tuple[int, ...], ...]
    lag: int = 1
    cumulative: bool = False
    floor: int = 1

    def of(self, agents: Sequence[int]) -> EpochPlan:
        """Return the plan of these agents alone."""
        if len(agents) == self.agents:
            return self
        tables = (self.full, self.played)
        full, played = (tuple(tuple(row[m] for m in agents) for row in table) for table in tables)
        return replace(self, full=full, played=played)

    def taught(self, epoch: int) -> int:
        """Return how many samples the FL call after `epoch` (0-based) learns from."""
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
        """The plans of the runs that are interleaved, each of which uses what its own epoch before has taught."""
        starts = range(min(self.lag, len(self.full)))
        return tuple(EpochPlan(self.full[i :: self.lag], self.played[i :: self.lag]) for i in starts)

    @property
    def epochs(self) -> int:
        return len(self.full)

    @property
    def agents(self) -> int:
        return len(self.full[0])

    def _teacher(self, epoch: int) -> int | None:
        """Return the latest epoch, `epoch` or earlier, that reaches the floor; None if there is none."""
        return next((e for e in range(epoch, -1, -1) if min(self.full[e]) >= self.floor), None)

    def learns(self, epoch: int) -> bool:
        """Return whether the FL routine is called on the data of `epoch` (0-based): it is over, or another follows."""
        over = epoch + 1 < self.epochs or self.full[epoch] == self.played[epoch]
        return over and min(self.full[epoch]) >= self.floor

    @property
    def calls(self) -> int:
        """Return FL calls executed within the horizon."""
        return sum(self.learns(epoch) for epoch in range(self.epochs))


def synchronous_plan(lengths: Iterator[int], horizon: int, agents: int) -> EpochPlan:
    """All agents share the epochs `lengths`, cut at `horizon`."""
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
    """lengths[m][l] is agent m's own epoch length; `horizon` cuts each agent's own step count.

    Epochs that no agent reaches before its horizon are dropped. A faster agent that has used up its
    horizon still supplies its full epochs of data while others play: only its regret is no longer counted.
    """
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
    """Return max_m(now_m/before_m) / min_m(same): 1 when all agents' epochs grow alike."""
    growth = [n / b for n, b in zip(now, before, strict=True)]
    return max(growth) / min(growth)


def epoch_ratio(plan: EpochPlan, epoch: int) -> float:
    """c_l of the 0-based `epoch` >= 1, with the weights that the horizon leaves it."""
    return spread_of_growth(epoch_weights(plan, epoch), plan.full[epoch - 1])


def epoch_weights(plan: EpochPlan, epoch: int) -> tuple[int, ...]:
    """The weights that the theorem may put on `epoch`: its played lengths if all are positive, else its full ones."""
    return plan.played[epoch] if all(plan.played[epoch]) else plan.full[epoch]


def asynchrony(plan: EpochPlan) -> float:
    """c = max_l c_l. An epoch that others follow counts with its full lengths too: the induction passes through it."""
    cut = [epoch_ratio(plan, epoch) for epoch in range(1, plan.epochs)]
    passed = [spread_of_growth(now, before) for before, now in itertools.pairwise(plan.full[:-1])]
    return max([*cut, *passed], default=1.0)


def uncut_asynchrony(plan: EpochPlan) -> float:
    """Return max_l c_l of the epochs at their full lengths: known before the horizon is."""
    return max((spread_of_growth(now, before) for before, now in itertools.pairwise(plan.full)), default=1.0)


def papers_ratio(plan: EpochPlan) -> float:
    """The paper's c: max over agents AND epochs of E^l_m/E^{l-1}_m over the min. 2 for tau^l = 2^l (from epoch 3 on).

    Taken over complete epochs: with the cut last epoch it would be about T (erratum E10).
    """
    growth = [
        now / before for rows in itertools.pairwise(plan.full) for before, now in zip(*rows, strict=True)
    ]
    return max(growth) / min(growth) if growth else 1.0
