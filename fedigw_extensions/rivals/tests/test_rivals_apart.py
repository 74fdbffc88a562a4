"""Rival systems whose agents differ: clocks, numbers of arms, tables without features; and the systems' own parts."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from fedigw.clocks.bursts import Bursts
from fedigw.clocks.late import Late
from fedigw.clocks.periodic import Periodic
from fedigw.competing import compete, sizes_of
from fedigw.federation import Federation
from fedigw.game import Game, Sizes, met_by_agent
from fedigw.parts import systems
from fedigw.timing import Timing
from fedigw_extensions.rivals.optimism import Beliefs
from fedigw_extensions.rivals.systems import disbe_lucb
from fedigw_extensions.rivals.systems.async_linucb_am import AsyncLinUCBAM
from fedigw_extensions.rivals.systems.dislinucb import DisLinUCB
from fedigw_extensions.rivals.systems.fed_pe import FedPE
from fedigw_extensions.rivals.systems.fedlinucb import FedLinUCB
from fedigw_extensions.rivals.systems.fedres_sgd import FedResSGD
from fedigw_extensions.rivals.systems.fn_ucb import FNUCB, behind, tangent_features
from fedigw_extensions.rivals.systems.mean_averaging import MeanAveraging
from fedigw_extensions.rivals.systems.nystrom_kernel_ucb import NystromKernelUCB
from finite_class.federations import finite_federation
from finite_class.world import Agent
from linear.contexts.finite import FiniteContexts
from linear.environments import finite_contexts, small_gap
from linear.federations import linear_federation
from linear.personalised.environments import opposite_arms
from linear.personalised.environments import small_gap as own_gap
from linear.personalised.world import PersonalisedWorld
from verify.instances import parse
from verify.verbs.simulate import simulate

RNG = np.random.default_rng
FIXED = finite_contexts.make(RNG(1), dimension=3, contexts=1, arms=4, agents=3, horizon=300)
SURE = replace(FIXED, world=replace(FIXED.world, rewards="deterministic"))
PERSONAL = opposite_arms.make(RNG(1), shared=3, own=2, contexts=3, arms=3, agents=3, horizon=300)
ENDS = (10, 40, 100, 220, 300)
CLOCKS = (Periodic(), Periodic(period=3, offset=2), Bursts(burst=2, pause=3))
APART = [name for name, part in systems().items() if part.clocks]


def ticking(
    federation: Federation, clocks: tuple[Any, ...] = CLOCKS, ends: tuple[int, ...] = ENDS
) -> Federation:
    timing = Timing(ends[-1], ends, clocks)
    return replace(federation, plan=timing.plan(), timing=timing)


def test_the_systems_about_asynchronous_agents_take_clocks():
    assert set(APART) == {"fedlinucb", "async_linucb", "async_linucb_am"}


@pytest.mark.parametrize("name", APART)
def test_a_system_with_clocks_keeps_its_ledger_and_its_word(name):
    world = ticking(PERSONAL if name == "async_linucb_am" else FIXED)
    system = systems()[name]()
    found = compete(system, world, 6, 0)
    sent = found.record.total_traffic("numbers_up") + found.record.total_traffic("numbers_down")
    assert 0 < sent.max() <= system.numbers_at_most(found.sizes)
    assert found.kept.all()
    assert found.sizes.together == 300 + 100 + 120
    assert found.record.played == world.plan.played
    assert sum(found.record.per_agent) == pytest.approx(found.record.total_regret.mean())
    most = np.array([world.world.largest_losses(row) for row in world.plan.played])
    assert (found.record.regret <= most.sum(axis=1) + 1e-9).all()
    assert (np.array(found.record.per_agent) <= most.sum(axis=0) + 1e-9).all()


def test_everybody_at_every_second_time_is_half_the_horizon():
    """Nothing is drawn in this world, so the two runs are the same to the last number."""
    slow = ticking(SURE, (Periodic(period=2),) * 3, (20, 80, 300))
    plan = replace(FIXED.plan, full=slow.plan.full, played=slow.plan.played)
    together = compete(FedLinUCB(), SURE.with_plan(plan), 1, 0).record
    apart = compete(FedLinUCB(), slow, 1, 0).record
    assert np.allclose(apart.regret, together.regret)
    assert np.array_equal(apart.traffic, together.traffic)


def test_clocks_by_a_plain_loop():
    """FedLinUCB, agent after agent, each when its clock ticks."""
    world, system = ticking(SURE), FedLinUCB()
    sizes = sizes_of(system, world)
    fast = compete(system, world, 1, 0).record
    arms, truth = FIXED.world.agents[0].features[0], FIXED.world.parameter
    beta, alpha = system.reach(Beliefs.start(1, 1, 3), sizes)[0, 0], system.usual(sizes)
    server, moment = np.eye(3), np.zeros(3)
    used = [(np.eye(3), np.zeros(3)) for _ in range(3)]
    new = [(np.zeros((3, 3)), np.zeros(3)) for _ in range(3)]
    regret, uploads = [0.0, 0.0, 0.0], 0
    for time in range(1, 301):
        for m, clock in enumerate(CLOCKS):
            if clock.count(time) == clock.count(time - 1):
                continue
            inverse = np.linalg.inv(used[m][0])
            width = np.sqrt(np.einsum("kd,de,ke->k", arms, inverse, arms))
            arm = int(np.argmax(arms @ inverse @ used[m][1] + beta * width))
            regret[m] += float((arms @ truth).max() - arms[arm] @ truth)
            phi, reward = arms[arm], arms[arm] @ truth
            new[m] = (new[m][0] + np.outer(phi, phi), new[m][1] + phi * reward)
            if np.linalg.det(used[m][0] + new[m][0]) > (1 + alpha) * np.linalg.det(used[m][0]):
                server, moment, uploads = server + new[m][0], moment + new[m][1], uploads + 1
                used[m], new[m] = (server, moment), (np.zeros((3, 3)), np.zeros(3))
    assert fast.per_agent == pytest.approx(regret)
    assert fast.total_traffic("messages_up")[0] == uploads


def test_one_that_joins_late_neither_loses_nor_uploads_before():
    world = ticking(FIXED, (Periodic(), Periodic(), Late(join=100)), (150, 300))
    assert world.plan.played[0][2] == 51
    game = Game(world.world, sizes_of(FedLinUCB(), world), [150, 300], 2, RNG(0), acting=_acting(world))
    steps = game.steps()
    features, pull = next(steps)
    assert not features[:, 2].any()
    assert list(game.acting) == [True, True, False]
    worst = int(np.argmin(FIXED.world.agents[0].means(FIXED.world.parameter)))
    rewards = pull(np.full((2, 3), worst))
    assert not rewards[:, 2].any()
    assert game._by_agent[2] == 0 < game._by_agent[0]


def _acting(world: Federation) -> np.ndarray:
    from fedigw.competing import times_of

    acting = times_of(world)[1]
    assert acting is not None
    return acting


@pytest.mark.parametrize("name", sorted(set(systems()) - set(APART)))
def test_the_others_refuse_clocks_in_one_line(name):
    world = ticking(PERSONAL if name == "fedres_sgd" else FIXED)
    with pytest.raises(InputError, match="act in step"):
        compete(systems()[name](), world, 1, 0)


def test_clocks_that_always_tick_are_agents_in_step():
    found = compete(DisLinUCB(), ticking(SURE, (Periodic(),) * 3, (30, 300)), 1, 0).record
    plain = compete(DisLinUCB(), SURE, 1, 0).record
    assert found.total_regret == pytest.approx(plain.total_regret)


def unequal(first_again: bool) -> Federation:
    """Three agents with 2, 4 and 3 arms; first_again: by hand, their first arm in the places that are left."""
    arms = FIXED.world.agents[0].features[0]
    places = [[0, 1, 0, 0], [0, 1, 2, 3], [1, 2, 3, 1]] if first_again else [[0, 1], [0, 1, 2, 3], [1, 2, 3]]
    agents = tuple(FiniteContexts(arms[None, row], np.ones(1)) for row in places)
    return linear_federation(agents, FIXED.world.parameter, doubling_plan(200, 3))


@pytest.mark.parametrize("name", [n for n, p in systems().items() if p.needs == ("one parameter",)])
def test_fewer_arms_are_the_first_arm_again(name):
    """An index rule takes the first of equals, so both worlds are played alike, draw for draw."""
    found = compete(systems()[name](), unequal(False), 3, 0)
    again = compete(systems()[name](), unequal(True), 3, 0)
    assert np.array_equal(found.record.regret, again.record.regret)
    assert np.array_equal(found.record.traffic, again.record.traffic)
    assert found.kept.all()


def test_nobody_pulls_an_arm_it_has_not():
    """Epsilon-greedy draws among an agent's own arms; Fed-PE's design leaves the others out."""
    pulled: list[np.ndarray] = []

    class Watched(Game):
        def _earned(self, arms: np.ndarray, means: np.ndarray) -> np.ndarray:
            pulled.append(arms[0].max(axis=1))
            return super()._earned(arms, means)

        def runs(self, counts: np.ndarray) -> np.ndarray:
            pulled.append(np.array([np.flatnonzero(row)[-1] for row in counts]))
            return super().runs(counts)

    world = unequal(False)
    for system in (FedResSGD(), FedPE()):
        pulled.clear()
        game = Watched(world.world, sizes_of(system, world), [200], 1, RNG(0), arms_of=world.arms)
        system.play(game)
        assert np.max(pulled, axis=0).tolist() == [1, 3, 2]
        assert game.finish()[0].shape == (1, 1)


def test_places_that_are_left_hold_the_first_arm():
    few = (np.arange(6.0).reshape(1, 1, 2, 3), np.array([[[0.1, 0.2]]]), None)
    many = (np.zeros((1, 1, 3, 3)), np.array([[[0.3, 0.4, 0.5]]]), None)
    met = met_by_agent([few, many])
    assert met.means[0, :, 0].tolist() == [[0.1, 0.2, 0.1], [0.3, 0.4, 0.5]]
    assert met.features[0, 0, 0, 2].tolist() == [0, 1, 2]


def table(contexts: int = 1, own: tuple[int, ...] = (0, 1, 2)) -> Federation:
    rows = ((Fraction(3, 4), Fraction(1, 4), Fraction(1, 2)),) * contexts
    other = ((Fraction(0), Fraction(1), Fraction(0)),) * contexts
    agents = (
        Agent((Fraction(1, contexts),) * contexts, (0, 1, 2)),
        Agent((Fraction(1, contexts),) * contexts, own),
    )
    return finite_federation((rows, other), 0, agents, doubling_plan(2000, 2))


def test_mean_averaging_plays_on_a_finite_class():
    found = compete(MeanAveraging(), table(), 4, 0)
    assert found.kept.all()
    assert 0 < found.record.total_regret.max() < 0.25 * 4000
    sent = found.record.total_traffic("numbers_up") + found.record.total_traffic("numbers_down")
    assert 0 < sent.max() <= MeanAveraging().numbers_at_most(found.sizes)


def test_simulate_runs_a_rival_on_a_finite_class():
    """In 24 steps of epoch 1 no arm is dropped: each of two arms is pulled 12 times, by each of two agents."""
    table = {"kind": "finite_class", "functions": [[[0.5, 0.25]], [[0.25, 1]]], "truth": 1, "horizon": 24}
    found = simulate(table | {"agents": [{"contexts": [1]}] * 2, "system": "mean_averaging"}, replications=3)
    assert found.mean == 2 * 12 * 0.75
    assert found.interval[1] <= 2 * 24 * 0.75


@pytest.mark.parametrize(
    ("system", "world", "words"),
    [
        (MeanAveraging(), table(contexts=2), "one context and the same arms"),
        (MeanAveraging(), table(own=(0, 2)), "one context and the same arms"),
        (DisLinUCB(), table(), "linear worlds"),
    ],
)
def test_other_finite_classes_are_refused(system, world, words):
    with pytest.raises(InputError, match=words):
        compete(system, world, 1, 0)


def test_tangent_features_are_the_gradient_of_the_network():
    """By differences, over both layers; the signs of the second layer are left out of the features."""
    weights, x = FNUCB(width=6, seed=3).first(4), RNG(5).normal(size=4)
    signs = np.array([1.0, -1, 1, 1, -1, -1])

    def network(point: np.ndarray) -> float:
        inner, outer = point[:24].reshape(6, 4), point[24:]
        return float(outer @ np.maximum(inner @ x, 0)) / np.sqrt(6)

    start = np.concatenate([weights.ravel(), signs])
    steps = 1e-6 * np.eye(len(start))
    gradient = np.array([(network(start + s) - network(start - s)) / 2e-6 for s in steps])
    turned = np.concatenate([np.repeat(signs, 4), np.ones(6)])
    assert tangent_features(weights, x) * turned == pytest.approx(gradient, abs=1e-8)


def test_linear_rewards_are_linear_in_the_tangent_features():
    weights, xs, parameter = FNUCB().first(5), RNG(0).normal(size=(200, 5)), np.full(5, 5**-0.5)
    features, theta = tangent_features(weights, xs), behind(weights, parameter)
    assert features @ theta == pytest.approx(xs @ parameter)
    assert np.linalg.norm(theta) == pytest.approx(FNUCB.norm)
    assert (np.linalg.norm(features, axis=1) <= np.linalg.norm(xs, axis=1)).all()


@pytest.mark.parametrize("keys", [{"width": 3}, {"width": 0}, {"seed": -1}, {"delta": 1.5}])
def test_bad_keys_of_fn_ucb(keys):
    with pytest.raises(InputError):
        FNUCB(**keys)


def test_batches_of_disbe_lucb_cost_alike():
    """From the third on a batch's length over the root of the one before is 2 sqrt T; few batches are enough."""
    sizes = Sizes(10, 5, 5, 2**20, 5)
    ends = disbe_lucb.batch_ends(sizes)
    lengths = np.diff([0, *ends])
    assert lengths[0] == lengths[1]
    assert lengths[2:-1] / np.sqrt(lengths[1:-2]) == pytest.approx(2 * 2**10, rel=1e-3)
    assert ends[-1] == 2**20
    assert len(ends) <= 6
    assert disbe_lucb.batch_ends(Sizes(10, 5, 5, 1, 5)) == [1]


def test_the_kernel_trigger_does_not_wait():
    """Without the factor t - t_last the number of synchronisations depends on T through determinants alone."""
    short, long = (small_gap.make(RNG(0), gap=1.0, agents=4, horizon=T) for T in (64, 512))
    rounds = [
        compete(NystromKernelUCB(), world, 2, 0).record.total_traffic("rounds").mean()
        for world in (short, long)
    ]
    assert rounds[1] < 2 * rounds[0]


def test_small_gaps_are_what_they_say():
    for gap in (1.0, 0.25, 2.0**-8):
        world = small_gap.make(RNG(0), gap=gap, arms=3, contexts=2, agents=2, horizon=4).world
        means = world.agents[0].means(world.parameter)
        ordered = np.sort(means, axis=1)
        assert ordered[:, -1] - ordered[:, -2] == pytest.approx(gap)
        assert ordered[:, 0] == pytest.approx(ordered[:, 1])
        assert means.argmax(axis=1).tolist() == [0, 2]
    personal = own_gap.make(RNG(0), gap=0.25, agents=2, horizon=4).world
    found = [contexts.means(personal.truth(m))[0] for m, contexts in enumerate(personal.agents)]
    assert np.allclose(found, [[0.625, 0.375], [0.375, 0.625]])


@pytest.mark.parametrize("gap", [0.0, -0.5, 1.5])
def test_gaps_outside_are_refused(gap):
    for make in (small_gap.make, own_gap.make):
        with pytest.raises(InputError, match="gap"):
            make(RNG(0), gap=gap)


FEATURES = [[["1", "0"], ["0", "1"]], [["3/5", "4/5"], ["1/2", "0"]]]
OWN = [[["1/2", "0", "1/2"], ["0", "1", "0"]]]


def made(*agents: dict[str, object]) -> Federation:
    table = {"kind": "linear_personalised", "horizon": 64, "shared_parameter": ["1/2", "1/4"]}
    return parse(table | {"agents": list(agents)})


def test_without_personal_coordinates_a_rival_plays_as_on_the_linear_world():
    linear = {"kind": "linear", "horizon": 64, "parameter": ["1/2", "1/4"], "features": FEATURES}
    plain = compete(FedLinUCB(), parse(linear | {"agents": [{}, {}]}), 3, 5)
    shared = compete(FedLinUCB(), made({"features": FEATURES}, {"features": FEATURES}), 3, 5)
    np.testing.assert_array_equal(plain.record.regret, shared.record.regret)
    np.testing.assert_array_equal(plain.record.traffic, shared.record.traffic)


def test_partly_shared_parameters_become_one_of_all_coordinates():
    federation = made({"features": FEATURES}, {"features": OWN, "parameter": ["1/2"]})
    world = PersonalisedWorld.of(federation)
    lifted = world.with_one_parameter()
    np.testing.assert_array_equal(lifted.parameter, [0.5, 0.25, 0.5])
    for m, contexts in enumerate(world.agents):
        np.testing.assert_allclose(lifted.agents[m].means(lifted.parameter), contexts.means(world.truth(m)))
    for system, width in ((FedLinUCB(), 3), (AsyncLinUCBAM(), 3)):
        found = compete(system, federation, 2, 0)
        assert found.sizes.dimension == width
        assert 0 <= found.record.total_regret.min() <= found.record.total_regret.max() <= 128
    assert compete(AsyncLinUCBAM(), federation, 1, 0).sizes.shared == 2


def test_coordinates_of_all_agents_that_are_too_long_together_are_refused():
    long = {"features": OWN, "parameter": ["4/5"]}
    with pytest.raises(
        InputError, match=r"parameter = norm 1\.26\d*: must be at most 1 for an algorithm that learns"
    ):
        compete(FedLinUCB(), made(long, long), 1, 0)
    compete(AsyncLinUCBAM(), made(long, long), 1, 0)  # learns both parts separately
