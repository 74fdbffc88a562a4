"""The perceptron's gradients against finite differences and the dense form; walks against the engine's own loop."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import capped_lengths, synchronous_plan
from fedigw.channel import Channel
from fedigw.local_problem import LocalProblem
from fedigw.local_steps import Warm
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.fedprox import FedProx
from fedigw.protocols.scaffold import Scaffold
from fedigw.running import SolverError
from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.federations import neural_federation
from fedigw_extensions.neural.network import Interactions, Perceptron, Released
from fedigw_extensions.neural.supervised import full_gradient

DATA = look_alike("bibtex", 1, rows=80, features=30, labels=6)
NETWORKS = (Perceptron(30, 6, 7), Released(30, 6, 7))


def interactions(rng, size=40):
    rows = rng.integers(0, DATA.rows, size).astype(np.int32)
    arms = rng.integers(0, DATA.arms, size).astype(np.int32)
    return Interactions(DATA, rows, arms, DATA.labels[rows, arms].astype(np.float32))


def loss(network, point, data):
    """By the dense form: every score of every row."""
    scores = network.scores(point, DATA.features.astype(float)[data.rows])
    return float(((scores[np.arange(len(data)), data.arms] - data.rewards) ** 2).mean())


def dense_gradient(network, point, data):
    """The perceptron's gradient with dense matrices and one sample after another."""
    first, bias, second, last = network.views(point)
    found = np.zeros_like(point)
    to_first, to_bias, to_second, to_last = network.views(found)
    for row, arm, reward in zip(data.rows, data.arms, data.rewards, strict=True):
        x = DATA.features[row].toarray().ravel().astype(float)
        raw = x @ first + bias
        hidden = np.maximum(raw, 0)
        slope = 2 * (hidden @ second[arm] + last[arm] - reward) / len(data)
        back = slope * second[arm] * (raw > 0)
        to_first += np.outer(x, back)
        to_bias += back
        to_second[arm] += slope * hidden
        to_last[arm] += slope
    return found


@pytest.mark.parametrize("network", NETWORKS)
def test_gradients_against_finite_differences(network):
    rng = np.random.default_rng(3)
    data = interactions(rng)
    point = network.first(rng, float) + 0.3 * rng.standard_normal(network.size)
    exact = network.gradient(point, data)
    step = 1e-6
    for place in rng.choice(network.size, 60, replace=False):
        move = step * (np.arange(network.size) == place)
        slope = (loss(network, point + move, data) - loss(network, point - move, data)) / (2 * step)
        assert (
            abs(slope - exact[place]) < 1e-6
        )  # the loss is quadratic but for the kinks, which no coordinate meets


def test_gradients_against_the_dense_form():
    rng = np.random.default_rng(4)
    network, data = NETWORKS[0], interactions(rng)
    point = rng.standard_normal(network.size)
    dense = dense_gradient(network, point, data)
    assert np.abs(network.gradient(point, data) - dense).max() < 1e-12  # the issue asks for 1e-7
    single = point.astype(np.float32)
    error = network.gradient(single, data) - dense_gradient(network, single.astype(float), data)
    assert (
        np.abs(error).max() < 1e-6 * np.abs(dense).max()
    )  # single precision: 6e-8 a rounding, some tens of them


def test_the_supervised_gradient_is_that_of_all_arms():
    rng = np.random.default_rng(5)
    network = NETWORKS[0]
    point, rows = rng.standard_normal(network.size), np.array([3, 9, 11])
    whole = full_gradient(network, point, DATA, rows)
    each = [
        Interactions(
            DATA, rows.astype(np.int32), np.full(3, arm, np.int32), DATA.labels[rows, arm].astype(float)
        )
        for arm in range(DATA.arms)
    ]
    assert np.allclose(whole, sum(network.gradient(point, data) for data in each), atol=1e-12)


def federation(protocol, agents=10, **changes):
    plan = synchronous_plan(capped_lengths(64), 200, agents)
    return neural_federation(DATA, agents, plan, 100, width=7, protocol=protocol, **changes)


def call(protocol, sizes=(40,) * 10, **changes):
    played = federation(protocol, len(sizes), **changes)
    rng = np.random.default_rng(6)
    data = [interactions(rng, size) for size in sizes]
    return played.model.problem(data, 1), Channel(len(sizes), 1, None, np.random.default_rng(7)), data


def test_fedavg_with_one_full_step_is_pooled_gradient_descent():
    sizes = (10, 20, 30, 40, 50, 60, 10, 20, 30, 40)
    protocol = FedAvg(rounds=5, local_steps=1, step_size=0.2)
    problem, channel, data = call(protocol, sizes, precision="double")
    found = protocol.fit(problem, channel, None, np.random.default_rng(8)).parameters
    pooled = data[0]
    for more in data[1:]:
        pooled = pooled.joined(more)
    network = problem.local.network
    point = problem.local.first(np.random.default_rng(8))
    for _ in range(5):
        point = point - 0.2 * network.gradient(point, pooled)
    assert np.abs(found - point).max() < 1e-13


METHODS = (
    FedAvg(rounds=3, batch=8),
    FedAvg(rounds=2, batch=8, passes=1),
    FedProx(rounds=3, batch=8, proximal=0.5, exact=False),
    Scaffold(rounds=3, batch=8),
    Scaffold(rounds=3, batch=8, option=1),
    Scaffold(rounds=3, batch=8, kept=True),
)


class NoWalk:
    """The same problem without its fast path."""

    def __init__(self, local: LocalProblem) -> None:
        self._local = local

    def __getattr__(self, name: str):
        return False if name == "walks" else getattr(self._local, name)


class Slow:
    def __init__(self, problem) -> None:
        self._problem, self.local = problem, NoWalk(problem.local)

    def __getattr__(self, name: str):
        return getattr(self._problem, name)


@pytest.mark.parametrize("model", ["perceptron", "released"])
@pytest.mark.parametrize("protocol", METHODS)
def test_a_walk_is_what_the_engines_loop_does(protocol, model):
    """Full gradients, so that both paths see the same samples: minibatches are drawn in another order."""
    protocol = replace(protocol, batch=None, passes=None, local_steps=4)
    problem, channel, _ = call(protocol, model=model, precision="double")
    fast = protocol.fit(problem, channel, None, np.random.default_rng(8)).parameters
    slow = protocol.fit(Slow(problem), channel, None, np.random.default_rng(8)).parameters
    assert np.abs(fast - slow).max() < 1e-13
    assert np.abs(fast - problem.local.first(np.random.default_rng(8))).max() > 1e-4


@pytest.mark.parametrize("protocol", METHODS)
def test_the_compiled_walk_is_the_same(protocol):
    pytest.importorskip("numba")
    results = []
    for engine in ("numpy", "numba"):
        problem, channel, _ = call(protocol, engine=engine, precision="double")
        results.append(protocol.fit(problem, channel, None, np.random.default_rng(8)).parameters)
    assert np.abs(results[0] - results[1]).max() < 1e-12


def test_a_call_goes_on_from_where_the_last_one_ended():
    protocol = FedAvg(rounds=1, local_steps=2)
    problem, channel, _ = call(protocol, precision="double")
    rng = np.random.default_rng(8)
    first = protocol.fit(problem, channel, None, rng)
    assert isinstance(first.memory, Warm)
    second = protocol.fit(problem, channel, first.memory, rng)
    twice = replace(protocol, rounds=2).fit(problem, channel, None, np.random.default_rng(8))
    assert np.array_equal(second.parameters, twice.parameters)


def test_passes_count_minibatches_of_the_mean_agent():
    assert FedAvg(batch=64, passes=1).scheduled(40_960, 10, 5).local_steps == 64
    assert FedAvg(batch=64, passes=2).scheduled(640, 10, 5).local_steps == 2
    assert FedAvg(batch=64, passes=1).scheduled(10, 10, 5).local_steps == 1
    with pytest.raises(InputError, match="passes = 1: counts minibatches"):
        FedAvg(passes=1)


def test_divergence_names_agent_epoch_and_step_size():
    protocol = Scaffold(rounds=60, step_size=50.0, batch=2)
    problem, _, _ = call(protocol, (2, 2))
    channel = Channel(2, 4, None, np.random.default_rng(7))
    with pytest.raises(
        SolverError, match=r"agent \d, epoch 4, round \d+, step size 50: the iterates overflow"
    ):
        protocol.fit(problem, channel, None, np.random.default_rng(8))


def test_a_batch_larger_than_an_agents_data_is_refused():
    protocol = FedAvg(rounds=1, batch=64)
    problem, channel, _ = call(protocol)
    with pytest.raises(InputError, match=r"batch = 64: is larger than agent 0's data, 40 samples"):
        protocol.fit(problem, channel, None, np.random.default_rng(8))


def test_messages_in_single_precision_cost_32_bits():
    protocol = FedAvg(rounds=3, local_steps=1)
    problem, channel, _ = call(protocol)
    protocol.fit(problem, channel, None, np.random.default_rng(8))
    sent = channel.traffic
    assert sent.bits_up == 32 * sent.numbers_up == 32 * 3 * 10 * problem.local.width
    assert sent.bits_down == 32 * sent.numbers_down
