"""Every federated solver against a direct solve and an independent convex solver; what it sends; what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from bounds import linear_communication, own_agd_convex
from bounds.errors import InputError
from fedigw.channel import Channel, Link, MessageError
from fedigw.encoders.masks import Masks
from fedigw.interfaces import FLProtocol, PrivateProtocol, Setting
from fedigw.parts import protocols
from linear.model import Ridge
from linear.protocols import agd, cg, chebyshev
from linear.protocols.agd import AcceleratedGradient
from linear.protocols.agd_convex import ConvexAcceleratedGradient
from linear.protocols.cg import ConjugateGradient
from linear.ridge import (
    DataError,
    RidgeData,
    RidgeProblem,
    SolverError,
    exact_minimiser,
    loss_gap,
    pooled,
    solve_positive,
)
from linear.spectral import agd_jump

# every protocol that looks for the minimiser (private ones miss it on purpose, those with a distance of their own aim
# at something else), and two ways to run AGD that were protocols of their own
SOLVERS = {
    n: part
    for n, part in protocols(("linear.protocols",)).items()
    if not issubclass(part, PrivateProtocol) and part.distance is FLProtocol.distance
}
ROUTINES = {name: (part(), Link()) for name, part in SOLVERS.items()} | {
    "agd with early stopping": (AcceleratedGradient(early_stopping=True), Link()),
    "agd with masks": (AcceleratedGradient(), Link(encoder=Masks())),
}
DELTA = 1e-5  # how near protocols without a tolerance of their own must come


def fit(routine, datasets, channel, regularisation=1.0, rng=None):
    problem = Ridge(len(datasets[0].moment), regularisation, DELTA).problem(datasets, channel.epoch)
    return routine.fit(problem, channel, None, rng or np.random.default_rng(0)).parameters


def fit_named(name, datasets, epoch=1, regularisation=1.0):
    routine, link = ROUTINES[name]
    rng = np.random.default_rng(0)
    return fit(routine, datasets, Channel(len(datasets), epoch, link, rng), regularisation, rng)


def samples(rng, agents, each, dimension, rank=None, condition=1.0):
    """Local datasets from real samples: features in the unit ball, rewards in [0,1]."""
    datasets, rows = [], []
    scale = np.geomspace(1, condition**-0.5, dimension)
    for _ in range(agents):
        phi = rng.standard_normal((each, dimension)) * scale
        if rank is not None:
            phi[:, rank:] = 0
        phi /= np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
        r = rng.random(each)
        datasets.append(RidgeData(each, phi.T @ phi, phi.T @ r))
        rows.append((phi, r))
    return datasets, rows


DESIGNS = {
    "random": {"agents": 3, "each": 40, "dimension": 5},
    "singular": {"agents": 3, "each": 40, "dimension": 6, "rank": 3},
    "d > n": {"agents": 2, "each": 5, "dimension": 25},
    "ill-conditioned": {"agents": 3, "each": 300, "dimension": 8, "condition": 1e8},
}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", [name for name, (routine, _) in ROUTINES.items() if not routine.predicts])
def test_every_solver_against_a_direct_solve(design, name):
    rng = np.random.default_rng(0)
    datasets, _ = samples(rng, **DESIGNS[design])
    found = fit_named(name, datasets)
    n = sum(data.count for data in datasets)
    guarantee = ROUTINES[name][0].guarantee(Setting(Ridge(len(found), tolerance=DELTA), len(datasets)))
    # what the routine promises: delta sqrt(e(n)), or rounding times the condition number n + 1
    promised = np.sqrt(max(guarantee.distance(n), linear_communication.target(n, len(found), 1e-9)))
    assert np.linalg.norm(found - exact_minimiser(datasets)) <= promised + 1e-13 * n


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(
    "name", [name for name, (routine, _) in ROUTINES.items() if getattr(routine, "pools", 0)]
)
def test_the_pooled_path_of_a_protocol_is_its_messages(design, name):
    datasets, _ = samples(np.random.default_rng(1), **DESIGNS[design])
    data, n = pooled(datasets), sum(data.count for data in datasets)
    twice = RidgeData(n, np.stack([data.gram, data.gram / 2]), np.stack([data.moment, data.moment]))
    problem = Ridge(len(data.moment), tolerance=DELTA).pooled_problem(twice, 1)
    found = ROUTINES[name][0].pooled(problem, np.random.default_rng(0))
    # both round to 1e-16 relative to norms up to sqrt(n), amplified at most by the condition number
    np.testing.assert_allclose(found[0], fit_named(name, datasets), atol=1e-12 * n)
    assert np.abs(found[0] - found[1]).max() > 1e-3  # the other replication has its own data


@pytest.mark.parametrize("design", DESIGNS)
def test_the_reference_against_an_independent_solver(design):
    import cvxpy

    rng = np.random.default_rng(0)
    datasets, rows = samples(rng, **DESIGNS[design])
    phi, r = np.vstack([p for p, _ in rows]), np.concatenate([r for _, r in rows])
    w = cvxpy.Variable(phi.shape[1])
    loss = cvxpy.sum_squares(phi @ w - r) / len(r) + cvxpy.sum_squares(w) / len(r)
    cvxpy.Problem(cvxpy.Minimize(loss)).solve(solver=cvxpy.CLARABEL)
    # CLARABEL's default gap of 1e-8 on the loss is n 1e-8 on the squared distance
    reference = exact_minimiser(datasets)
    assert np.linalg.norm(w.value - reference) ** 2 <= 1e-8 * len(r)
    best = np.sum((phi @ reference - r) ** 2) / len(r) + reference @ reference / len(r)
    assert best <= loss.value + 1e-12
    assert loss.value - best <= 1e-7


@pytest.mark.parametrize("name", ["direct", "direct_printed", "agd", "chebyshev", "agd with masks"])
def test_the_ledger_equals_the_formula(name):
    traffic, cost, routine, link = in_the_ledger(name)
    rounds = linear_communication.rounds_of_call(routine.name, 120, 3, DELTA)
    up, down = linear_communication.numbers_of_call(routine.name, 4, 3, rounds)
    assert (traffic.rounds, traffic.numbers_up, traffic.numbers_down) == (rounds, up, down)
    # and what the protocol says of itself, which the pooled path puts in its ledger
    if link != Link():  # bits are the encoder's
        cost, traffic = (replace(one, bits_up=0, bits_down=0) for one in (cost, traffic))
    assert cost == traffic


def in_the_ledger(name):
    datasets, _ = samples(np.random.default_rng(2), 4, 30, 3)
    routine, link = ROUTINES[name]
    channel = Channel(4, 1, link, np.random.default_rng(0))
    fit(routine, datasets, channel)
    return channel.traffic, routine.guarantee(Setting(Ridge(3, tolerance=DELTA), 4)).cost(120), routine, link


@pytest.mark.parametrize("name", ["cg", "agd with early stopping"])
def test_protocols_that_stop_when_they_are_certified_send_at_most_what_they_say(name):
    traffic, most, *_ = in_the_ledger(name)
    assert traffic.rounds <= most.rounds
    assert traffic.numbers <= most.numbers


@pytest.mark.parametrize(("agents", "dimension", "each"), [(1, 1, 1), (3, 4, 20), (5, 10, 300)])
def test_agd_for_convex_functions_keeps_its_rate_and_its_count(agents, dimension, each):
    datasets, _ = samples(np.random.default_rng(3), agents, each, dimension)
    channel, n = Channel(agents, 1), agents * each
    point, best = fit(ConvexAcceleratedGradient(), datasets, channel), exact_minimiser(datasets)
    assert own_agd_convex.momentum(1) == 0, "there is no move before the first"
    k = own_agd_convex.rounds(n)
    assert (channel.traffic.rounds, channel.traffic.numbers) == (k, agents * dimension * (2 * k + 1))
    assert loss_gap(datasets, point) <= own_agd_convex.loss_gap(float(n), k, float(best @ best)) + 1e-12
    with pytest.raises(InputError, match="effort"):
        ConvexAcceleratedGradient(0.0)


@pytest.mark.parametrize("condition", [1e2, 1e8])
@pytest.mark.parametrize("dimension", [20, 200])
def test_cg_ends_in_at_most_d_rounds_and_plain_cg_does_not(dimension, condition):
    rng = np.random.default_rng(4)
    n = int(condition)
    basis = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
    spectrum = np.geomspace(1, 1 / condition, dimension) / dimension
    gram = (basis * spectrum) @ basis.T * n
    datasets = [RidgeData(n, (gram + gram.T) / 2, gram @ (basis @ np.ones(dimension)) / dimension)]
    channel = Channel(1, 1)
    found = fit(ConjugateGradient(), datasets, channel)
    assert channel.traffic.rounds <= dimension
    assert loss_gap(datasets, found) <= 1e-12
    if condition == 1e8:
        with pytest.raises(SolverError, match="gradient"):
            cg.solve(RidgeProblem(datasets, 1), Channel(1, 1), 0.0, reorthogonalise=False)


@pytest.mark.parametrize("design", DESIGNS)
def test_cg_is_never_behind_agd_or_chebyshev_at_the_same_round(design):
    """All three move in the same Krylov space, in which CG's point minimises the loss."""
    datasets, _ = samples(np.random.default_rng(6), **DESIGNS[design])
    seen = set()
    for tolerance in np.geomspace(1, 1e-12, 30):
        channel = Channel(len(datasets), 1)
        point = cg.solve(RidgeProblem(datasets, 1), channel, tolerance)
        rounds = channel.traffic.rounds
        if rounds and rounds not in seen:
            seen.add(rounds)
            gap = loss_gap(datasets, point)
            for method in (agd.descend, chebyshev.iterate):
                other = method(RidgeProblem(datasets, 1), Channel(len(datasets), 1), rounds)
                assert gap <= loss_gap(datasets, other) * (1 + 1e-9) + 1e-18
    assert seen


def broken(**fields):
    good = RidgeData(3, np.eye(2), np.ones(2))
    return [good, RidgeData(**({"count": 3, "gram": np.eye(2), "moment": np.ones(2)} | fields))]


@pytest.mark.parametrize("name", ROUTINES)
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"count": 0}, "agent 1, epoch 7, count"),
        ({"count": 1}, "agent 1, epoch 7, gram: trace 2 of 1 samples, features outside the unit ball"),
        ({"gram": np.eye(3)}, "agent 1, epoch 7, gram: shape"),
        ({"moment": np.ones(3)}, "agent 1, epoch 7, moment: shape"),
        ({"moment": np.array([1.0, np.nan])}, "agent 1, epoch 7, moment: contains NaN"),
        ({"gram": np.array([[np.inf, 0], [0, 1]])}, "agent 1, epoch 7, gram: contains NaN or inf"),
        ({"gram": np.diag([1.0, -5.0])}, "agent 1, epoch 7, gram: is indefinite"),
        ({"gram": np.array([[1.0, 0.5], [0.0, 1.0]])}, "agent 1, epoch 7, gram: is not symmetric"),
    ],
)
def test_bad_data_names_agent_epoch_and_field(name, fields, says):
    with pytest.raises(DataError, match=says):
        fit_named(name, broken(**fields), epoch=7)


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (np.array([[0.0, 0.0], [np.nan, 0.0]]), "agent 1, epoch 7, gradient: contains NaN"),
        (np.zeros((2, 3)), r"agent 0, epoch 7, gradient: shape \(3,\), expected \(2,\)"),
        ([np.zeros(2), np.zeros(5)], r"agent 1, epoch 7, gradient: shape \(5,\), expected \(2,\)"),
        ([np.zeros(2)], "agent 1, epoch 7, gradient: 1 messages from 2 agents"),
        (np.array([["a", "b"], ["c", "d"]]), r"epoch 7, gradient: .*expected real numbers"),
    ],
)
def test_bad_messages_name_agent_epoch_and_field(monkeypatch, answers, says):
    monkeypatch.setattr(RidgeProblem, "gradients", lambda self, w, who=None: answers)
    with pytest.raises(MessageError, match=says):
        fit(AcceleratedGradient(), broken(), Channel(2, 7))


def test_lambda_must_be_positive():
    for value in (0.0, -1.0, float("nan")):
        with pytest.raises(InputError, match="lambda must be positive"):
            Ridge(2, value)
        with pytest.raises(InputError, match="lambda must be positive"):
            RidgeProblem(broken(), 1, value)


def test_a_singular_system_is_refused_not_pseudo_inverted():
    with pytest.raises(SolverError, match="not positive definite"):
        solve_positive(np.diag([1.0, 0.0]), np.ones(2), "epoch 1")
    with pytest.raises(SolverError, match="not positive definite"):
        solve_positive(np.diag([1e18, 1.0]), np.ones(2), "epoch 1")


def test_loss_of_positive_definiteness_within_a_solver_is_reported(monkeypatch):
    """The data are good, the answers are not: curvature that no sum of phi phi' has."""
    monkeypatch.setattr(RidgeProblem, "products", lambda self, p, who=None: -np.stack([p, p]))
    with pytest.raises(SolverError, match=r"epoch 7, conjugate gradient: curvature -.*positive definiteness"):
        fit(ConjugateGradient(), broken(), Channel(2, 7))
    with pytest.raises(SolverError, match="not positive definite, or features outside"):
        agd_jump(np.diag([0.5, -0.5]), np.ones(2), 10, 5)
    with pytest.raises(SolverError, match="features outside the unit ball"):
        agd_jump(np.diag([0.5, 3.0]), np.ones(2), 10, 5)


@pytest.mark.parametrize("name", ROUTINES)
def test_less_regularisation_than_floats_can_tell_is_refused(name):
    singular = [RidgeData(3, np.diag([3.0, 0.0]), np.array([1.0, 0.0]))] * 2
    with pytest.raises(SolverError, match="working precision"):
        fit_named(name, singular, regularisation=1e-30)


@pytest.mark.parametrize("name", ROUTINES)
def test_much_regularisation_is_no_difficulty(name):
    data = broken()
    found = fit_named(name, data, regularisation=1e20)
    # masks of size 1 hide in rounding what is of size 1e-20
    assert np.abs(found - exact_minimiser(data, 1e20)).max() <= 1e-15


@pytest.mark.parametrize("method", [agd.descend, chebyshev.iterate])
def test_divergence_is_reported(method, monkeypatch):
    # agents that answer as if curvature were 1e6 times what norm(phi) <= 1 allows: the step is far too long
    monkeypatch.setattr(RidgeProblem, "gradients", lambda self, w, who=None: 1e6 * (np.stack([w, w]) - 1))
    with np.errstate(all="ignore"), pytest.raises((MessageError, SolverError), match="epoch 7, "):
        method(RidgeProblem(broken(), 7), Channel(2, 7), 10_000)
