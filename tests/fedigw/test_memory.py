"""A simulation that the machine cannot hold is refused before it begins, with the estimate and the way out."""

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw import memory
from fedigw.record import Described
from fedigw.replications import simulate
from finite_class.environments import heterogeneous, random_table
from linear.environments import different_laws
from verify.instances import parse

RNG = np.random.default_rng


def test_more_replications_than_fit_are_refused_with_the_estimate(monkeypatch) -> None:
    federation = random_table.make(RNG(0), horizon=1024)
    monkeypatch.setattr(memory, "available", lambda: 2**20)
    with pytest.raises(
        InputError, match=r"--replications = 100000: need 0.0 GB .* are available; stream them"
    ):
        simulate(federation, 100_000, 0)
    assert simulate(federation, 2, 0).replications == 2


def test_the_estimate_grows_with_what_is_recorded() -> None:
    finite, linear = random_table.make(RNG(0), horizon=1024), different_laws.make(RNG(0), horizon=1024)
    assert memory.needed(finite, 10) == 10 * finite.plan.epochs * 16
    assert memory.needed(linear, 10) == 10 * linear.plan.epochs * (16 + 5 * 32)


def test_a_machine_that_does_not_say_refuses_nothing(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "nowhere")
    assert memory.available() is None
    memory.refuse(random_table.make(RNG(0), horizon=16), 10**9)
    (tmp_path / "nowhere").write_text("MemTotal: 5 kB\nMemAvailable:    3 kB\n")
    assert memory.available() == 3 * 1024


def test_a_world_that_does_not_fit_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 2**20)
    table = {"kind": "finite_class", "environment": {"name": "random_table", "agents": 10**6}}
    with pytest.raises(InputError, match=r"environment.agents = 1000000: makes a world of .* GB, and 0.0 GB"):
        parse(table)


def test_a_record_is_described_when_it_is_read() -> None:
    made = []
    lazy = Described(lambda: made.append(1) or {"kind": "x"})
    assert not made
    assert dict(lazy) == {"kind": "x"}
    assert lazy == {"kind": "x"}
    assert len(made) == 1


@pytest.mark.parametrize("module", [random_table, heterogeneous])
def test_agents_alike_are_counted_once_and_lose_what_each_would_alone(module) -> None:
    """The regret of a group against every agent on its own, and visits that add up to the steps."""
    federation = module.make(RNG(0), functions=4, contexts=3, arms=4, agents=40, horizon=100)
    record, world = simulate(federation, 5, 0), federation.world
    assert len(world._alike.index) == 40
    assert len(world._alike.first) == (1 if module is random_table else len(set(world.agents)))
    uniform = np.full(world.tables.truth.shape, 0.0)
    for agent, own in enumerate(world.tables.arms):
        probabilities = uniform.copy()
        probabilities[:, list(own)] = 1 / len(own)
        alone = world.tables.regret_rate(agent, probabilities[None])[0]
        laws = world.tables.laws[[agent]]
        assert world.tables.regret_rates(own, laws, probabilities[None])[0, 0] == alone
    assert sum(record.per_agent) == pytest.approx(record.total_regret.mean())
