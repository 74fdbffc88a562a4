"""Learning rates from the data: the version space, the rates, the observed bound, and the two paths."""

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest
from refused import refused

from bounds import own_adaptive
from bounds.errors import InputError
from fedigw.rates import AdaptiveRates
from fedigw.replications import by_messages, pooled
from finite_class.adaptive import Adapting, VersionSpace
from finite_class.environments import gap_one, heterogeneous, near_ties, random_table
from finite_class.protocols.exact_minimiser import ExactMinimiser
from verify.instances import parse

FILE = """
kind = "finite_class"
horizon = 64
environment = {name = "near_ties", arms = 3, agents = 4}
learning_rate = "adaptive"
delta = 0.01
"""


def adaptive(federation: Any, delta: float = 0.05) -> Any:
    return dataclasses.replace(federation, rates=AdaptiveRates(delta))


def test_the_threshold_is_where_villes_inequality_leaves_delta():
    """exp(2 b) = (|F|-1)/delta; one function needs no room."""
    assert own_adaptive.threshold(11, 0.1) == pytest.approx(math.log(100) / 2)
    assert own_adaptive.threshold(1, 0.1) == 0


@pytest.mark.parametrize("mean", [0.05, 0.3, 0.5, 0.9])
def test_exponent_two_is_a_supermartingale_and_no_larger_one_is(mean):
    """E exp(-th l) of a Bernoulli(mean) reward, l = D^2 + 2D(mean - r)."""

    def expected(exponent: float, d: float) -> float:
        loss = [d * d + 2 * d * (mean - r) for r in (0, 1)]
        return (1 - mean) * math.exp(-exponent * loss[0]) + mean * math.exp(-exponent * loss[1])

    gaps = np.linspace(-mean, 1 - mean, 101)
    assert max(expected(2.0, float(d)) for d in gaps) <= 1 + 1e-15
    assert expected(2.05, 0.02) > 1 or mean != 0.5  # 1/2 is where it is sharp


def test_the_version_space_in_units_of_the_loss_and_its_end():
    space = VersionSpace.start(2, 2, 2, 1.0)  # losses in quarters, one unit of room
    space.add(np.array([[0, 4], [0, 5]], dtype=object), 3)
    assert space.alive.tolist() == [[True, True], [True, False]]
    space.add(
        np.array([[0, 0], [40, 0]], dtype=object), 2
    )  # the second replication turns round: nobody is left
    assert space.alive.tolist() == [[True, True], [False, False]]
    assert space.empty == [(1, 5)]
    space.add(np.array([[0, 0], [0, 40]], dtype=object), 1)
    assert space.empty == [(1, 5)]  # noted once, and what is gone stays gone
    assert not space.alive[1].any()


def test_rates_never_fall_and_satisfy_the_pathwise_condition():
    """gamma(x)^2 times the true error under the kernel before is at most g^2 K whenever f* is in the space."""
    federation = adaptive(near_ties.make(np.random.default_rng(1), contexts=2, arms=3, agents=2, horizon=512))
    state = Adapting(federation, 40)
    rng, truth = np.random.default_rng(2), federation.world.truth
    before = state.rates
    for segment in federation.plan.segments:
        kernel = state.probabilities((0, 1, 2))
        counts = np.stack([rng.multinomial(sum(segment.full), (p / p.sum()).ravel()) for p in kernel])
        sums = federation.world._reward_sums(counts, rng)
        problem = federation.model.pooled_problem(type("D", (), {"counts": counts, "sums": sums})(), 1)
        learned = federation.protocol.pooled(problem, rng)
        state.learn(learned, problem.totals(), problem.samples)
        assert (state.rates >= before).all()
        taken = (state.rates > before) & state.space.alive[:, truth, None]
        scores = state.tables.scores
        error = (kernel * (scores[learned] - scores[truth]) ** 2).sum(axis=2)
        assert (state.rates**2 * error * taken <= state.g2 * 3 * (1 + 1e-9)).all()
        before = state.rates


@pytest.mark.parametrize("make", [gap_one.make, random_table.make, heterogeneous.make])
def test_both_paths_agree_and_the_ledger_counts_the_rates(make):
    federation = adaptive(make(np.random.default_rng(0), arms=3, agents=3, horizon=64))
    together, one_by_one = pooled(federation, 400, 1), by_messages(federation, 60, 2)
    for column in range(federation.plan.epochs):
        a, b = together.regret[:, column], one_by_one.regret[:, column]
        error = math.sqrt(a.var() / len(a) + b.var() / len(b))
        assert abs(a.mean() - b.mean()) <= 4.5 * error + 1e-9  # 4.5 standard errors: 1e-5 a comparison
    np.testing.assert_array_equal(together.traffic[0], one_by_one.traffic[0])
    assert (together.total_regret <= together.observed.bound * (1 + 1e-9)).mean() > 0.95
    known = np.isfinite(together.observed.bound)  # else nobody is left, which has probability delta at most
    assert (~known).sum() == len(together.observed.empty) <= 40
    assert (together.observed.bound <= together.observed.pathwise + 1e-9)[known].all()
    assert (together.observed.pathwise <= together.observed.any_law + 1e-9).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((FILE.replace("0.01", bad), "delta") for bad in ("0", "1", "-0.5", "2", '"x"', '"nan"', "true")),
        (FILE + 'policy = "greedy"', "needs inverse gap weighting"),
        (FILE + 'schedule = "interleaved"', "needs epochs that use what the epoch before has taught"),
        (FILE + 'link = {encoder = {name = "quantise", bits_each = 4}}', "needs plain sums"),
    ],
)
def test_a_bad_delta_and_what_is_missing_are_named(text, words, tmp_path, capsys):
    path = tmp_path / "a.toml"
    path.write_text(text)
    refused(capsys, ["simulate", str(path), "--replications", "2"], words)


def test_delta_without_adaptive_rates_is_refused():
    table = {"kind": "finite_class", "environment": "gap_one", "delta": 0.1, "learning_rate": "best"}
    with pytest.raises(InputError, match="is for learning_rate = adaptive"):
        parse(table)


def test_a_protocol_without_the_losses_is_refused():
    class Forgetful(ExactMinimiser):
        informs = False

    federation = adaptive(gap_one.make(np.random.default_rng(0)))
    with pytest.raises(InputError, match="does not keep"):
        pooled(dataclasses.replace(federation, protocol=Forgetful()), 2, 0)


def test_a_file_and_its_description_are_the_same_federation():
    federation = adaptive(near_ties.make(np.random.default_rng(0), agents=2, horizon=16), 0.25)
    assert parse(json.loads(json.dumps(federation.describe()))) == federation


def test_one_agent_plays_without_regret_where_one_function_is_left():
    """At gap 1 a few samples leave f* alone: the rate is at its cap and the bound is the regret itself."""
    record = pooled(adaptive(gap_one.make(np.random.default_rng(0), agents=10, horizon=4096)), 20, 0)
    assert record.learning_rates[-1] > 1e11
    assert record.observed.bound == pytest.approx(record.total_regret, rel=1e-9)
    assert record.regret[:, -1].max() < 1e-6
