"""Protocols without a server: as good as the server's, agents with models of their own, and the price of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import answered

from bounds.own_ridge_excess_risk import mean
from fedigw.applicable import declared_cost
from fedigw.channel import Channel, Link
from fedigw.interfaces import PerAgent
from fedigw.replications import simulate
from fedigw.running import Messages, run
from fedigw_extensions.compression.encoders.quantise import Quantise
from fedigw_extensions.gossip.linear_protocols.decentralised_gradients import DecentralisedGradients
from fedigw_extensions.gossip.linear_protocols.gossip_statistics import GossipStatistics
from fedigw_extensions.gossip.linear_protocols.gradient_tracking import GradientTracking
from linear.environments import finite_contexts
from linear.protocols.direct import Direct
from linear.ridge import RidgeData, RidgeProblem
from verify.cli import main

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = str(ROOT / "examples/gossip.toml")


def problem(agents: int, each: int = 12, d: int = 3, seed: int = 0, uneven: bool = False) -> RidgeProblem:
    rng = np.random.default_rng(seed)
    data = []
    for m in range(agents):
        count = each + (m if uneven else 0)
        features = rng.standard_normal((count, d))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        data.append(RidgeData(count, features.T @ features, features.T @ rng.random(count)))
    n = sum(x.count for x in data)
    return RidgeProblem(data, 1, 1.0, float(mean(float(d), n)), 0.1)


def world(agents: int = 5, horizon: int = 16) -> Any:
    return finite_contexts.make(
        np.random.default_rng(1), dimension=3, contexts=4, arms=3, agents=agents, horizon=horizon
    )


def test_gradient_tracking_by_hand():
    given = problem(4)
    keys = {"graph": "path", "steps": 6, "mixing": 2}
    found = GradientTracking(**keys).fit(given, Channel(4, 1), None, np.random.default_rng(0)).parameters
    local, W = given.local, GradientTracking(graph="path").network(4).power(2)

    def slopes(x: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum("mij,mj->mi", local.hessians, x) - local.linear)

    x = np.zeros((4, 3))
    y = slopes(x)
    for _ in range(6):
        before = slopes(x)
        x = W @ (x - y / given.known().beta)
        y = W @ (y + slopes(x) - before)
    np.testing.assert_allclose(np.stack(found), x, atol=1e-13)


def test_decentralised_gradients_by_hand():
    given = problem(4)
    protocol = DecentralisedGradients(graph="path", rounds=9, step_size=0.05)
    found = protocol.fit(given, Channel(4, 1), None, np.random.default_rng(0)).parameters
    W = (np.eye(4) + protocol.network(4).weights) / 2
    x = np.zeros((4, 3))
    for _ in range(9):
        x = W @ x - 0.05 * (np.einsum("mij,mj->mi", given.local.hessians, x) - given.local.linear)
    np.testing.assert_allclose(np.stack(found), x, atol=1e-13)


@pytest.mark.parametrize("protocol", [GossipStatistics(tolerance=1e-3), GradientTracking(steps=4000)])
def test_unequal_sizes_have_the_same_limit_and_no_promise(protocol):
    given = problem(4, uneven=True)
    found = protocol.fit(given, Channel(4, 1), None, np.random.default_rng(0)).parameters
    assert given.distance(found) < 1e-8
    federation = world()
    uneven = replace(federation.plan, full=tuple((row[0] + 1, *row[1:]) for row in federation.plan.full))
    promised = replace(federation, protocol=protocol, plan=uneven).guarantee()
    assert any("different numbers of samples" in word for word in promised.missing)


def test_agents_play_their_own_models_and_the_constant_is_that_of_different_laws():
    federation = replace(world(), protocol=GossipStatistics(graph="path", rounds=1))
    found = run(federation, np.random.default_rng(0), audit=True)
    last = np.array(found.models[0][-1])
    assert last.shape == (5, 3)
    assert np.ptp(last, axis=0).max() > 1e-3
    assert found.excess_risk is not None
    assert np.isfinite(found.excess_risk).all()
    promised = replace(federation, protocol=GossipStatistics()).guarantee()
    assert promised.risk("sharpened", 100) == pytest.approx(1.1**2 * (3 / 4 + 9 / 4) / 100)
    assert Direct().guarantee(federation.setting).risk("sharpened", 100) == pytest.approx((3 / 4 + 1) / 101)


def test_the_excess_risk_of_different_models_is_the_mean_over_the_agents():
    federation = world(agents=3)
    segment = federation.plan.segments[1]
    rng = np.random.default_rng(0)
    path = Messages(federation, rng)
    models = PerAgent(rng.random(3) / 3 for _ in range(3))
    used = PerAgent(rng.random(3) / 3 for _ in range(3))
    whole = path.excess_risk(used, models, 2.0, segment)
    alone = [path.excess_risk(used[m], models[m], 2.0, segment) for m in range(3)]
    np.testing.assert_allclose(whole, np.mean(alone, axis=0))


def test_a_longer_schedule_for_a_smaller_gap():
    rounds = []
    for graph in ("complete", "grid", "ring", "path"):
        federation = replace(world(agents=9), protocol=GossipStatistics(graph=graph))
        cost = declared_cost(federation)
        assert cost is not None
        rounds.append(sum(t.rounds for t in cost))
    assert rounds == sorted(rounds)


def test_a_record_with_models_of_every_agent_is_saved_and_loaded(tmp_path):
    from fedigw.record import load as read
    from fedigw.record import save

    record = simulate(replace(world(), protocol=GossipStatistics()), 2, 0)
    save(record, tmp_path / "r.json")
    again = read(tmp_path / "r.json")
    assert json.dumps(again.models) == json.dumps(record.models)
    np.testing.assert_array_equal(again.regret, record.regret)


def test_simulate_prints_the_spectral_gap(capsys):
    assert main(["simulate", EXAMPLE, "--set", "horizon=32", "--replications", "1"]) == 0
    shown = capsys.readouterr().out
    assert "no server: 10 agents, 10 edges, spectral gap 0.127322" in shown


def test_fit_shows_every_agents_estimate(capsys):
    data = str(ROOT / "examples/dataset.toml")
    assert main(["fit", data, "--protocol", "gradient_tracking"]) == 0
    shown = capsys.readouterr().out
    assert "agent 0      0.479654, 0.336563" in shown
    assert "agent 1      0.479654, 0.336563" in shown
    found = answered(capsys, "fit", data, "--protocol", "gossip_statistics")
    assert np.shape(found["estimate"]) == (2, 2)
    assert found["notes"][0].startswith("no server: 2 agents, 1 edge,")


def test_a_compressor_on_the_link_is_refused_where_there_is_no_server():
    from bounds.errors import InputError

    federation = replace(world(), protocol=GossipStatistics(), link=Link(encoder=Quantise()))
    with pytest.raises(InputError, match="this protocol has none"):
        run(federation.with_rates(10), np.random.default_rng(0))
