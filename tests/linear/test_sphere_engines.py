"""The sphere's engines: one law, agents in one stretch of steps told apart, rates and arms beyond the usual."""

from dataclasses import replace

import numpy as np
import pytest

from fedigw.interfaces import Acting, Steps
from fedigw.parts import protocols
from fedigw.replications import by_messages, pooled
from linear.contexts.engines import drawn as drawn_engine
from linear.contexts.engines import plane
from linear.contexts.sphere import Lane, engine
from linear.environments import sphere

PROTOCOLS = protocols(("linear.protocols",))
RNG = np.random.default_rng


def with_protocol(instance, name):
    return replace(instance, protocol=PROTOCOLS[name]())


@pytest.mark.parametrize("dimension", [2, 3, 4, 7, 40])
def test_sphere_engines_have_one_law(dimension):
    rng = np.random.default_rng(3)
    instance = sphere.make(rng, dimension=dimension, arms=3)
    estimate = instance.world.parameter + 0.3 * rng.standard_normal(dimension)
    act = Acting(instance.model, estimate, instance.policy, 20.0)
    job = Lane(3, act, (20_000, 0, 20_000), instance.world.parameter, "bernoulli")
    one, two = [engine(name)(job, np.random.default_rng(4)) for name in ("drawn", "plane")]
    # entries are means of 40000 variables in [-1, 1] (times 40000): five standard errors of a difference
    allowance = 5 * np.sqrt(2 / 40_000)
    assert np.abs(one.gram - two.gram).max() / 40_000 < allowance / 2  # products of entries <= 1/sqrt2
    assert np.abs(one.moment - two.moment).max() / 40_000 < allowance
    assert np.abs(one.lost - two.lost).max() / 20_000 < 5 * np.sqrt(2 / 20_000)
    assert np.trace(two.gram[0]) == pytest.approx(40_000, rel=1e-5)  # norm(phi) = 1
    assert one.lost[1] == two.lost[1] == 0


@pytest.mark.parametrize("name", ["drawn", "plane"])
def test_pieces_of_a_lane_are_parts_of_the_whole(name):
    """The same stream told apart: what each agent met adds up to what all did, whatever the chunks are."""
    instance = sphere.make(np.random.default_rng(3), dimension=4, arms=3)
    act = Acting(instance.model, instance.world.parameter, instance.policy, 20.0)
    pieces = (5000, 1, 0, 7999, 3)
    whole, apart, alone = [
        engine(name)(Lane(3, act, cut, instance.world.parameter, "bernoulli", False, told), RNG(4))
        for cut, told in ((pieces, False), (pieces, True), ((sum(pieces),), False))
    ]
    np.testing.assert_allclose(apart.gram.sum(axis=0), whole.gram[0], rtol=1e-10)
    np.testing.assert_allclose(apart.moment.sum(axis=0), whole.moment[0], rtol=1e-10)
    np.testing.assert_allclose(apart.lost, whole.lost)
    np.testing.assert_allclose(alone.lost[0], whole.lost.sum())
    np.testing.assert_allclose(np.trace(apart.gram, axis1=1, axis2=2), pieces, rtol=1e-5)


def test_a_lane_tells_agents_apart():
    """The parts of every agent add up, with and without a cut epoch."""
    made = sphere.make(np.random.default_rng(0), dimension=4, arms=2, agents=3)
    act = Acting(made.model, made.world.parameter, made.policy, 20.0)
    for steps in (
        [Steps(200, 200), Steps(50, 50), Steps(90, 90)],
        [Steps(200, 10), Steps(50, 50), Steps(90, 0)],
    ):
        found = made.world.play_each([act] * 3, steps, RNG(1))
        assert [round(np.trace(one.data.gram)) for one in found] == [one.full for one in steps]
        again = made.world.play_each([act] * 3, steps, RNG(1))
        assert [one.regret for one in again] == [one.regret for one in found]
    assert found[2].regret == 0 < found[1].regret


def test_the_paths_of_the_sphere_agree():
    """All agents in one stretch of steps and their sums, against every agent's own messages."""
    made = sphere.make(np.random.default_rng(2), dimension=4, arms=3, agents=4, horizon=64)
    for protocol in ("direct", "agd"):
        runs = 100 if protocol == "direct" else 40
        loop, fast = (path(with_protocol(made, protocol), runs, 0) for path in (by_messages, pooled))
        for a, b in zip(loop.regret.T, fast.regret.T, strict=True):
            error = np.hypot(a.std(), b.std()) / np.sqrt(runs)
            assert abs(a.mean() - b.mean()) < 4.5 * error  # 4.5 standard errors: 1e-5 a comparison
        assert fast.traffic[0].tolist() == loop.traffic[0].tolist()
        assert sum(fast.per_agent) == pytest.approx(fast.total_regret.mean())


def test_rates_beyond_single_precision_are_greedy():
    """1e99 overflows a float32, and 0 times infinity is no gap: such a rate plays the greedy arm alone."""
    made = sphere.make(np.random.default_rng(0), dimension=4, arms=5)
    act = Acting(made.model, made.world.parameter, made.policy, 1e99)
    for name in ("drawn", "plane"):
        with np.errstate(over="raise", invalid="raise"):
            found = engine(name)(Lane(5, act, (4000,), made.world.parameter, "bernoulli"), RNG(0))
        assert found.lost[0] < 1e-4 * 4000  # the estimate is the truth, so the greedy arm is the best


def test_many_arms_are_chosen_from_as_few_are():
    """Beyond FEW arms other numpy calls do the same: one law with every coordinate drawn."""
    made = sphere.make(np.random.default_rng(0), dimension=4, arms=70)
    act = Acting(made.model, made.world.parameter * 0.9, made.policy, 100.0)
    job = Lane(70, act, (4000,), made.world.parameter, "bernoulli")
    one, two = [engine(name)(job, RNG(5)) for name in ("drawn", "plane")]
    assert abs(one.lost[0] - two.lost[0]) / 4000 < 5 * np.sqrt(2 / 4000) * 0.25  # a step loses about 0.1
    assert np.abs(one.gram - two.gram).max() / 4000 < 5 * np.sqrt(2 / 4000) / 2


@pytest.mark.parametrize("bits", [0, 2**64 - 1])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_the_ends_of_the_grid_of_uniforms_are_harmless(bits, count):
    """A uniform that is 0 or 1: an exponential of 0 has a direction, powers are finite, nothing is divided by 0."""

    class Words:
        def random_raw(self, size):
            return np.full(size, bits, dtype=np.uint64)

    class Stuck:
        bit_generator = Words()

    with np.errstate(all="raise", under="ignore"):
        away = plane.normals(Stuck(), count, 3)
        assert (np.einsum("in,in->n", away, away) > 1e-37).all()
        drawn = plane.uniforms(Stuck(), np.empty(3, dtype=np.float32))
        assert 1 <= drawn.min() <= drawn.max() < 2
        plane.powers(drawn, 2 / count)
    assert 0 < drawn.min() <= drawn.max() <= 1


def test_a_direction_that_was_drawn_as_zero_is_one(monkeypatch):
    monkeypatch.setattr(drawn_engine, "draw_contexts", lambda rng, out: out.fill(0))
    made = sphere.make(RNG(0), dimension=3, arms=2)
    act = Acting(made.model, made.world.parameter, made.policy, 20.0)
    found = engine("drawn")(Lane(2, act, (10,), made.world.parameter, "bernoulli"), RNG(0))
    assert np.trace(found.gram[0]) == pytest.approx(10)
