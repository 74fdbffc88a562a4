"""The bandit world of a table: what is drawn, what it is worth, and that instance files say all of it."""

import json

import numpy as np
import pytest
from refused import answered

from bounds.errors import InputError
from fedigw.interfaces import Acting, Steps
from fedigw.policies.greedy import Greedy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.policies.softmax import Softmax
from fedigw.running import Messages, carry_out
from fedigw_extensions.neural.world import drawn
from verify.cli import main
from verify.instances import parse

TABLE = {
    "kind": "neural",
    "horizon": 40,
    "data": {"look_alike": "bibtex", "rows": 60, "features": 20, "labels": 5, "seed": 3},
    "width": 6,
    "learning_rate": 50,
    "floor": 8,
    "protocol": {"name": "fedavg", "rounds": 2, "batch": 8, "step_size": 0.2},
    "agents": [{}, {}, {}],
}


def test_arms_are_drawn_by_their_probabilities():
    rng = np.random.default_rng(0)
    probabilities = np.array([[0.2, 0.0, 0.5, 0.3], [0.0, 1.0, 0.0, 0.0]])
    rows = rng.integers(0, 2, 40_000)
    arms = drawn(np.cumsum(probabilities, axis=1), rows, rng.random(40_000))
    for row in (0, 1):
        share = np.bincount(arms[rows == row], minlength=4) / (rows == row).sum()
        assert np.abs(share - probabilities[row]).max() < 0.02  # four standard deviations
        assert share[probabilities[row] == 0].sum() == 0


@pytest.mark.parametrize("policy", [InverseGapWeighting(), Greedy(), Softmax(0.1)])
def test_regret_and_excess_risk_are_those_of_the_table(policy):
    federation = parse(TABLE)
    world, model = federation.world, federation.model
    parameters = model.network.first(np.random.default_rng(1), np.float32)
    act = Acting(model, parameters, policy, 50.0)
    played = world.play(0, act, Steps(500, 300), np.random.default_rng(2))
    data = played.data
    assert np.array_equal(data.rewards, world.data.labels[data.rows, data.arms])
    probabilities = act(world.data.features)
    value = (probabilities * world.data.labels).sum(axis=1)
    assert played.regret == pytest.approx((world.data.best - value)[data.rows[:300]].sum())
    learned = model.network.first(np.random.default_rng(3), np.float32)
    error = model.scores(learned, world.data.features) - world.data.labels
    expected = (probabilities * error**2).sum(axis=1).mean()
    assert float(world.excess_risk(lambda m: act, lambda m: learned, (4, 4, 4))) == pytest.approx(expected)
    again = world.play(1, act, Steps(500, 300), np.random.default_rng(2))  # from what is known already
    assert np.array_equal(again.data.arms, data.arms)


def test_epochs_below_the_floor_are_uniform_for_every_policy_and_teach_nothing():
    federation = parse(TABLE | {"policy": {"name": "greedy"}})
    uses = [segment.uses for segment in federation.plan.segments]
    learns = [segment.learns for segment in federation.plan.segments]
    assert federation.plan.full[0] == (2, 2, 2)
    assert uses == [None, None, None, None, 3, 4]  # lengths 2 2 4 8 16 32
    assert learns == [False, False, False, True, True, False]  # the horizon cuts the last
    run = carry_out(federation, Messages(federation, np.random.default_rng(0)))
    assert [sent.calls for sent in run.traffic] == [0, 0, 0, 1, 1, 0]
    assert len({json.dumps(models) for models in run.models[0][:4]}) == 1


def test_no_bound_is_printed_and_the_file_is_kept_in_full(tmp_path, capsys):
    federation = parse(TABLE)
    assert federation.guarantee() is None
    assert parse(json.loads(json.dumps(federation.describe()))) == federation
    path = tmp_path / "one.toml"
    path.write_text(
        'kind = "neural"\nhorizon = 20\nwidth = 4\nlearning_rate = 50\nfloor = 4\nagents = [{}, {}]\n'
        'data = {look_alike = "bibtex", rows = 40, features = 12, labels = 4}\n'
    )
    document = answered(capsys, "simulate", str(path), "--replications", "2")
    assert document["bounds"]["regret"] is None
    assert "no guarantee" in document["no_bound"][0]
    assert "excess_risk" in document["epochs"][2]
    for policy in ("greedy", "softmax", "epsilon_greedy"):
        assert main(["simulate", str(path), "--replications", "1", "--policy", policy]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data": "nothing_here"}, "is not on this machine"),
        ({"data": 3}, "must be a name"),
        ({"data": {"look_alike": "bibtx"}}, "did you mean 'bibtex'"),
        ({"data": {"look_alike": "bibtex", "rows": 10**9}}, "data.rows"),
        ({"width": 0}, "width = 0"),
        ({"width": 10**8}, "all parameters at most"),
        ({"model": "percepton"}, "did you mean 'perceptron'"),
        ({"learning_rate": "sharpened"}, "needs a protocol with a guarantee"),
        ({"protocol": {"name": "fedprox"}}, "needs local_minimisers"),
        ({"floor": 0}, "floor = 0"),
        ({"policy": {"name": "ucb"}}, "needs widths"),
    ],
)
def test_bad_files_name_the_field(changes, words, tmp_path, monkeypatch):
    monkeypatch.setenv("FEDIGW_DATA", str(tmp_path))
    with pytest.raises(InputError, match=words):
        parse(TABLE | changes).learning_rates()


@pytest.mark.parametrize(
    "changes",
    [
        {"link": {"aggregator": {"name": "trimmed_mean", "cut": 1}}},
        {"link": {"encoder": {"name": "quantise"}}},
        {"link": {"encoder": {"name": "top_k"}}},
        {"link": {"participants": 2}},
        {"attack": {"name": "sign_flip", "agents": [0]}, "link": {"aggregator": "median"}},
        {"agents": [{"clock": {"period": 2}}, {}, {}]},
        {"protocol": {"name": "fedopt", "rounds": 2}},
        {"protocol": {"name": "scaffold", "rounds": 2, "participants": 2}},
        {"model": "released"},
        {"precision": "double"},
    ],
)
def test_every_link_clock_and_protocol_works_with_a_network(changes):
    federation = parse(TABLE | changes)
    run = carry_out(federation, Messages(federation, np.random.default_rng(0)))
    assert np.isfinite(run.regret).all()
    assert run.models[0][-1]["norm"] > 0
