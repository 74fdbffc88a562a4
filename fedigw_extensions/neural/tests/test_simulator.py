"""The fast path of the experiments against the general program on the same federation, and its own parts."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import capped_lengths, synchronous_plan
from fedigw.interfaces import Acting
from fedigw.policies.igw import InverseGapWeighting
from fedigw.policies.softmax import Softmax
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.fedprox import FedProx
from fedigw.protocols.scaffold import Scaffold
from fedigw.running import Messages, carry_out
from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.federations import neural_federation
from fedigw_extensions.neural.figures.ntk import LAMBDA, LastLayer
from fedigw_extensions.neural.figures.simulator import Run, Setting, run, split_by_label
from fedigw_extensions.neural.figures.speed import parts
from fedigw_extensions.neural.network import Perceptron, Released, available
from fedigw_extensions.neural.world import drawn

DATA = look_alike("bibtex", 1, rows=120, features=40, labels=6)
TINY = Setting(1023, 0.5, agents=3, width=8, batch=16, floor=16, precision="double", parameter=1000.0)
ENGINES = [False, pytest.param(True, marks=pytest.mark.skipif(not available(), reason="numba"))]
PROTOCOLS = {"fedavg": FedAvg, "fedprox": FedProx, "scaffold": Scaffold, "none": FedAvg}


def slow_way(setting, seeds):
    """Mean reward of each epoch, and the numbers that the channel counted, by the general program: every agent plays
    separately and messages pass a channel."""
    agents = 1 if setting.protocol == "none" else setting.agents
    keys = dict(rounds=setting.rounds, step_size=setting.step_size, batch=setting.batch)
    keys |= dict(local_steps=setting.local_steps) if setting.local_steps else dict(passes=1)
    if setting.protocol == "fedprox":
        keys |= dict(proximal=setting.proximal, exact=False)
    if setting.protocol == "scaffold":
        keys |= dict(kept=setting.rounds == 1)
    federation = neural_federation(
        DATA,
        agents,
        replace(synchronous_plan(capped_lengths(4096), setting.horizon, agents), floor=setting.floor),
        setting.parameter,
        width=setting.width,
        precision=setting.precision,
        protocol=PROTOCOLS[setting.protocol](**keys),
        policy=Softmax(setting.parameter) if setting.policy == "softmax" else InverseGapWeighting(),
    )
    curves, numbers = [], 0
    for seed in seeds:
        done = carry_out(federation, Messages(federation, np.random.default_rng(seed)))
        regret, numbers = done.regret[0], sum(sent.numbers_up + sent.numbers_down for sent in done.traffic)
        played = np.array([sum(row) for row in federation.plan.played])
        curves.append(DATA.best.mean() - np.asarray(regret) / played)
    return np.mean(curves, axis=0), numbers


@pytest.mark.parametrize("compiled", ENGINES)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rounds": 3, "local_steps": 2},
        {"policy": "softmax", "parameter": 0.1},
        {"protocol": "fedprox", "proximal": 0.5},
        {"protocol": "scaffold"},
        {"protocol": "scaffold", "rounds": 3, "local_steps": 2},
        {"protocol": "none"},
    ],
)
def test_the_fast_path_is_the_general_program_to_rounding_in_double(changes, compiled):
    setting = replace(TINY, **changes)
    seeds = [[5, m] for m in range(setting.agents)] if setting.protocol == "none" else [[5]]
    found = run(DATA, setting, 5, compiled)
    assert found["diverged"] is None
    curve, numbers = slow_way(setting, seeds)
    assert np.abs(np.array(found["curve"]) - curve).max() < 1.1e-5  # five digits are kept
    assert found["sent"]["numbers"] == (0 if setting.protocol == "none" else numbers)
    assert found["curve"][-1] > 1.1 * DATA.uniform_reward  # it learned


@pytest.mark.parametrize("compiled", ENGINES)
def test_single_precision_changes_a_run_by_less_than_its_seed(compiled):
    averages = np.array(
        [
            [run(DATA, replace(TINY, precision=kind), seed, compiled)["average"] for seed in range(6)]
            for kind in ("double", "single")
        ]
    )
    assert np.abs(averages[0] - averages[1]).max() < averages[0].std(ddof=1)


@pytest.mark.skipif(not available(), reason="numba")
def test_compiled_draws_and_first_layers_are_those_of_numpy():
    from fedigw_extensions.neural import fast

    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.full(75, 0.2), 30)
    rows, uniform = np.sort(rng.integers(0, 30, 5000)), rng.random(5000)
    arms = fast.draw(probabilities, rows, uniform)
    assert np.array_equal(arms, drawn(np.cumsum(probabilities, axis=1), rows, uniform))
    network, point = Perceptron(40, 6, 9), rng.standard_normal(Perceptron(40, 6, 9).size)
    first, bias, *_ = network.views(point)
    wanted = DATA.features.astype(float) @ first + bias
    assert np.allclose(fast.first_layer(first, bias, DATA, np.arange(DATA.rows)), wanted, atol=1e-12)


@pytest.mark.skipif(not available(), reason="numba")
def test_the_profile_has_its_parts():
    found = parts(DATA, replace(TINY, rounds=3, local_steps=5), limit=10**6)
    assert found["additions"] == 1.0
    assert min(found["step"], found["play"]) > 0
    assert list(found) == ["additions", "step", "weights", "play"]


def test_an_epoch_is_worth_what_its_probabilities_say():
    played = Run(DATA, TINY, 3, compiled=False)
    played.begin()
    found, value, left = played.play(400, 0)
    act = Acting(_Model(played), None, InverseGapWeighting(), TINY.parameter)
    every = act(np.arange(DATA.rows))
    rows, arms, rewards = found
    assert value == pytest.approx((every * DATA.labels).sum(axis=1)[rows].mean())
    assert left == pytest.approx(1 - every.max(axis=1)[rows].mean())
    assert np.array_equal(rewards, DATA.labels[rows, arms])
    share = np.mean([DATA.labels[rows, arms].mean(), value])
    assert abs(rewards.mean() - value) < 5 * np.sqrt(share / rows.size)  # five standard errors, at most


class _Model:
    def __init__(self, played):
        self.played = played

    def scores(self, _, rows):
        return self.played.scores(0, rows)


def test_the_released_networks_first_biases_are_a_tenth():
    network = Released(40, 6, 5)
    biases = [
        part for part in network.views(network.first(np.random.default_rng(2), float)) if part.ndim == 1
    ]
    assert len(biases) == 3
    assert all((bias == 0.1).all() for bias in biases)


def test_the_released_reading_has_its_epochs_and_plays_on_its_first_weights():
    setting = replace(TINY, model="released", horizon=364_543)
    assert len(setting.lengths) == 100
    assert setting.lengths[:4] == [1, 2, 4, 8]
    assert run(DATA, replace(setting, horizon=255), 0)["curve"][0] != pytest.approx(1 / DATA.arms)


def test_widths_of_the_last_layer_against_a_dense_calculation():
    rng = np.random.default_rng(4)
    network = Perceptron(40, 6, 8)
    start = network.first(rng, float)
    known = LastLayer.at(network, start, DATA, rank=3)
    rows, arms = rng.integers(0, 120, 50), rng.integers(0, 6, 50)
    rewards = DATA.labels[rows, arms].astype(float)
    sent = known.add(rows, arms, rewards, TINY)
    assert sent == 2 * 3 * 6 * (6 + 3)  # both ways, agents, arms, half a matrix and a vector
    mixed, widths = known.bounds(np.array([7]), np.zeros((1, 6)), steps=0)
    phi = known.features
    for arm in range(6):
        mine = rows[arms == arm]
        matrix = LAMBDA * np.eye(3) + phi[mine].T @ phi[mine]
        assert widths[0, arm] == pytest.approx(np.sqrt(LAMBDA * phi[7] @ np.linalg.solve(matrix, phi[7])))
        moment = phi[mine].T @ rewards[arms == arm]
        assert mixed[0, arm] == pytest.approx(phi[7] @ np.linalg.solve(matrix, moment))
    assert np.array_equal(known.bounds(np.array([7]), np.ones((1, 6)), steps=700)[0], np.ones((1, 6)))


def test_fn_ucb_and_all_data_run_and_count_what_they_send():
    plain, bonus = run(DATA, TINY, 0), run(DATA, replace(TINY, policy="fn_ucb", parameter=0.1), 0)
    assert bonus["sent"]["numbers"] > plain["sent"]["numbers"] == 2 * plain["sent"]["rounds"] * 3 * 382
    assert run(DATA, replace(TINY, memory="all"), 0)["average"] != plain["average"]


def test_a_split_by_label_is_a_partition_and_agents_differ():
    parts = split_by_label(DATA, 4, 0.1, seed=2)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(DATA.rows))
    shares = [DATA.labels[part].mean(axis=0) for part in parts]
    even = [DATA.labels[part].mean(axis=0) for part in split_by_label(DATA, 4, 1000.0, seed=2)]
    assert np.std(shares, axis=0).mean() > 2 * np.std(even, axis=0).mean()
    with pytest.raises(InputError, match="split = 0: must be a positive number"):
        split_by_label(DATA, 4, 0, seed=2)


@pytest.mark.parametrize("compiled", ENGINES)
def test_a_run_that_diverges_stays_in_with_what_it_earned(compiled):
    found = run(DATA, replace(TINY, step_size=1e150), 0, compiled)
    assert "step size 1e+150: the iterates overflow" in found["diverged"]
    assert 0 < found["average"] < 0.5
    assert len(found["curve"]) < len(TINY.lengths)
