"""Clocks: the times of each against a list made by hand, and bad ones, by agent and epoch."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw import parts
from fedigw.clocks import poisson
from fedigw.clocks.bursts import Bursts
from fedigw.clocks.late import Late
from fedigw.clocks.leaving import Leaving
from fedigw.clocks.listed import Listed
from fedigw.clocks.periodic import Periodic
from fedigw.clocks.poisson import Poisson
from fedigw.conformance import check_clock
from fedigw.interfaces import Clock
from fedigw.timing import Timing, ends_until


def times(clock: Any, until: int) -> list[int]:
    counts = [clock.count(t) for t in range(until + 1)]
    return [t for t, (before, after) in enumerate(pairwise(counts), start=1) if after > before]


@pytest.mark.parametrize(
    ("clock", "acts"),
    [
        (Periodic(), list(range(1, 13))),
        (Periodic(3, 2), [2, 5, 8, 11]),
        (Listed((1, 4, 5, 20)), [1, 4, 5]),
        (Bursts(3, 2), [1, 2, 3, 6, 7, 8, 11, 12]),
        (Bursts(2, 3, first=4), [4, 5, 9, 10]),
        (Bursts(1, 0), list(range(1, 13))),
        (Late(5), [5, 6, 7, 8, 9, 10, 11, 12]),
        (Late(5, period=3), [5, 8, 11]),
        (Leaving(4), [1, 2, 3, 4]),
        (Leaving(8, period=3), [1, 4, 7]),
    ],
)
def test_a_clock_acts_at_its_times(clock, acts):
    assert times(clock, 12) == acts
    assert check_clock(clock) == []


def test_poisson_times_are_drawn_beforehand_from_their_own_seed():
    """The times do not depend on how far anybody has asked, nor on what was asked before."""
    poisson._times.cache_clear()
    short = times(Poisson(0.7, 3), 100)
    poisson._times.cache_clear()
    assert Poisson(0.7, 3).count(10**6) > 0
    assert times(Poisson(0.7, 3), 100) == short
    assert times(Poisson(0.7, 4), 100) != short
    assert check_clock(Poisson(0.7, 3)) == []
    assert check_clock(Poisson(40.0, 3)) == []
    assert times(Poisson(40.0, 3), 50) == list(range(1, 51))  # something arrives in every unit


def test_poisson_steps_have_their_law():
    """Gaps are geometric with chance 1 - exp(-rate): the count at 10^6 within 5 standard deviations for ten seeds, and
    units follow each other independently (two in a row with the chance squared)."""
    chance, until = -math.expm1(-0.7), 10**6
    for seed in range(10):
        spread = math.sqrt(until * chance * (1 - chance))
        assert abs(Poisson(0.7, seed).count(until) - until * chance) < 5 * spread
    gaps = np.diff(times(Poisson(0.7, 1), 40_000))
    pairs = float((gaps == 1).mean())
    assert abs(pairs - chance) < 5 * math.sqrt(chance * (1 - chance) / gaps.size)


def test_a_refused_clock_has_drawn_nothing_and_names_its_own_horizon(monkeypatch):
    """With doubling epochs it drew millions of times for the earlier epochs, and named the figure of one of those."""
    monkeypatch.setattr(poisson.np.random, "default_rng", None)
    for horizon, draws, size in ((10**8, "8.48e\\+07", "0.6 GB"), (10**15, "7.12e\\+14", "5302611.6 GB")):
        ends = ends_until([2**k for k in range(60)], horizon)
        until = 1 << (ends[-1] - 1).bit_length()
        words = (
            f"poisson = 1.0: draws {draws} times up to global time {until}, {size}; at most 5e\\+07 are held"
        )
        with pytest.raises(InputError, match=words):
            Timing(horizon, ends, (Poisson(1.0, 3),)).plan()


def test_fields_alone_name_a_clock():
    for fields, meant in (
        ({"poisson": 0.7, "seed": 3}, Poisson(0.7, 3)),
        ({"burst": 3, "pause": 2}, Bursts(3, 2)),
        ({"join": 5, "period": 2}, Late(5, 2)),
        ({"leave": 5, "period": 2}, Leaving(5, 2)),
        ({"period": 2}, Periodic(2)),
        ({"offset": 2}, Periodic(1, 2)),
    ):
        assert parts.clock("clock", fields) == meant


@dataclass(frozen=True)
class Wrong(Clock):
    """Counts as listed at times 0, 4 and 8."""

    counts: tuple[int, int, int]
    name: ClassVar[str] = "wrong"

    def count(self, time: int) -> int:
        return dict(zip((0, 4, 8), self.counts, strict=True))[time]


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((0, 3, 1), "goes back in epoch 2, global times 5 to 8"),
        ((1, 2, 3), "goes back in epoch 1"),
        ((0, 5, 6), "ticks twice at once in epoch 1, global times 1 to 4"),
        ((0, 0, 0), "never ticks before the horizon 8"),
    ],
)
def test_a_clock_that_is_none_is_named_with_agent_and_epoch(counts, says):
    timing = Timing(8, (4, 8), (Periodic(), Wrong(counts)))
    with pytest.raises(InputError, match=rf"agents\[1\].clock = wrong.*: {says}"):
        timing.plan()


def test_a_late_joiner_and_a_straggler_play_where_every_epoch_has_a_step_of_theirs():
    timing = Timing(60, (20, 40, 80), (Periodic(), Late(15), Leaving(50, period=2)))
    plan = timing.plan()
    assert plan.full == ((20, 6, 10), (20, 20, 10), (40, 40, 5))
    assert plan.played == ((20, 6, 10), (20, 20, 10), (20, 20, 5))
    assert replace(timing, horizon=80).plan().played == plan.full
