"""own:asynchronous: its configurations are what they say, slow time is the run of half the horizon, controls bite."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.schedules import asynchrony, synchronous_plan
from fedigw.applicable import applicable
from fedigw.clocks.periodic import Periodic
from fedigw.replications import simulate
from fedigw.timing import Timing
from verify.claim import Task
from verify.papers.fedigw.claims.own_asynchronous import configurations as made
from verify.papers.fedigw.claims.own_asynchronous import runs
from verify.statistics.level import SHARE
from verify.verdict import Verdict


def test_configurations_are_asynchronous_and_heterogeneous() -> None:
    found = made.configurations(np.random.default_rng(0), full=False)
    assert len(found) == 6
    assert {name.split(", ")[1] for name in found} == set(made.MIXES)
    for one in found.values():
        plan = one.plan
        assert asynchrony(plan) > 1
        assert len(set(one.arms)) > 1
        assert min(map(min, plan.full)) >= 1
        assert plan.played[-1] != plan.full[-1] or one.timing.horizon == one.timing.ends[-1]


@pytest.mark.parametrize("world", [made.finite, made.linear])
@pytest.mark.parametrize("horizon", [64, 1000, 4098])
def test_every_second_step_is_the_run_of_half_the_horizon(world, horizon) -> None:
    """Bit for bit, with the regret of every agent and every bound."""
    ends = [e for e in (2 << l for l in range(13)) if e < 2 * horizon]
    timing = Timing(horizon, tuple(ends), (Periodic(2),) * 3)
    federation = world(np.random.default_rng(1), 3, 3)
    slow = replace(federation, plan=timing.plan(), timing=timing)
    halved = [end // 2 for end in ends]
    lengths = (after - before for before, after in zip((0, *halved), halved, strict=False))
    usual = federation.with_plan(synchronous_plan(lengths, horizon // 2, 3))
    assert slow.plan == usual.plan
    one, other = simulate(slow, 4, 11), simulate(usual, 4, 11)
    assert one.regret.tobytes() == other.regret.tobytes()
    assert one.per_agent == other.per_agent
    assert one.learning_rates == other.learning_rates
    assert applicable(slow) == applicable(usual)


def test_the_regret_of_agents_adds_up() -> None:
    one = next(iter(made.configurations(np.random.default_rng(0), full=False).values()))
    record = simulate(one, 3, 0)
    assert sum(record.per_agent) == pytest.approx(record.total_regret.mean())
    assert len(record.per_agent) == len(one.arms)


@pytest.mark.long
def test_fifty_configurations() -> None:
    found = runs.regret(Task("full", np.random.SeedSequence(0), SHARE))
    assert found.kind is Verdict.SUPPORTED
    assert found.figures["configurations"] >= 50
    assert found.figures["informative_configurations"] >= 50
    assert found.figures["rates_fall"] >= 1
