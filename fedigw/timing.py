"""Compute epoch lengths from global time: how many steps each agent makes, by its clock, between two epoch ends."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Timing:
    """The clocks of all agents, and the increasing global times at which epochs end, up to the horizon or later."""

    horizon: int
    ends: tuple[int, ...]
    clocks: tuple[Clock, ...]

    def plan(self) -> EpochPlan:
        """Return the epoch lengths of all agents: how many steps each makes, by its clock, between two epoch ends.
        Those after the horizon are not counted for regret. Epochs without any step are left out."""
        full, played = [], []
        for agent, clock in enumerate(self.clocks):
            try:
                # the last end first: a clock that cannot reach it raises an error before it draws anything
                counts = [clock.count(end) for end in (*reversed(self.ends), 0)][::-1]
                cut = clock.count(self.horizon)
            except InputError as error:
                raise InputError(f"agents[{agent}].clock.{error.field}", error.value, error.allowed) from None
            if cut == 0:
                said = f"never ticks before the horizon {self.horizon}"
                raise InputError(f"agents[{agent}].clock", _with_fields(clock), said)
            self._refuse(agent, counts)
            full.append([after - before for before, after in pairwise(counts)])
            played.append([min(after, cut) - min(before, cut) for before, after in pairwise(counts)])
        acting = [e for e, row in enumerate(zip(*full, strict=True)) if any(row)]
        rows = [tuple(tuple(own[e] for own in table) for e in acting) for table in (full, played)]
        return EpochPlan(rows[0], rows[1])

    def _refuse(self, agent: int, counts: Sequence[int]) -> None:
        epochs = zip(pairwise((0, *self.ends)), pairwise(counts), strict=True)
        for number, ((start, end), (before, after)) in enumerate(epochs, start=1):
            where = f"epoch {number}, global times {start + 1} to {end}"
            if after < before or counts[0] != 0:
                said = f"goes back in {where}"
            elif after - before > end - start:
                said = f"ticks twice at once in {where}"
            else:
                continue
            raise InputError(f"agents[{agent}].clock", self.clocks[agent].name, said)


def _with_fields(clock: Clock) -> str:
    """Return a clock's name and its fields that are not the default, such as "late, join = 17"."""
    defaults: dict[str, object] = {}
    if is_dataclass(clock):
        defaults = {f.name: f.default for f in fields(clock)}
    changed = [f"{key} = {vars(clock)[key]}" for key, usual in defaults.items() if vars(clock)[key] != usual]
    return ", ".join([clock.name, *changed])


def ends_until(lengths: Sequence[int], horizon: int) -> tuple[int, ...]:
    """Return the global times at which epochs of these lengths end, up to the first that is not before the horizon."""
    ends, end = [], 0
    for length in lengths:
        end += length
        ends.append(end)
        if end >= horizon:
            break
    return tuple(ends)
