"""The rival systems: each keeps its ledger below its formula, and what its paper proves with high probability."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import answered, refused

from bounds.errors import InputError
from bounds.schedules import asynchronous_plan
from fedigw.channel import Link
from fedigw.competing import compete, sizes_of
from fedigw.designs import information, leverage, optimal_design, whole_counts
from fedigw.federation import Federation
from fedigw.game import Game, Sizes
from fedigw.parts import systems
from fedigw.record import load, save
from fedigw_extensions.compression.encoders.quantise import Quantise
from fedigw_extensions.rivals import optimism
from fedigw_extensions.rivals.systems.async_linucb import AsyncLinUCB
from fedigw_extensions.rivals.systems.delb import DELB, shared_out
from fedigw_extensions.rivals.systems.dislinucb import DisLinUCB
from fedigw_extensions.rivals.systems.fedglb_ucb import Descent, FedGLBUCB
from linear.environments import different_laws, finite_contexts, sphere
from linear.losses.logistic import Logistic
from linear.personalised.environments import opposite_arms
from verify.cli import main
from verify.experiments.logistic_runs import minimisers

RNG = np.random.default_rng
NAMES = sorted(systems())
FIXED = finite_contexts.make(RNG(1), dimension=3, contexts=1, arms=4, agents=4, horizon=300)
PERSONAL = opposite_arms.make(RNG(1), shared=3, own=2, contexts=3, arms=3, agents=4, horizon=300)


def world_of(name: str) -> Federation:
    """A world that the system can play on."""
    return FIXED if "one parameter" in systems()[name].needs else PERSONAL


@pytest.mark.parametrize("name", NAMES)
def test_a_system_keeps_its_ledger_and_its_word(name, tmp_path):
    """With delta = 1/(MT) no set fails and no best arm is dropped in eight runs; numbers are at most the formula."""
    system, world = systems()[name](), world_of(name)
    found = compete(system, world, 8, 0)
    sent = found.record.total_traffic("numbers_up") + found.record.total_traffic("numbers_down")
    assert 0 < sent.max() <= system.numbers_at_most(found.sizes)
    assert found.kept.all()
    most = sum(world.world.largest_losses([300] * 4))
    assert 0 < found.record.total_regret.mean() < 0.8 * most
    assert sum(found.record.per_agent) == pytest.approx(found.record.total_regret.mean())
    save(found.record, tmp_path / "record.json")
    assert np.array_equal(load(tmp_path / "record.json").traffic, found.record.traffic)


def test_numbers_are_at_most_what_is_counted_by_hand():
    """p: numbers of a matrix and a vector. R: the most that ln det(I + sum of M T terms) can grow."""
    M, K, d, T, own = 4, 5, 3, 10**6, 2
    p = {w: w * (w + 3) / 2 for w in (own, d, 8)}
    R = {w: w * math.log(1 + M * T / w) for w in p}
    counted = {
        "nystrom_kernel_ucb": 2 * M * p[8] * (2 * R[8] * M + 1 + 8) + (M + 1) * 8 * d,
        "fedlinucb": 2 * p[d] * (M + M**2 + 1) * (R[d] / math.log(2) + 1),
        "async_linucb": M * p[d] * 2 * R[d] * M**0.5,
        "async_linucb_am": M * p[own] * 2 * R[own] * M**0.5,
        "fed_pe": M * (K + d + p[d]) * 19,  # 2^20 - 1 > T
        "delb": (K + M - 1 + M * d) * 12,  # 4^11 < 2 M T < 4^12
    }
    for name, numbers in counted.items():
        found = systems()[name]().numbers_at_most(Sizes(M, K, d, T, own))
        assert found == pytest.approx(numbers, rel=1e-12), name


@pytest.mark.parametrize("name", NAMES)
def test_a_system_names_its_paper_and_what_is_simplified(name):
    import importlib

    head = importlib.import_module(f"fedigw_extensions.rivals.systems.{name}").__doc__ or ""
    assert "The paper" in head
    assert "Simplified:" in head


def failures(system: Any, world: Federation, runs: int = 100) -> int:
    return int((~compete(system, world, runs, 3).kept).sum())


@pytest.mark.parametrize("name", [n for n in NAMES if "delta" in systems()[n].__dataclass_fields__])
def test_what_is_proved_at_level_delta_fails_no_more_often(name):
    """100 runs at delta = 0.2: more than 35 failures would have a chance below 3e-4 (binomial)."""
    world = world_of(name).with_plan(type(FIXED.plan)(FIXED.plan.full[:6], FIXED.plan.played[:6]))
    assert failures(systems()[name](delta=0.2), world) <= 35


def test_sets_that_are_too_small_are_noticed(monkeypatch):
    """The control of the test above: a radius of a tenth fails almost always."""
    real = optimism.radius
    monkeypatch.setattr(optimism, "radius", lambda *asked: real(*asked) / 10)
    assert failures(DisLinUCB(delta=0.2), FIXED) > 90
    assert failures(AsyncLinUCB(delta=0.2), FIXED) > 90


def test_fedglb_ucb_learns_with_the_link_of_the_world(monkeypatch):
    """On logistic rewards sets hold the parameter, the ledger is below the formula, and estimates are as near the
    minimiser, computed by another program, as norm(gradient) <= 1/10 makes them. Sets of a tenth fail."""
    world = finite_contexts.make(RNG(1), 2, 3, 3, 4, 512, loss={"name": "logistic", "radius": 3})
    system, c, share = FedGLBUCB(delta=0.2), Logistic(3.0).curvatures[0], Descent.share
    apart = []

    def watched(exchange: Descent, r: int) -> tuple[np.ndarray, np.ndarray]:
        gram, moment = share(exchange, r)
        phi = np.concatenate([features[r] for features, _ in exchange.seen])
        rewards = np.concatenate([reward[r] for _, reward in exchange.seen])[None]
        away = np.linalg.solve(gram, moment) - minimisers(phi, np.ones_like(rewards), rewards, 3.0, c)[0]
        apart.append(c * math.sqrt(away @ gram @ away))
        return gram, moment

    monkeypatch.setattr(Descent, "share", watched)
    found = compete(system, world, 20, 3)
    assert max(apart) <= 0.1
    sent = found.record.total_traffic("numbers_up") + found.record.total_traffic("numbers_down")
    assert 0 < sent.max() <= system.numbers_at_most(found.sizes)
    assert found.kept.all()
    assert found.record.total_regret.mean() < 0.2 * sum(world.world.largest_losses([512] * 4))
    reach = FedGLBUCB.reach
    monkeypatch.setattr(FedGLBUCB, "reach", lambda *asked: reach(*asked) / 10)
    assert failures(system, world, 20) > 15


def test_elimination_that_is_too_eager_is_noticed(monkeypatch):
    """With delta = 0.999... as if hardly any sample were needed, the best arm is dropped in many runs."""
    monkeypatch.setattr("fedigw_extensions.rivals.systems.delb.phases", lambda sizes: 0.09)
    assert failures(DELB(delta=0.7), FIXED) > 10


def test_synchronising_in_every_step_shares_everything():
    """D nearly 0: every step ends with a synchronisation of all, of 2M(d(d+1)/2 + d) numbers."""
    found = compete(DisLinUCB(threshold=1e-9), FIXED, 2, 0).record
    assert set(found.total_traffic("rounds")) == {300}
    assert set(found.total_traffic("numbers_up")) == {300 * 4 * 9}
    alone = compete(DisLinUCB(threshold=math.inf), FIXED, 20, 0).record
    assert alone.total_traffic("numbers_up").max() == 0
    together = compete(DisLinUCB(threshold=1e-9), FIXED, 20, 0).record
    assert together.total_regret.mean() < 0.7 * alone.total_regret.mean()


def test_beliefs_are_what_the_normal_equations_give():
    rng, beliefs = RNG(0), optimism.Beliefs.start(2, 3, 4)
    features, rewards = rng.normal(size=(50, 2, 3, 4)) / 3, rng.random((50, 2, 3))
    for phi, reward in zip(features, rewards, strict=True):
        beliefs.learn(phi, reward)
    gram = np.eye(4) + np.einsum("trmd,trme->rmde", features, features)
    moment = np.einsum("trmd,trm->rmd", features, rewards)
    assert np.allclose(beliefs.estimates, np.linalg.solve(gram, moment[..., None])[..., 0])
    assert np.allclose(beliefs.log_det, np.linalg.slogdet(gram)[1])
    back = optimism.unpacked(optimism.packed(gram, moment), 4)
    assert np.array_equal(back[0], (gram + gram.swapaxes(-1, -2)) / 2) or np.allclose(back[0], gram)
    assert np.array_equal(back[1], moment)


def test_the_optimal_design_makes_the_largest_leverage_d():
    """Kiefer and Wolfowitz; and for several agents the sum of the largest leverages is d (Huang et al. 2021)."""
    features = RNG(2).normal(size=(3, 8, 4))
    one = features[:1]
    shares = optimal_design(one, np.ones((1, 8), dtype=bool), np.ones(1))
    assert leverage(one, information(one, shares)).max() == pytest.approx(4, rel=0.05)
    active = np.ones((3, 8), dtype=bool)
    active[0, 3:] = False
    shares = optimal_design(features, active, np.ones(3))
    spread = np.where(active, leverage(features, information(features, shares)), 0.0)
    assert spread.max(axis=1).sum() == pytest.approx(4, rel=0.05)
    assert not shares[0, 3:].any()
    assert whole_counts(shares, 17).sum(axis=1).tolist() == [17, 17, 17]
    assert shared_out(np.array([3, 0, 4]), 2).tolist() == [[3, 0, 1], [0, 0, 3]]


def test_a_lossy_link_works_with_a_rival_too():
    coarse = replace(FIXED, link=Link(encoder=Quantise()))
    record = compete(DisLinUCB(), coarse, 3, 0).record
    assert record.total_traffic("bits_up").max() < 64 * record.total_traffic("numbers_up").max() / 2


@pytest.mark.parametrize(
    ("name", "world", "words"),
    [
        ("delb", different_laws.make(RNG(0), agents=3, horizon=8), "needs"),
        ("disbe_lucb", sphere.make(RNG(0), agents=3, horizon=8), "known|know"),
        ("fed_pe", finite_contexts.make(RNG(0), agents=3, horizon=8), "one fixed context"),
        ("dislinucb", PERSONAL, "must be at most 1 for an algorithm"),
        (
            "dislinucb",
            FIXED.with_plan(asynchronous_plan([[2, 2], [3, 2], [2, 2], [2, 2]], 4)),
            "needs clocks",
        ),
    ],
)
def test_a_world_that_does_not_fit_is_refused(name, world, words):
    with pytest.raises(InputError, match=words):
        compete(systems()[name](), world, 1, 0)


def test_simulate_runs_a_rival(capsys, monkeypatch):

    monkeypatch.chdir(Path(__file__).resolve().parents[3])
    words = ["simulate", "examples/rivals.toml", "--system", "delb", "--replications", "3", "--set"]
    document = answered(capsys, *words, "horizon=64", "system.delta=0.1")
    assert document["system"] == "delb"
    assert document["bounds"]["regret"] is None  # nothing with constants is proved for it
    assert document["bounds"]["numbers"]["measured"] <= document["bounds"]["numbers"]["value"]
    assert main([*words, "horizon=64"]) == 0
    assert "is not FedIGW" in capsys.readouterr().out
    refused(capsys, [*words, "system.delta=2"], "system.delta")


def test_every_step_must_be_played():
    game = Game(FIXED.world, sizes_of(DELB(), FIXED), [300], 1, RNG(0))
    with pytest.raises(AssertionError, match="not played"):
        game.finish()
