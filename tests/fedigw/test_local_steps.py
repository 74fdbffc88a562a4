"""The engine of local steps: identities between its protocols, fixed points, ledgers, bad input."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import col_convex_rounds
from bounds.errors import InputError
from bounds.schedules import EpochPlan
from bounds.theorems.col_convex_per import schedule as per_schedule
from fedigw import local_steps
from fedigw.applicable import applicable
from fedigw.channel import Channel, Link
from fedigw.leaps import leap
from fedigw.local_steps import LocalMethod
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.fedavg_printed import FedAvgPrinted
from fedigw.protocols.fedopt import FedOpt
from fedigw.protocols.fedprox import FedProx
from fedigw.protocols.lsgd_pfl import LocalPersonal
from fedigw.protocols.scaffold import Scaffold
from fedigw.running import Messages, run
from linear.environments import finite_contexts
from linear.personalised.environments import opposite_arms
from linear.quadratics import Samples
from linear.ridge import RidgeData, RidgeProblem
from verify import bound
from verify.experiments.convex_programs import weighted_projection


def problem(
    seed: int,
    agents: int = 4,
    dimension: int = 3,
    samples: int = 12,
    spread: float = 1.0,
    regularisation: float = 1.0,
) -> RidgeProblem:
    """Agents with different sizes, features and parameters: `spread` says how different these are."""
    rng = np.random.default_rng(seed)
    datasets = []
    for _ in range(agents):
        n = samples + int(rng.integers(0, samples))
        phi = rng.standard_normal((n, dimension)) * rng.uniform(0.3, 1, size=dimension)
        phi /= np.maximum(1, np.linalg.norm(phi, axis=1, keepdims=True))
        rewards = phi @ (spread * rng.standard_normal(dimension)) + 0.1 * rng.standard_normal(n)
        kept = Samples(phi, rewards, np.ones(n, dtype=np.int64))
        datasets.append(RidgeData(n, phi.T @ phi, phi.T @ rewards, kept))
    return RidgeProblem(datasets, 1, regularisation)


def fit(
    method: LocalMethod, given_problem: Any, seed: int = 0, link: Link | None = None
) -> tuple[Any, Channel]:
    rng = np.random.default_rng(seed)
    count = len(given_problem.local.weights)
    channel = Channel(count, 1, link, rng)
    return method.fit(given_problem, channel, None, rng).parameters, channel


METHODS = st.builds(
    FedAvg,
    rounds=st.integers(1, 6),
    local_steps=st.integers(1, 4),
    step_size=st.floats(0.01, 0.4),
    server_step=st.floats(0.5, 1.5),
    batch=st.sampled_from([None, 1, 5]),
    participants=st.sampled_from([None, 1, 3]),
    average=st.booleans(),
)


def keys(method: LocalMethod) -> dict[str, Any]:
    return {name: getattr(method, name) for name in LocalMethod.__dataclass_fields__}


@settings(max_examples=60, deadline=None)
@given(METHODS, st.integers(0, 50))
def test_what_is_fedavg_by_another_name_is_fedavg(method, seed):
    """Bitwise: the arithmetic is the same."""
    data = problem(seed)
    plain, _ = fit(method, data, seed)
    np.testing.assert_array_equal(plain, fit(LocalPersonal(**keys(method)), data, seed)[0])
    np.testing.assert_array_equal(
        plain, fit(FedProx(**keys(method), proximal=0.0, exact=False), data, seed)[0]
    )
    np.testing.assert_array_equal(plain, fit(FedOpt(**keys(method), server="plain"), data, seed)[0])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100), st.integers(1, 20), st.floats(0.01, 0.4))
def test_fedavg_with_one_full_step_is_gradient_descent(seed, rounds, step):
    data = problem(seed)
    point = np.zeros(data.dimension)
    for _ in range(rounds):
        point = point - step * (data.hessian() @ (point - data.minimiser()))
    found, _ = fit(FedAvg(rounds, 1, step), data)
    np.testing.assert_allclose(found, point, rtol=0, atol=1e-12)
    printed, _ = fit(FedAvgPrinted(rounds, 1, step), data)
    up = np.zeros(data.dimension)
    for _ in range(rounds):
        up = up + step * (data.hessian() @ (up - data.minimiser()))
    np.testing.assert_allclose(printed, up, rtol=1e-9, atol=1e-12)
    assert data.gap(printed) > data.gap(np.zeros(data.dimension)), "erratum E13: it ascends"


@pytest.mark.parametrize(
    "method", [Scaffold(7, 3, 0.1), Scaffold(7, 3, 0.1, option=1), Scaffold(7, 3, 0.1, participants=2)]
)
def test_control_variates_are_alive_and_add_up(method):
    """Non-zero, and their weighted sum is the server's: both fail in the authors' public code."""
    data, rng = problem(5), np.random.default_rng(0)
    kept = replace(method, kept=True)
    fitted = kept.fit(data, Channel(4, 1, None, rng), None, rng)
    controls, control = fitted.memory
    assert (np.abs(controls).max(axis=1) > 1e-6).all()
    np.testing.assert_allclose(data.local.weights @ controls, control, atol=1e-12)
    again = kept.fit(data, Channel(4, 1, None, rng), fitted.memory, rng)
    assert not np.array_equal(again.memory[1], control), "kept variates go on"


def test_scaffold_that_reads_the_variates_off_the_points_is_scaffold_that_sends_them():
    data = problem(6)
    silent, quiet = fit(Scaffold(30, 4, 0.1, server_step=1.3), data)
    sent, loud = fit(Scaffold(30, 4, 0.1, server_step=1.3, send_control=True), data)
    np.testing.assert_allclose(silent, sent, atol=1e-12)
    assert loud.traffic.numbers_up == 2 * quiet.traffic.numbers_up


@pytest.mark.parametrize("method", [FedAvg, FedProx, Scaffold, FedOpt, LocalPersonal])
@pytest.mark.parametrize(("agents", "dimension"), [(1, 1), (3, 2), (6, 5)])
def test_the_ledger_is_the_declared_cost(method, agents, dimension):
    data = problem(8, agents, dimension)
    for rounds in (1, 2, 7):
        for participants in (None, 1, agents):
            chosen = method(rounds=rounds, participants=participants)
            _, channel = fit(chosen, data)
            assert channel.traffic == chosen.cost(agents, dimension)
    if method is not Scaffold:
        assert FedAvg(rounds=9).cost(agents, dimension).numbers_up == 9 * agents * dimension


def test_minibatches_are_drawn_with_replacement_from_the_agents_own_samples():
    """The mean of many minibatch gradients is the gradient; their variance is that of sampling with replacement."""
    data, rng = problem(9, agents=2, dimension=2), np.random.default_rng(0)
    points, who = np.array([[0.3, -0.2], [0.1, 0.4]]), np.arange(2)
    full = data.local.local_gradients(points, who, None, rng)
    drawn = np.stack([data.local.local_gradients(points, who, 4, rng) for _ in range(20_000)])
    for m, samples in enumerate(data.local.samples or ()):
        single = 2 * (samples.features @ points[m] - samples.rewards)[:, None] * samples.features
        variance = single.var(axis=0) / 4
        # four standard errors; the variance of a variance of bounded terms is below its square
        assert (np.abs(drawn[:, m].mean(axis=0) - full[m]) <= 4 * np.sqrt(variance / 20_000)).all()
        np.testing.assert_allclose(drawn[:, m].var(axis=0), variance, rtol=0.06)


def lifted_problem() -> Any:
    """Three agents with two shared and two personal coordinates, after epoch 4."""
    federation = opposite_arms.make(np.random.default_rng(1), 2, 2, 4, 3, 3, 64)
    path = Messages(federation, np.random.default_rng(2))
    datasets = path.play(path.initial(), 1.0, federation.plan.segments[4]).data
    return federation.model.problem(datasets, 1)


def test_lsgd_pfl_reaches_the_lifted_minimiser_when_agents_take_one_step():
    """One local step of all agents is gradient descent on the lifted problem in the metric of its reduction."""
    lifted = lifted_problem()
    found, channel = fit(LocalPersonal(6000, 1, 0.4), lifted)
    assert lifted.distance(found) < 1e-12
    assert lifted.gap(found) < 1e-12
    assert channel.traffic.numbers_up == 6000 * 3 * 2, "only the shared block travels"


@pytest.mark.parametrize(("shared", "own", "agents"), [(2, 1, 2), (1, 2, 3)])
def test_lsgd_pfl_with_a_tolerance_runs_the_schedule_of_its_corollary(shared, own, agents):
    made = opposite_arms.make(np.random.default_rng(3), shared, own, 3, 2, agents, 64)
    federation = replace(made, protocol=LocalPersonal(tolerance=0.5, local_steps=4))
    promised = federation.guarantee()
    assert promised.missing == ()
    found = run(federation, np.random.default_rng(0))
    given = {"M": agents, "K": 2, "T": 64, "da": shared, "db": own, "local_steps": 4}
    stated = bound("col:convex_per", "sharpened", quantity="numbers", protocol="lsgd_pfl", **given).value
    assert sum(traffic.numbers for traffic in found.traffic) == stated
    assert applicable(federation).values["sharpened"] == pytest.approx(
        bound("col:convex_per", "sharpened", **given).value
    )


def test_the_schedule_of_lsgd_pfl_is_for_personal_models_and_equal_agents():
    made = opposite_arms.make(np.random.default_rng(3), 2, 1, 3, 2, 2, 64)
    method = LocalPersonal(tolerance=0.5)
    unequal = replace(made, plan=EpochPlan(((2, 4), (4, 8)), ((2, 4), (4, 8))), timing=None, protocol=method)
    plain = replace(finite_contexts.make(np.random.default_rng(0), horizon=64), protocol=method)
    for federation, words in (
        (unequal, "agents have different numbers of samples: the schedule is proved for equal ones"),
        (
            plain,
            "the schedule of lsgd_pfl is proved for ridge regression with shared and personal coordinates",
        ),
        (
            replace(made, protocol=FedAvg(tolerance=0.5)),
            "the schedule of fedavg is proved for ridge regression",
        ),
    ):
        promised = federation.guarantee()
        assert words in promised.missing[0]
        assert federation.protocol.asked(federation.setting, 128, 0.5) is None
    assert method.asked(made.setting, 128, 0.5) == per_schedule("lsgd_pfl", 128, 2, 4, 0.5, 5).rounds


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FedAvg(step_size=0.0), "step_size = 0.0: must be a positive number"),
        (lambda: FedAvg(step_size=float("nan")), "step_size = nan"),
        (lambda: FedAvg(local_steps=0), "local_steps = 0: must be a positive integer up to"),
        (lambda: FedAvg(rounds=0), "rounds = 0"),
        (lambda: FedAvg(batch=0), "batch = 0"),
        (lambda: FedProx(proximal=-1.0), "proximal = -1.0: must be a number of at least 0"),
        (lambda: FedProx(batch=3), "batch = 3: is for local steps"),
        (lambda: Scaffold(option=3), "option = 3: must be 1 or 2"),
        (lambda: Scaffold(option=1, send_control=False), "send_control = False"),
        (lambda: FedOpt(server="adm"), "server = adm: unknown; did you mean 'adam'?"),
        (lambda: fit(FedAvg(step_size=5.0), problem(0)), "must be below the stability limit"),
        (lambda: fit(FedAvg(participants=9), problem(0)), "must be between 1 and the 4 agents"),
        (lambda: fit(FedAvg(batch=1000), problem(0)), "is larger than agent"),
    ],
)
def test_bad_hyper_parameters_are_refused_by_name(make, message):
    with pytest.raises(InputError) as caught:
        make()
    assert message in str(caught.value)


# Where the protocols end, without noise: against the closed formulas and against convex programs given to cvxpy.

PROBLEMS, AGREEMENT = 200, 1e-10


@dataclass(frozen=True)
class Case:
    """One protocol on one problem. forms (M, d, d): its fixed point is argmin sum p_m norm(x - w_m)^2_{form_m}."""

    method: LocalMethod
    data: RidgeProblem
    forms: np.ndarray

    @property
    def centres(self) -> np.ndarray:
        local = self.data.local
        return np.asarray(np.linalg.solve(local.hessians, local.linear[..., None])[..., 0])

    def closed(self) -> np.ndarray:
        weights = self.data.local.weights
        right = np.einsum("m,mij,mj->i", weights, self.forms, self.centres)
        return np.asarray(np.linalg.solve(np.tensordot(weights, self.forms, 1), right))

    def by_cvxpy(self) -> np.ndarray:
        centres = self.centres
        return weighted_projection(self.data.local.weights, self.forms, centres, centres.shape[1])[0]


def cases(seed: int) -> list[Case]:
    """FedAvg: I - (I - eta H_m)^K. FedProx: I - mp (H_m + mp)^{-1}. SCAFFOLD: H_m, so the minimiser of F."""
    rng = np.random.default_rng(seed)
    data = problem(seed, int(rng.integers(2, 6)), int(rng.integers(1, 5)), regularisation=10.0)
    local, steps, identity = data.local, int(rng.integers(1, 6)), np.eye(data.dimension)
    step = float(rng.uniform(0.2, 0.9)) / (local.smoothness(None) * steps)
    mu = float(np.linalg.eigvalsh(data.hessian())[0])
    rounds = int(40 / (mu * steps * step)) + 10  # linear convergence at rate 1 - mu h: enough for 1e-12
    pull = float(rng.uniform(0.1, 2))
    walked = identity - np.stack([np.linalg.matrix_power(identity - step * h, steps) for h in local.hessians])
    pulled = identity - np.stack([pull * np.linalg.inv(h + pull * identity) for h in local.hessians])
    return [
        Case(FedAvg(rounds, steps, step), data, walked),
        Case(FedProx(int(40 * (pull + 3) / mu) + 10, proximal=pull), data, pulled),
        Case(Scaffold(3 * rounds, steps, step / 2), data, local.hessians),
    ]


@pytest.mark.parametrize("seed", range(0, PROBLEMS, 5))
def test_fixed_points_are_those_of_the_closed_formulas(seed):
    found = cases(seed)
    for case in found:
        np.testing.assert_allclose(fit(case.method, case.data)[0], case.closed(), rtol=0, atol=AGREEMENT)
    fedavg, _, scaffold = found
    np.testing.assert_allclose(scaffold.closed(), scaffold.data.minimiser(), rtol=0, atol=1e-12)
    if fedavg.method.local_steps > 1 and fedavg.data.dimension > 1:
        assert np.abs(fedavg.closed() - scaffold.closed()).max() > 1e-8, "FedAvg is biased here"


@pytest.mark.parametrize(
    "seeds",
    [range(0, PROBLEMS, 40), pytest.param(range(PROBLEMS), marks=pytest.mark.long)],
    ids=["few", "all"],
)
def test_fixed_points_are_cvxpys(seeds):
    for case in (case for seed in seeds for case in cases(seed)):
        assert np.abs(fit(case.method, case.data)[0] - case.by_cvxpy()).max() <= AGREEMENT, case.method


def test_cvxpy_sees_another_fixed_point():
    """Negative control: FedAvg does not end in FedProx's fixed point, nor in the minimiser."""
    fedavg, fedprox, scaffold = next(
        found
        for found in map(cases, range(99))
        if found[0].method.local_steps > 1 and found[0].data.dimension > 1
    )
    end, _ = fit(fedavg.method, fedavg.data)
    assert np.abs(end - fedprox.by_cvxpy()).max() > 1e-6
    assert np.abs(end - scaffold.by_cvxpy()).max() > 1e-6


LEAPING = {
    "fedavg": FedAvg(rounds=400, step_size=0.02),
    "fedprox": FedProx(rounds=400, proximal=3.0),
    "fedprox by steps": FedProx(rounds=400, exact=False, step_size=0.02),
    "scaffold": Scaffold(rounds=400, step_size=0.02),
    "scaffold, option 1": Scaffold(rounds=400, step_size=0.02, option=1),
    "plain server": FedOpt(rounds=400, server="plain", step_size=0.02),
    "adam, not affine": FedOpt(rounds=400, step_size=0.02),
    "personal blocks": LocalPersonal(rounds=400, step_size=0.02),
    "a faster server": FedAvg(rounds=400, step_size=0.02, server_step=1.5),
}


@pytest.mark.parametrize("name", LEAPING)
def test_a_leap_ends_where_the_rounds_end_and_counts_the_same(name, monkeypatch):
    method = LEAPING[name]
    given_problem = lifted_problem() if isinstance(method, LocalPersonal) else problem(3)
    leapt: list[int] = []

    def counting(play: Any, before: np.ndarray, after: np.ndarray, rounds: int) -> np.ndarray | None:
        end = leap(play, before, after, rounds)
        leapt.append(rounds if end is not None else 0)
        return end

    monkeypatch.setattr(local_steps, "leap", counting)
    monkeypatch.setattr(local_steps, "worth", lambda rounds, size: False)
    played, plain = fit(method, given_problem)
    assert leapt == []
    monkeypatch.setattr(local_steps, "worth", lambda rounds, size: True)
    jumped, counted = fit(method, given_problem)
    assert leapt == [0 if "not affine" in name else 398]
    # rounding of 400 rounds of numbers of size 1
    np.testing.assert_allclose(np.hstack(jumped), np.hstack(played), atol=1e-10)
    assert counted.traffic == plain.traffic


def test_the_rounds_of_a_schedule_may_be_a_billion():
    given_problem = problem(3)
    best, channel = fit(Scaffold(rounds=10**9, step_size=0.02), given_problem)
    np.testing.assert_allclose(best, given_problem.minimiser(), atol=1e-9)
    assert channel.traffic.rounds == 10**9
    with pytest.raises(InputError, match=r"protocol.rounds = 1000000000: is above 1e\+07"):
        fit(FedOpt(rounds=10**9), given_problem)


@pytest.mark.parametrize("method", [FedAvg, Scaffold])
def test_the_average_of_minibatch_rounds_comes_as_near_the_minimum_as_scheduled(method):
    """The mean gap of four runs is below its target, the start is not; the batch is cut to an agent's data."""
    given = problem(3, agents=2, samples=40, spread=0.3)
    protocol, n = method(tolerance=2.0, batch=1000, local_steps=2, average=True), given.samples
    planned = protocol.scheduled(n, 2, 3)
    assert (planned.batch, planned.average) == (n // 2, True)
    small = replace(protocol, batch=8)
    assert small.scheduled(n, 2, 3).rounds > planned.rounds > 0
    quadratics = given.local
    values = [
        sum(
            p * (w @ h @ w / 2 - c @ w)
            for p, h, c in zip(quadratics.weights, quadratics.hessians, quadratics.linear, strict=True)
        )
        for w in (np.zeros(3), given.minimiser(), *(fit(small, given, seed)[0] for seed in range(4)))
    ]
    target = col_convex_rounds.target_gap(n, 3, 2.0, 2)
    assert np.mean(values[2:]) - values[1] <= target < values[0] - values[1]


def test_a_schedule_that_nobody_can_play_says_so():
    with pytest.raises(InputError, match=r"needs 2\.9e\+12 rounds .* or average = true"):
        FedAvg(tolerance=0.1, batch=2).scheduled(4096, 2, 3)
