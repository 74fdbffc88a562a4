"""Global time: epoch ends tau^l are global times, and every agent's clock says which of its steps fall where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Timing:
    """horizon: global T, so that agent m has T_m = t_m(T) steps. ends: tau^1 < tau^2 < ..., the last at least T."""

    horizon: int
    ends: tuple[int, ...]
    clocks: tuple[Clock, ...]

    def plan(self) -> EpochPlan:
        """E^l_m = t_m(tau^l) - t_m(tau^{l-1}); the horizon cuts the last epoch. H2 asks for at least one step each."""
        full, played = [], []
        for number, (start, end) in enumerate(pairwise((0, *self.ends)), start=1):
            before = [clock.count(start) for clock in self.clocks]
            full.append(tuple(c.count(end) - b for c, b in zip(self.clocks, before, strict=True)))
            cut = min(end, self.horizon)
            played.append(tuple(c.count(cut) - b for c, b in zip(self.clocks, before, strict=True)))
            if 0 in full[-1]:
                agent = full[-1].index(0)
                raise InputError(
                    f"agents[{agent}].clock",
                    self.clocks[agent].name,
                    f"has no step in epoch {number}, global times {start + 1} to {end}",
                )
        return EpochPlan(tuple(full), tuple(played))


def ends_until(lengths: Sequence[int], horizon: int) -> tuple[int, ...]:
    """The epoch ends of the schedule, up to the first that is not before the horizon."""
    ends, end = [], 0
    for length in lengths:
        end += length
        ends.append(end)
        if end >= horizon:
            break
    return tuple(ends)
