"""Learning rates from the data with linear rewards: ellipsoids hold w*, both paths agree, what is missing is named."""

import dataclasses
import json
import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds import own_adaptive_linear
from bounds.errors import InputError
from fedigw.adapting import closing
from fedigw.applicable import declared_cost
from fedigw.rates import AdaptiveRates
from fedigw.replications import by_messages, pooled, simulate
from fedigw.running import Pooled
from finite_class.environments import random_table
from linear.adaptive import Adapting, Ellipsoid
from linear.contexts.engines import plane, plane_charge
from linear.contexts.engines.plane import plane_basis
from linear.contexts.engines.plane_charge import PlaneCharge
from linear.environments import different_laws, finite_contexts, gap_one, rare_direction, sphere
from linear.federations import changed
from linear.joint import AllData
from linear.personalised.environments import opposite_arms
from linear.protocols.agd import AcceleratedGradient
from verify.cli import main

RNG = np.random.default_rng


def adaptive(federation: Any, delta: float = 0.05) -> Any:
    return dataclasses.replace(federation, rates=AdaptiveRates(delta))


def on_all_data(federation: Any) -> Any:
    return dataclasses.replace(
        adaptive(federation), plan=dataclasses.replace(federation.plan, cumulative=True)
    )


def test_the_radius_by_hand() -> None:
    """d_eff = 4, L/delta = e^2: (1/2) sqrt(4 + 2 sqrt 8 + 4) + 1."""
    found = own_adaptive_linear.radius(np.array([4.0]), 1, math.exp(-2))
    assert found[0] == pytest.approx(0.5 * math.sqrt(4 + 2 * math.sqrt(8) + 4) + 1)


def test_every_ellipsoid_holds_the_parameter() -> None:
    """300 ridge fits on fixed features: norm(w_S - w*)_A above the radius in a share of at most delta = 0.1."""
    rng, d, n = RNG(0), 4, 200
    features = rng.normal(size=(n, d))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    features[:, 0] = abs(features[:, 0])
    truth = np.array([0.4, 0.1, -0.1, 0.05])
    means = np.clip(features @ truth, 0, 1)
    features, means = features[features @ truth >= 0], means[features @ truth >= 0]
    system = features.T @ features + np.eye(d)
    effective = np.array(np.trace(np.linalg.solve(system, features.T @ features)))
    radius = own_adaptive_linear.radius(effective, 1, 0.1)
    outside = 0
    for _ in range(300):
        estimate = np.linalg.solve(system, features.T @ (rng.random(len(means)) < means))
        outside += float((estimate - truth) @ system @ (estimate - truth)) > float(radius) ** 2
    assert outside <= 30


@pytest.mark.parametrize("make", [gap_one.make, finite_contexts.make, different_laws.make])
def test_both_paths_agree_and_no_bound_is_exceeded(make: Any) -> None:
    federation = adaptive(make(RNG(0), arms=3, dimension=3, agents=3, horizon=64))
    together, one_by_one = pooled(federation, 300, 1), by_messages(federation, 40, 2)
    for column in range(federation.plan.epochs):
        a, b = together.regret[:, column], one_by_one.regret[:, column]
        error = math.sqrt(a.var() / len(a) + b.var() / len(b))
        assert abs(a.mean() - b.mean()) <= 4.5 * error + 1e-9  # 4.5 standard errors: 1e-5 a comparison
    np.testing.assert_array_equal(together.traffic[0], one_by_one.traffic[0])
    assert together.observed is not None
    assert (together.total_regret <= together.observed.bound).mean() > 0.95
    assert (np.diff(together.observed.rates, axis=1) >= 0).all()


def test_the_bound_is_the_largest_regret_over_the_ellipsoid() -> None:
    """One epoch: against the regret under many parameters of the ellipsoid, none above, some close."""
    federation = adaptive(finite_contexts.make(RNG(1), arms=3, dimension=3, agents=2, horizon=8))
    state = Adapting(federation, 1)
    system, centre, rng = np.diag([40.0, 60.0, 90.0])[None], np.array([[0.3, 0.2, 0.1]]), RNG(2)
    state.learn(centre, system, 100)
    state.played_epoch(0)
    bound = float(state.observed().bound[0])
    one, epoch = state.ellipsoids[0], state.played[0]
    directions = rng.normal(size=(4000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    tried = centre + float(one.radius[0]) * directions / np.sqrt([40.0, 60.0, 90.0])
    values = epoch.contexts.features @ tried.T  # (X, K, n)
    lost = values.max(axis=1) - np.einsum("xd,nd->xn", epoch.mean[0], tried)
    largest = epoch.steps * float(epoch.contexts.law @ np.minimum(1.0, lost.max(axis=1)))
    assert 0.97 * bound <= largest <= bound + 1e-9


@pytest.mark.parametrize("engine", ["plane", "drawn"])
def test_streamed_contexts_are_charged_as_they_are_met(engine: str) -> None:
    """On the sphere: the bound is above the regret, below that without learning, and the same for the same seed."""
    run = adaptive(sphere.make(RNG(0), dimension=3, arms=3, agents=2, horizon=300, engine=engine))
    record, again = simulate(run, 3, 1), simulate(run, 3, 1)
    assert record.observed is not None
    assert again.observed is not None
    np.testing.assert_array_equal(record.observed.bound, again.observed.bound)
    assert (record.total_regret <= record.observed.bound).all()
    assert (record.observed.bound < 600).all()
    assert (
        record.total_regret.mean() < simulate(adaptive(run).with_rates("sharpened"), 3, 1).total_regret.mean()
    )


@pytest.mark.parametrize("dimension", [2, 3, 4, 5, 9])
def test_the_plane_is_charged_no_less_than_whole_features(
    dimension: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step by step, with the cosines that these very features have; the same where the plane is all there is."""
    rng, arms, steps, rate = RNG(dimension), 4, 300, np.float32(30)
    made = sphere.make(rng, dimension=dimension, arms=arms)
    truth, root = made.world.parameter, math.sqrt(0.5)
    centre = truth + 0.1 * rng.standard_normal(dimension)
    spread = rng.standard_normal((dimension, 3 * dimension))
    inverse, radius = np.linalg.inv(np.eye(dimension) + 20 * spread @ spread.T), 2.5
    features = made.world.agents[0].meet((1, steps), truth, rng)[0][0]
    basis = plane_basis(centre, truth)
    turned = features[..., 1:] @ basis / root
    z, away = turned[..., : min(2, dimension - 1)], turned[..., 2:]
    state = Adapting(adaptive(finite_contexts.make(RNG(0), arms=arms, dimension=dimension)), 1)
    state.ellipsoids.append(Ellipsoid(centre[None], inverse[None], np.array([radius])))
    charge = PlaneCharge.of(basis, centre, inverse, radius)
    for x in range(steps):
        greedy = np.array([int(z[x, :, 0].argmax())])
        score = z[x, :, :1].astype(np.float32)
        p = plane.chances(score, greedy, rate, np.empty((arms, 1), dtype=np.float32))
        tail = (away[x] ** 2).sum(axis=1)
        cosine = away[x] @ away[x, greedy[0]] / np.sqrt(np.maximum(tail * tail[greedy[0]], 1e-30))
        fill = partial(_filled, cosine.astype(np.float32)[:, None])
        monkeypatch.setattr(plane_charge, "cosines", fill)
        spare = tuple(np.empty((4, arms, 1), dtype=np.float32))
        told = plane.Drawn(
            z[x].T[..., None].astype(np.float32), tail[:, None].astype(np.float32), p.copy(), greedy, spare
        )
        found = charge(told, rng)
        apart = features[x] - p[:, 0] @ features[x]
        exact = float(state.charged(apart[None, None])[0, 0])
        assert exact <= found
        assert found <= exact + 2e-5 or dimension > 3


def _filled(values: np.ndarray, rng: Any, dimensions: int, out: np.ndarray, spare: np.ndarray) -> None:
    out[...] = values


@pytest.mark.parametrize("dimensions", [1, 2, 3, 7])
def test_cosines_are_those_of_uniform_directions(dimensions: int) -> None:
    """Mean 0, second moment 1/r, fourth 3/(r (r+2)): five standard errors of 40,000."""
    out, spare = np.empty((2, 100, 400), dtype=np.float32)
    plane_charge.cosines(RNG(0), dimensions, out, spare)
    error = 5 / 200
    assert abs(out.mean()) < error
    assert abs((out**2).mean() - 1 / dimensions) < error
    assert abs((out**4).mean() - 3 / (dimensions * (dimensions + 2))) < error


@pytest.mark.parametrize(
    ("federation", "words"),
    [
        (changed(finite_contexts.make(RNG(0), horizon=16), regularisation=2.0), "needs regularisation 1"),
        (changed(finite_contexts.make(RNG(0), horizon=16), protocol=AcceleratedGradient()), "does not keep"),
        (opposite_arms.make(RNG(0), agents=3, horizon=16), "linear_personalised models do not have"),
    ],
)
def test_what_is_missing_is_named(federation: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        simulate(adaptive(federation), 2, 0)


@pytest.mark.parametrize("make", [gap_one.make, rare_direction.make, sphere.make])
def test_the_bound_holds_for_any_multiplier_and_the_rates_grow_with_it(make: Any) -> None:
    federation = make(RNG(0), arms=3, dimension=3, agents=3, horizon=256)
    few, many = (
        simulate(federation.with_rates({"name": "adaptive", "multiplier": m}), 20, 3) for m in (16, 4096)
    )
    assert few.observed is not None
    assert many.observed is not None
    usual = simulate(federation.with_rates("adaptive"), 20, 3)
    np.testing.assert_array_equal(few.total_regret, usual.total_regret)  # 16 is what it is if nothing is said
    assert (many.observed.rates[:, 1] > 200 * few.observed.rates[:, 1]).all()
    assert (many.total_regret <= many.observed.bound).all()  # delta = 0.05, but the ellipsoids are generous


def test_a_multiplier_survives_its_file_and_bad_ones_are_refused() -> None:
    federation = sphere.make(RNG(0), 3, 3, 2, 16)
    table = {"name": "adaptive", "delta": 0.1, "multiplier": 64.0}
    assert federation.with_rates(table).rates.describe() == table
    for bad in (0, -1, "many", float("inf")):
        with pytest.raises(InputError, match=r"learning_rate.multiplier"):
            federation.with_rates(table | {"multiplier": bad})
    with pytest.raises(InputError, match="is for linear rewards"):
        simulate(random_table.make(RNG(0), 3, 2, 2, 2, 16).with_rates(table), 1, 0)


@pytest.mark.parametrize(
    ("file", "verdict"), [("rivals", "measured"), ("federation", "proved")], ids=["linear", "finite"]
)
def test_the_observed_bound_has_the_verdict_of_its_own_argument(file, verdict, capsys) -> None:
    """With linear rewards it rests on a cited tail, which Coq has not checked."""
    path = Path(__file__).resolve().parents[2] / "examples" / f"{file}.toml"
    words = ["simulate", str(path), "--set", "learning_rate=adaptive", "horizon=16", "--replications", "2"]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["observed"]["verdict"] == verdict


@pytest.mark.parametrize("make", [finite_contexts.make, different_laws.make])
def test_on_all_data_the_regret_of_every_truth_in_an_ellipsoid_is_below_the_joint_bound(make: Any) -> None:
    """Deterministic: truths on the surface of each ellipsoid against the bound that is made from it."""
    made = make(RNG(1), dimension=3, contexts=4, arms=3, agents=2, horizon=64)
    made = on_all_data(made)
    chooser: Any = AllData(made, 2)
    before: Any = None
    for epoch, segment in enumerate(made.plan.segments):
        runner = Pooled(made, RNG(epoch), 2)
        data = runner.play(*chooser.in_use(), segment).data
        before = data if epoch == 0 else made.model.accumulated(before, data)
        chooser.played_epoch(epoch)
        problem = made.model.pooled_problem(before, epoch + 1)
        chooser.learn(problem.minimiser(), made.protocol.knowledge(problem, None), problem.samples)
    for one in chooser.joint_ellipsoids():
        chooser.joint_ellipsoids = lambda one=one: [one]
        bound = chooser.observed().bound
        root = np.linalg.cholesky(one.inverse)
        for direction in RNG(2).normal(size=(300, 3)):
            step = np.einsum("rij,j->ri", root, direction / np.linalg.norm(direction))
            truth = one.centre + one.radius[:, None] * step
            lost = np.zeros(2)
            for played in chooser.played:
                best = np.einsum("xkd,rd->rxk", played.contexts.features, truth).max(axis=2)
                mean = np.einsum("rxd,rd->rx", played.mean, truth)
                lost += played.steps * (np.minimum(1, best - mean) @ played.contexts.law)
            assert (lost <= bound * (1 + 1e-9)).all()


def test_what_the_bound_on_all_data_asks_of_the_agents_is_in_the_ledger() -> None:
    made = finite_contexts.make(RNG(1), dimension=3, contexts=4, arms=3, agents=2, horizon=16)
    made = on_all_data(made)
    calls, epochs, M, d = made.plan.calls, made.plan.epochs, 2, 3
    found = by_messages(made, 1, 0)
    np.testing.assert_array_equal(found.traffic[0], [list(vars(t).values()) for t in declared_cost(made)])
    assert closing(made).numbers_up == M * calls * (epochs * (d + 1) + 5 * (6 + 1))
    assert closing(made).numbers_down == M * calls * (d + 6 + 1)
    together = pooled(made, 300, 1)
    assert (together.total_regret <= together.observed.bound).all()
    with pytest.raises(
        InputError, match="needs calls that learn from one epoch, or linear rewards and finitely"
    ):
        by_messages(on_all_data(sphere.make(RNG(0), horizon=16)), 1, 0)
