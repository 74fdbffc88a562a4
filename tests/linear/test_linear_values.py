"""Federated ridge regression at values worked out by hand: promises, regret, excess risk, ledgers, the gradient."""

import math
import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from bounds.theorems import col_linear, col_linear_per
from fedigw.applicable import applicable
from fedigw.channel import Channel
from fedigw.interfaces import Acting, Setting
from fedigw.protocols.fedavg import FedAvg
from fedigw.replications import by_messages, pooled, simulate
from linear.contexts import finite
from linear.contexts.finite import FiniteContexts, Laws, grams
from linear.environments import different_laws, finite_contexts
from linear.environments.finite_contexts import ball, with_intercept
from linear.federations import linear_federation
from linear.model import Ridge
from linear.personalised.environments import opposite_arms
from linear.protocols.agd import AcceleratedGradient
from linear.protocols.agd_convex import ConvexAcceleratedGradient
from linear.protocols.cg import ConjugateGradient
from linear.protocols.chebyshev import Chebyshev
from linear.protocols.direct import Direct
from linear.protocols.direct_printed import DirectPrinted
from linear.ridge import PooledRidge, RidgeData, RidgeProblem
from linear.world import LinearWorld

TOLERANT = (AcceleratedGradient(0.5), Chebyshev(0.5), ConjugateGradient(0.5))
# two contexts of probability 3/4 and 1/4, two arms: means (1/2, 0) and (0, 1/4)
FEATURES = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]])
PARAMETER = np.array([0.5, 0.5])
CONTEXTS = FiniteContexts(FEATURES, np.array([0.75, 0.25]))
DATA = (
    RidgeData(3, np.array([[1.0, 0.5], [0.5, 1.5]]), np.array([0.5, 1.0])),
    RidgeData(5, np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([1.5, 0.25])),
)


@pytest.mark.parametrize("protocol", TOLERANT, ids=lambda p: p.name)
@pytest.mark.parametrize(("heterogeneous", "risk"), [(False, 2.5 / 101), (True, 3.75 / 100)])
def test_a_solver_promises_its_error_too(protocol, heterogeneous, risk):
    promised = protocol.guarantee(Setting(Ridge(6, heterogeneous=heterogeneous), 3))
    for variant in ("printed", "sharpened"):
        assert promised.risk(variant, 100) == pytest.approx(2.25 * risk)
    assert promised.distance(100) == pytest.approx(0.25 * risk)
    assert promised.missing == ()
    assert len(protocol.guarantee(Setting(Ridge(6, regularisation=2.0), 3)).missing) == 1


def test_an_exact_solver_promises_no_distance():
    for protocol in (Direct(), DirectPrinted()):
        promised = protocol.guarantee(Setting(Ridge(6), 3))
        assert promised.risk("sharpened", 100) == pytest.approx(2.5 / 101)
        assert promised.distance(100) == 0


def test_regret_and_losses_weigh_contexts_by_their_law():
    worst = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert CONTEXTS.regret_rate(worst, PARAMETER) == pytest.approx(0.75 * 0.5 + 0.25 * 0.25)
    first = np.array([[1.0, 0.0], [1.0, 0.0]])
    assert CONTEXTS.regret_rate(first, PARAMETER) == pytest.approx(0.25 * 0.25)
    assert CONTEXTS.largest_regret_rate(PARAMETER) == pytest.approx(0.4375)
    world = LinearWorld((CONTEXTS, CONTEXTS), PARAMETER)
    assert world.largest_losses((8, 16)) == pytest.approx([3.5, 7.0])
    assert not world.heterogeneous
    with pytest.raises(InputError, match="one probability per context"):
        LinearWorld((FiniteContexts(FEATURES, np.array([1.5, -0.5])),), PARAMETER)
    assert not LinearWorld(
        (CONTEXTS, FiniteContexts(FEATURES.copy(), CONTEXTS.law.copy())), PARAMETER
    ).heterogeneous
    assert LinearWorld((CONTEXTS, FiniteContexts(FEATURES, np.array([0.5, 0.5]))), PARAMETER).heterogeneous


def test_the_excess_risk_is_a_mean_over_agents():
    """Uniform play; an error of (1/2, 1) costs 1/4 at context 0's arm 0 and 1/4 at context 1's arm 1."""
    other = FiniteContexts(FEATURES, np.array([0.0, 1.0]))
    far = FiniteContexts(2 * FEATURES / 3, np.array([0.75, 0.25]))
    federation = finite_contexts.make(np.random.default_rng(0), dimension=2, arms=2, agents=2, horizon=4)
    act = Acting(federation.model, np.zeros((1, 2)), federation.policy, 1.0)
    learned = PARAMETER[None] + np.array([[0.5, 1.0]])
    for agents, expected in (((CONTEXTS, other), 1 / 8), ((CONTEXTS, far), (6 / 8 + 2 / 8 * 4 / 9) / 8)):
        world = LinearWorld(agents, PARAMETER)
        found = world.excess_risk(lambda m: act, lambda m: learned, (6, 2))
        assert found == pytest.approx([expected])


def test_the_gradient_and_the_minimiser():
    """n = 8, V = [[3, 1/2], [1/2, 5/2]], b = (2, 5/4); Lam = 2."""
    problem = RidgeProblem(DATA, 1, regularisation=2.0, error=0.3, tolerance=0.5)
    w = np.array([1.0, -2.0])
    by_hand = (2 / 8) * (np.array([3 * 1 - 0.5 * 2, 0.5 - 2.5 * 2]) - np.array([2, 1.25]))
    assert problem.gradients(w).sum(axis=0) == pytest.approx(by_hand)
    assert problem.gradients(w)[1] == pytest.approx((2 / 8) * np.array([2 - 1.5, -2 - 0.25]))
    assert problem.shrinkage == pytest.approx(2 * 2 / 8)
    assert problem.target(None) == pytest.approx(0.25 * 0.3)
    assert problem.target(0.1) == pytest.approx(0.01 * 0.3)
    determinant = 5 * 4.5 - 0.25
    best = np.array([4.5 * 2 - 0.5 * 1.25, -0.5 * 2 + 5 * 1.25]) / determinant
    assert problem.distance(best + np.array([0.3, -0.4])) == pytest.approx(0.25)
    pooled = PooledRidge(
        8, sum(d.gram for d in DATA)[None], sum(d.moment for d in DATA)[None], 1, 2.0, 0.3, 0.5
    )
    assert pooled.minimiser()[0] == pytest.approx(best)
    assert pooled.target(None) == pytest.approx(0.25 * 0.3)
    rng = np.random.default_rng(0)
    for protocol in (Direct(), DirectPrinted(), ConjugateGradient(1e-9)):
        found = protocol.fit(RidgeProblem(DATA, 1, 2.0, 0.3, 0.5), Channel(2, 1), None, rng).parameters
        assert found == pytest.approx(best, abs=1e-8), protocol.name


ITERATIVE = (AcceleratedGradient(1e-3), AcceleratedGradient(1e-3, early_stopping=True), Chebyshev(1e-3))


@pytest.mark.parametrize("protocol", ITERATIVE, ids=["agd", "agd, stopping early", "chebyshev"])
def test_rounds_bring_the_promised_distance_and_few_of_them_do_not(protocol):
    """The promise is kept on data of condition number near the worst, n + 1, by no more rounds than the cost says.

    The data are 400 samples along one direction and one sample in fifty across it.
    """
    gram = np.diag([400.0, 0.02])
    data = (RidgeData(402, gram, gram @ np.array([0.3, 0.9])),)
    error = Ridge(2).risk(402)
    channel = Channel(1, 1)
    problem = RidgeProblem(data, 1, 1.0, error, 0.1)
    found = protocol.fit(problem, channel, None, np.random.default_rng(0)).parameters
    assert problem.distance(found) <= 1e-6 * error
    allowed = protocol.guarantee(Setting(Ridge(2), 1)).cost(402)
    assert channel.traffic.rounds <= allowed.rounds
    if not protocol.__dict__.get("early_stopping"):
        assert channel.traffic == allowed


def test_conjugate_gradient_sends_as_many_numbers_as_it_declares():
    """Two well-spread directions: it needs both its rounds, so the ledger is the most that it may be."""
    channel = Channel(2, 1)
    protocol = ConjugateGradient(1e-9)
    protocol.fit(RidgeProblem(DATA, 1, 1.0, 0.3, 0.5), channel, None, np.random.default_rng(0))
    assert channel.traffic == protocol.guarantee(Setting(Ridge(2), 2)).cost(8)
    assert channel.traffic.numbers_down == 2 * 2 * 3
    assert math.isclose(channel.traffic.bits_up, 64 * 12)


AGENTS, ARMS, DIMENSION, HORIZON = 3, 4, 2, 2**12
SIZES = (DIMENSION, 3, ARMS, AGENTS, HORIZON)


def world(make: Any = finite_contexts.make, sizes: tuple[int, ...] = SIZES, **parts: Any) -> Any:
    made = make(np.random.default_rng(0), *sizes, learning_rate="best").with_plan(
        doubling_plan(HORIZON, AGENTS)
    )
    return replace(made, **parts)


def stated(tolerance: float = 0.0, different: bool = False) -> Any:
    return col_linear.epoch_sum("best", AGENTS, ARMS, DIMENSION, tolerance, different)


@pytest.mark.parametrize(
    ("federation", "bound", "constant"),
    [
        (world(), stated(), DIMENSION / 4 + 1),
        (world(protocol=AcceleratedGradient()), stated(0.1), 1.1**2 * (DIMENSION / 4 + 1)),
        (world(protocol=FedAvg(tolerance=0.5)), stated(0.5), 1.5**2 * (DIMENSION / 4 + 1)),
        (world(different_laws.make, protocol=Direct()), stated(different=True), DIMENSION / 4 + 9 / 4),
        (
            world(opposite_arms.make, (2, 1, 4, ARMS, AGENTS, HORIZON)),  # conjugate gradient stops at 1e-6
            col_linear_per.epoch_sum("best", AGENTS, ARMS, 2 + AGENTS),
            (2 + AGENTS) / 4 + 9 * AGENTS / 4,
        ),
    ],
)
def test_bound_and_rates_are_those_of_c_over_n(federation, bound, constant):
    found = applicable(federation)
    assert found.missing == ()
    assert found.values == {"best": pytest.approx(bound.value(HORIZON), rel=1e-5)}
    assert found.values["best"] < applicable(federation.with_rates("sharpened")).values["sharpened"]
    e, g = constant / sum(federation.plan.full[3]), math.sqrt((1 - 2 / ARMS + 0.472548) / 2.321695)
    assert float(federation.learning_rates()[4]) == pytest.approx(g * math.sqrt(ARMS / e), rel=1e-5)


def test_best_is_refused_for_a_risk_that_does_not_halve():
    with pytest.raises(InputError, match="learning_rate = best: cannot be played with this model"):
        world(protocol=ConvexAcceleratedGradient()).learning_rates()


RNG = np.random.default_rng


def mixed(horizon=32):
    """Five agents: two share a law, contexts and arms differ in number."""
    rng = RNG(1)
    shapes = [(2, 3), (2, 3), (4, 2), (1, 5)]
    laws = [
        FiniteContexts(with_intercept(ball(rng, shape, 2)), rng.dirichlet(np.ones(shape[0])))
        for shape in shapes
    ]
    return linear_federation(
        (laws[0], laws[1], laws[2], laws[1], laws[3]), parameter(), doubling_plan(horizon, 5)
    )


def parameter():
    return np.array([0.6, 0.3, 0.2])


def test_laws_side_by_side_lose_what_each_loses_alone():
    made = mixed()
    act = Acting(made.model, RNG(0).normal(size=(3, 3)), made.policy, 20.0)
    played = [5, 1, 2, 7, 3]
    found = made.world.play_together(act, played, played, RNG(2), True)
    alone = np.array([c.regret_rate(act(c.features), parameter()) for c in made.world.agents])  # (M, R)
    np.testing.assert_allclose(found.regret, np.array(played) @ alone)
    np.testing.assert_allclose(found.by_agent, played * alone.mean(axis=1))
    assert found.data.count == sum(played)


def test_both_paths_agree_on_laws_of_different_sizes():
    made = mixed()
    together, one_by_one = pooled(made, 300, 1), by_messages(made, 100, 2)
    for a, b in zip(together.regret.T, one_by_one.regret.T, strict=True):
        error = np.sqrt(a.var() / len(a) + b.var() / len(b))
        assert abs(a.mean() - b.mean()) <= 4.5 * error + 1e-9  # 4.5 standard errors: 1e-5 a comparison


@pytest.mark.parametrize("runs", [1, 2, 50])
def test_gram_matrices_are_sums_over_cells(runs, monkeypatch):
    counts, cells = RNG(0).integers(0, 9, (runs, 40)).astype(float), RNG(1).normal(size=(40, 4))
    monkeypatch.setattr(finite, "MOST_SQUARES", 100)
    expected = np.einsum("rc,ci,cj->rij", counts, cells, cells)
    np.testing.assert_allclose(grams(counts, cells), expected)


def test_laws_of_one_are_not_copied():
    one = mixed().world.agents[0]
    assert Laws.of([one]).features is one.features


def test_a_run_needs_little_beside_its_features():
    """Chunks of laws, not all of them at once: with 1,500 agents that have 5 MB of features, less than 15 MB."""
    made = different_laws.make(RNG(0), 10, 4, 10, 1500, 16)
    simulate(made, 1, 0)  # what is made once
    tracemalloc.start()
    simulate(made, 1, 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    features = sum(c.features.nbytes for c in made.world.agents)
    assert features == 1500 * 4 * 10 * 10 * 8
    assert peak < 3 * features
