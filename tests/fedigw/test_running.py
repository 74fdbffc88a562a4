"""The loop: what passes between epochs, who is counted, and a protocol's word against what it delivers."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from parts_example import LastFunction, OwnBlocksForgotten, Uniform, Zeros

from bounds.errors import InputError
from bounds.schedules import asynchronous_plan
from fedigw import record as records
from fedigw.channel import Link
from fedigw.interfaces import Fitted, FLProtocol
from fedigw.replications import by_messages, pooled, simulate
from fedigw.running import run
from finite_class.environments import random_table
from finite_class.law import exact_law as finite_law
from finite_class.protocols.exact_minimiser import ExactMinimiser
from linear.environments import finite_contexts, sphere
from linear.law import exact_law as linear_law
from linear.personalised.environments import opposite_arms
from linear.personalised.protocols.agd import SharedAcceleratedGradient
from linear.protocols.agd import AcceleratedGradient
from linear.protocols.cg import ConjugateGradient
from verify.verbs.simulate.summary import summarise
from verify.verbs.simulate.text import text

RNG = np.random.default_rng
FINITE = random_table.make(RNG(0), functions=3, contexts=2, agents=3, horizon=32)
LINEAR = finite_contexts.make(RNG(0), dimension=3, arms=3, agents=3, horizon=32)
SPHERE = sphere.make(RNG(0), dimension=3, arms=3, agents=3, horizon=32)
PERSONALISED = opposite_arms.make(RNG(0), agents=3, horizon=32)
ALL = {"finite": FINITE, "linear": LINEAR, "sphere": SPHERE, "personalised": PERSONALISED}
LIARS = [(FINITE, LastFunction()), (LINEAR, Zeros()), (SPHERE, Zeros()), (PERSONALISED, OwnBlocksForgotten())]


SOLVERS = [AcceleratedGradient(), AcceleratedGradient(1e-3, True), ConjugateGradient()]


@pytest.mark.parametrize("federation", [*ALL.values(), *(replace(LINEAR, protocol=p) for p in SOLVERS)])
def test_an_honest_protocol_keeps_its_word(federation):
    found = run(federation, RNG(0), audit=True)
    assert [p.epoch for p in found.promises] == [1, 2, 3, 4, 5]
    assert all(p.kept for p in found.promises)
    assert run(federation, RNG(0)).promises == ()
    if federation.protocol in SOLVERS:
        assert all(p.promised > 0 for p in found.promises)


@pytest.mark.parametrize(("federation", "liar"), LIARS)
def test_a_protocol_that_does_not_look_at_its_data_is_reported(federation, liar):
    """It declares what an exact solver declares, so a bound would be printed for it: only the audit sees the lie."""
    lying = replace(federation, protocol=liar)
    found = run(lying, RNG(0), audit=True)
    assert len(found.promises) == 5
    broken = [p for p in found.promises if not p.kept]
    assert len(broken) >= 4  # the last function may happen to be the minimiser of a small epoch
    assert all(p.delivered > p.promised for p in broken)
    if federation in (FINITE, LINEAR):  # the pooled path is audited as well
        assert not any(p.kept for p in pooled(lying, 20, 0, audit=True).promises)
        assert all(p.kept for p in pooled(federation, 20, 0, audit=True).promises)


def test_a_broken_promise_is_said_and_no_bound_is(tmp_path):
    federation = replace(LINEAR, protocol=Zeros())
    record = simulate(federation, 5, 0, audit=True)
    document = summarise(federation, record)
    assert [(row["promised"], row["delivered"]) for row in document["violated"]] == [
        (p.promised, p.delivered) for p in record.promises
    ]
    endless = replace(record, promises=tuple(replace(p, delivered=math.inf) for p in record.promises))
    assert {row["delivered"] for row in summarise(federation, endless)["violated"]} == {"infinite"}
    assert document["bounds"]["regret"]["violated"]
    said = text(document)
    assert "VIOLATED: zeros promised" in said
    assert "bound sharpened" not in said
    records.save(record, tmp_path / "r.json")
    assert records.load(tmp_path / "r.json").promises == record.promises
    honest = summarise(LINEAR, simulate(LINEAR, 5, 0, audit=True))
    assert honest["violated"] == []
    assert "bound sharpened" in text(honest)


@pytest.mark.parametrize("name", ALL)
def test_only_participants_are_in_the_ledger_of_a_run(name):
    """As many rounds with one agent of three: a third of everything."""
    # conjugate gradient ends in an error when agents take turns: the matrix behind its products changes every round
    federation = (
        replace(PERSONALISED, protocol=SharedAcceleratedGradient()) if name == "personalised" else ALL[name]
    )
    everybody, sampled = (run(replace(federation, link=Link(participants=p)), RNG(0)) for p in (None, 1))
    for all_three, one in zip(everybody.traffic, sampled.traffic, strict=True):
        assert one.numbers_up > 0
        assert one.rounds == all_three.rounds
        assert 3 * one.messages_up == all_three.messages_up
        assert 3 * one.numbers_up == all_three.numbers_up
        assert 3 * one.numbers_down == all_three.numbers_down
        assert 64 * one.numbers_up == one.bits_up


@dataclass(frozen=True)
class Counting(FLProtocol):
    """Keeps how often it was called: what it was told to remember, and what it answers."""

    name: ClassVar[str] = "counting"

    def fit(self, problem, channel, memory, rng):
        calls = 1 if memory is None else memory + 1
        assert channel.epoch == calls
        return Fitted(np.full(problem.dimension, float(calls)), calls)


def test_memory_passes_from_call_to_call_and_not_from_run_to_run():
    federation = replace(LINEAR, protocol=Counting()).with_rates(3)
    # interleaved epochs use what the epoch before the last has taught
    lagging = federation.with_plan(replace(federation.plan, lag=2))
    for one, calls in (
        (federation, [0, 1, 2, 3, 4]),
        (federation, [0, 1, 2, 3, 4]),
        (lagging, [0, 0, 1, 2, 3]),
    ):
        assert [model[0] for model in run(one, RNG(0)).models[0]] == calls


def test_a_protocol_without_a_guarantee_runs_and_has_no_learning_rate_by_the_theorem():
    federation = replace(LINEAR, protocol=Counting())
    with pytest.raises(InputError, match="learning_rate = sharpened: needs a protocol with a guarantee"):
        run(federation, RNG(0))
    document = summarise(federation.with_rates(3), simulate(federation.with_rates(3), 2, 0, audit=True))
    assert document["bounds"]["regret"] is None
    assert document["no_bound"] == ["protocol counting has no guarantee (H3)"]


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": ConjugateGradient()},
        {"protocol": AcceleratedGradient(early_stopping=True)},
        {"link": Link(participants=2)},
    ],
)
def test_the_pooled_path_is_closed_where_it_would_not_be_the_same(change):
    federation = replace(LINEAR, **change)
    with pytest.raises(InputError, match="has no array form on this world"):
        pooled(federation, 2, 0)
    one, two = simulate(federation, 2, 0), by_messages(federation, 2, 0)
    np.testing.assert_array_equal(one.regret, two.regret)
    np.testing.assert_array_equal(one.traffic, two.traffic)
    with pytest.raises(InputError, match="has no array form"):
        pooled(PERSONALISED, 2, 0)


@pytest.mark.parametrize("name", ALL)
def test_an_agent_whose_horizon_is_over_costs_nothing_in_the_last_epoch(name):
    plan = asynchronous_plan([[2, 2], [2, 2], [6, 6]], 4)
    assert plan.played[-1] == (2, 2, 0)
    record = by_messages(ALL[name].with_plan(plan).with_rates(5), 3, 0)
    assert record.regret.shape == (3, 2)
    assert np.isfinite(record.regret).all()


@dataclass(frozen=True)
class Wide(Uniform):
    name: ClassVar[str] = "wide"
    needs: ClassVar[tuple[str, ...]] = ("widths",)


@pytest.mark.parametrize(
    ("federation", "change", "says"),
    [
        (FINITE, {"policy": Wide()}, "policy = wide: needs widths, which finite_class models do not have"),
        (
            LINEAR,
            {"protocol": ExactMinimiser()},
            "protocol = exact_minimiser: needs losses, which linear models do not offer",
        ),
        (
            LINEAR,
            {"link": Link(participants=4)},
            r"link.participants = 4: must be between 1 and the 3 agents",
        ),
    ],
)
def test_what_cannot_work_together_is_refused_before_anything_runs(federation, change, says):
    with pytest.raises(InputError, match=says):
        replace(federation, **change)


def test_the_exact_law_is_for_the_algorithm_of_the_paper():
    for federation, law in ((FINITE, finite_law), (LINEAR, linear_law)):
        with pytest.raises(InputError, match="policy = uniform: has no rational probabilities"):
            law(replace(federation, policy=Uniform()))
    with pytest.raises(InputError, match="the exact law is for the exact minimiser"):
        linear_law(replace(LINEAR, protocol=AcceleratedGradient()))
