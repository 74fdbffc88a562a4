"""What rivals refuse beforehand, what they say, and that their ledgers hold where agents hardly ever act together."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw import effort
from fedigw.clocks.periodic import Periodic
from fedigw.competing import compete, sizes_of, times_of
from fedigw.parts import systems
from fedigw.rivals.fedlinucb import FedLinUCB
from fedigw.timing import Timing
from linear.contexts.finite import FiniteContexts
from linear.environments import finite_contexts
from linear.federations import linear_federation

RNG = np.random.default_rng
FIXED = finite_contexts.make(RNG(1), dimension=3, contexts=1, arms=4, agents=3, horizon=300)


def staggered(agents: int = 20) -> Any:
    """Every agent acts once, no two at the same time."""
    timing = Timing(agents, (agents,), tuple(Periodic(period=agents, offset=m + 1) for m in range(agents)))
    contexts = tuple(FiniteContexts(np.array([[[1.0], [0.5]]]), np.ones(1)) for _ in range(agents))
    return replace(linear_federation(contexts, np.ones(1), timing.plan()), timing=timing)


@pytest.mark.parametrize("name", ["async_linucb", "async_linucb_am", "fedlinucb"])
def test_what_is_sent_to_agents_that_do_not_act_is_counted(name: str) -> None:
    system = systems()[name]()
    found = compete(system, staggered(), 2, 0)
    sent = found.record.total_traffic("numbers_up") + found.record.total_traffic("numbers_down")
    assert sent.max() <= system.numbers_at_most(found.sizes)
    if name != "fedlinucb":  # with T_m = 1 in the place of the times, as it once was, the same bound is false
        assert sent.max() > system.numbers_at_most(replace(found.sizes, times=1))


def test_a_long_run_with_clocks_is_refused_before_its_times_are_listed() -> None:
    timing = Timing(10**9, (10**9,), (Periodic(), Periodic(period=2), Periodic()))
    world = replace(FIXED, plan=timing.plan(), timing=timing)
    asked: list[int] = []

    class Counting(Periodic):
        def count(self, time: int) -> int:
            asked.append(time)
            return super().count(time)

    slow = replace(timing, clocks=(Counting(period=2), *timing.clocks[1:]))
    with effort.limited(), pytest.raises(InputError, match="would take about"):
        compete(FedLinUCB(), replace(world, timing=slow), 1, 0)
    assert not asked
    assert sizes_of(FedLinUCB(), world).moments == 10**9


def test_who_acts_when_is_what_the_clocks_say() -> None:
    timing = Timing(6, (6,), (Periodic(), Periodic(period=2, offset=2), Periodic(period=3)))
    found = times_of(replace(FIXED, plan=timing.plan(), timing=timing))[1]
    assert found is not None
    assert found.T.astype(int).tolist() == [[1] * 6, [0, 1] * 3, [1, 0, 0] * 2]
