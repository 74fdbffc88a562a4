"""Losses and generalised linear models: against finite differences, ridge regression, scipy, and by hand."""

import math
from pathlib import Path

import numpy as np
import pytest
from refused import refused
from scipy.optimize import minimize

from bounds import own_logistic_excess_risk as theorem
from bounds.errors import InputError
from bounds.local_steps import METHODS, distance_bound, rate
from bounds.schedules import doubling_plan
from fedigw import outside
from fedigw.channel import Channel
from fedigw.conformance import check_loss
from fedigw.interfaces import Loss, Setting
from fedigw.protocols.fedavg import FedAvg
from fedigw.protocols.scaffold import Scaffold
from linear.contexts.finite import FiniteContexts
from linear.environments import different_laws, finite_contexts, sphere
from linear.federations import linear_federation, loss_of
from linear.generalised import GeneralisedLinear, GeneralisedProblem, LocalLosses, generalised
from linear.losses.logistic import Logistic
from linear.losses.squared import Squared
from linear.protocols.agd import AcceleratedGradient
from linear.quadratics import Samples
from linear.ridge import RidgeData, RidgeProblem
from verify import fit, simulate


def sigma(z: float) -> float:
    return 1 / (1 + math.exp(-z))


def datasets(seed: int, binary: bool = True) -> list[RidgeData]:
    """Three agents with 4, 6 and 5 different samples, some of them several times."""
    rng, found = np.random.default_rng(seed), []
    for size in (4, 6, 5):
        features = rng.standard_normal((size, 3))
        features /= np.linalg.norm(features, axis=1, keepdims=True) * rng.uniform(1, 2, (size, 1))
        rewards = rng.integers(0, 2, size).astype(float) if binary else rng.random(size)
        counts = rng.integers(1, 5, size)
        weighted = counts[:, None] * features
        samples = Samples(features, rewards, counts)
        found.append(RidgeData(int(counts.sum()), features.T @ weighted, weighted.T @ rewards, samples))
    return found


@pytest.mark.parametrize("radius", [0.3, 1.0, 3.0, 8.0])
def test_the_continued_logistic_loss_by_hand(radius):
    loss = Logistic(radius)
    assert check_loss(loss) == []
    c = sigma(radius) * (1 - sigma(radius))
    z, r = np.array([0.0, radius, radius + 2.0, -radius - 2.0]), np.array([0.0, 1.0, 1.0, 0.0])
    inside, edge = math.log(2), math.log(1 + math.exp(radius))
    beyond = edge + 2 * sigma(radius) + 2 * c - (radius + 2)
    low = math.log(1 + math.exp(-radius)) - 2 * sigma(-radius) + 2 * c
    assert loss.value(z, r) == pytest.approx([inside, edge - radius, beyond, low])
    assert loss.slope(z, r) == pytest.approx(
        [0.5, sigma(radius) - 1, sigma(radius) + 2 * c - 1, sigma(-radius) - 2 * c]
    )
    assert loss.link(z) == pytest.approx([0.5, sigma(radius), sigma(radius), sigma(-radius)])
    assert loss.value(np.linspace(-99, 99, 999), np.zeros(999)).min() > 0


def test_the_squared_loss_makes_ridge_regression_of_the_general_problem():
    """Everything that a protocol may ask, computed from samples, is what ridge computes from sums."""
    data, lam = datasets(1, binary=False), 0.7
    ridge = RidgeProblem(data, 1, lam)
    general = GeneralisedProblem(data, 1, generalised(3, Squared(), lam, 0.1, True))
    rng, who = np.random.default_rng(2), np.arange(3)
    points = rng.standard_normal((3, 3))
    assert general.minimiser() == pytest.approx(ridge.minimiser(), abs=1e-10)
    assert general.gap(points) == pytest.approx(ridge.gap(points))
    assert general.gradients(points[0]) == pytest.approx(ridge.gradients(points[0]))
    assert general.shrinkage == pytest.approx(ridge.shrinkage)
    assert general.smoothness == pytest.approx(ridge.smoothness)
    assert general.effective_samples == pytest.approx(ridge.effective_samples)
    ours, theirs = general.local, ridge.local
    assert ours.local_gradients(points, who, None, rng) == pytest.approx(
        theirs.local_gradients(points, who, None, rng)
    )
    seeds = [np.random.default_rng(5) for _ in range(2)]
    assert ours.local_gradients(points, who, 2, seeds[0]) == pytest.approx(
        theirs.local_gradients(points, who, 2, seeds[1])
    )
    assert ours.local_minimisers(points, who, 0.4) == pytest.approx(theirs.local_minimisers(points, who, 0.4))
    assert ours.curvatures() == pytest.approx(theirs.curvatures())
    for batch in (None, 1):
        assert ours.smoothness(batch) == pytest.approx(theirs.smoothness(batch))
    for one, other in zip(vars(general.constants()).items(), vars(ridge.constants()).items(), strict=True):
        assert one[0] == "quadratic" or one[1] == pytest.approx(other[1]), one[0]


def test_the_minimiser_is_scipys():
    data, model = datasets(3), GeneralisedLinear(3, 0.6, loss=Logistic(0.5))
    problem, n = GeneralisedProblem(data, 1, model), sum(one.count for one in data)

    def whole(w: np.ndarray) -> float:
        total = 0.0
        for one in data:
            for phi, r, count in zip(
                one.samples.features, one.samples.rewards, one.samples.counts, strict=True
            ):
                z = float(phi @ w)
                cut = min(max(z, -0.5), 0.5)
                c = sigma(0.5) * sigma(-0.5)
                psi = math.log(1 + math.exp(cut)) + sigma(cut) * (z - cut) + c * (z - cut) ** 2 / 2
                total += count * (psi - r * z)
        return total / n + 0.6 / (2 * n) * float(w @ w)

    found = minimize(whole, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    assert problem.minimiser() == pytest.approx(found.x, abs=1e-5)
    w = np.array([0.4, -1.0, 2.0])
    assert problem.gap(w) == pytest.approx(whole(w) - found.fun, rel=1e-6)
    slope = problem.gradients(w).sum(axis=0) + problem.shrinkage * w
    steps = 1e-6 * np.eye(3)
    assert slope == pytest.approx([(whole(w + s) - whole(w - s)) / 2e-6 for s in steps], abs=1e-7)


@pytest.mark.parametrize(
    ("d", "radius", "heterogeneous", "lam", "constant"),
    [
        (5, 1, False, 2.84, 4.66),
        (10, 1, True, 8.03, 16.8),
        (20, 1, False, 5.36, 15.4),
        (5, 3, True, 4.61, 48.4),
    ],
)
def test_the_best_regularisation_is_the_best_of_a_grid(d, radius, heterogeneous, lam, constant):
    """The figures of the second column are from a search over a grid."""
    assert theorem.logistic(float(d), float(radius), heterogeneous) == pytest.approx(
        (lam, constant), rel=0.006
    )
    c, (best, least) = (
        sigma(radius) * sigma(-radius),
        theorem.logistic(float(d), float(radius), heterogeneous),
    )
    s, t, u = (2, 4, 1) if heterogeneous else (1, 2, 1 / 2)
    by_hand = (d * s / (4 * c) + best * radius**2 / 2) / 2 / (1 - t / 4 / (c + best))
    assert least == pytest.approx(by_hand)
    assert theorem.threshold(c, 0.25, heterogeneous) == pytest.approx(u - c)
    for factor in (0.9, 1.1):
        assert theorem.coefficient(float(d), float(radius), c, 0.25, factor * best, heterogeneous) > least


def test_rewards_of_a_logistic_world_have_the_links_mean():
    made = finite_contexts.make(
        np.random.default_rng(0), dimension=3, agents=1, loss={"name": "logistic", "radius": 3}
    )
    world = made.world
    contexts = world.agents[0]
    assert isinstance(contexts, FiniteContexts)
    scores = contexts.features @ world.parameter
    assert np.abs(scores).max() <= 3
    assert contexts.means(world.parameter) == pytest.approx(1 / (1 + np.exp(-scores)))
    features, means, _ = (
        sphere.make(np.random.default_rng(0), dimension=3, loss="logistic")
        .world.agents[0]
        .meet((1, 5), np.array([0.1, 0.2, 0.3]), np.random.default_rng(1))
    )
    assert means == pytest.approx(1 / (1 + np.exp(-features @ [0.1, 0.2, 0.3])))


@pytest.mark.parametrize("protocol", ["agd", "fedavg", "scaffold", "fedprox", "fedopt", "lsgd_pfl"])
def test_every_method_reaches_the_minimiser(protocol):
    """On data of agents that are alike in law but not in samples; FedAvg and its kin nearly."""
    rng = np.random.default_rng(0)
    agents = []
    for _ in range(3):
        features = rng.standard_normal((20, 2))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        rewards = (rng.random(20) < 1 / (1 + np.exp(-features @ [0.6, -0.6]))).astype(float)
        agents.append({"features": features.tolist(), "rewards": rewards.tolist()})
    table = {"kind": "dataset", "loss": "logistic", "agents": agents}
    fields = {} if protocol == "agd" else {"rounds": 300, "step_size": 0.2}
    found = fit(table, protocol=protocol, **fields)
    assert found.gap[-1] < (1e-3 if protocol in ("fedavg", "fedopt", "lsgd_pfl", "fedprox") else 1e-6)
    assert not found.document["guarantee"]["violated"]
    rate = found.document["guarantee"]["rate"]
    if protocol in ("fedavg", "scaffold"):
        assert all(gap <= bound + 1e-14 for gap, bound in zip(found.gap, rate["gap"], strict=True))


def test_a_logistic_world_runs_with_a_bound_and_a_certificate():
    table = {
        "kind": "linear",
        "loss": "logistic",
        "environment": {"name": "finite_contexts", "dimension": 2, "arms": 2, "agents": 2, "contexts": 3},
        "horizon": 64,
        "protocol": {"name": "fedavg", "rounds": 2000, "step_size": 0.1},
        "stop": "certificate",
        "learning_rate": "best",
    }
    found = simulate(table, replications=2).document
    assert found["bounds"]["regret"]
    assert not any(row.get("violated") for row in found["bounds"].values() if isinstance(row, dict))


def test_predictions_stay_where_the_theorem_wants_them():
    model = GeneralisedLinear(2, 3.0, loss=Logistic(1.0))
    contexts = np.array([[[1.0, 0.0], [0.0, -1.0]]])
    scores = model.scores(np.array([50.0, 50.0]), contexts)
    assert scores == pytest.approx(np.array([[sigma(1), sigma(-1)]]))


def test_what_is_proved_depends_on_laws_and_regularisation():
    c = sigma(1) * sigma(-1)
    assert GeneralisedLinear(5, 0.5 - c + 1e-6).unproved == ()
    assert "proved above" in GeneralisedLinear(5, 0.5 - c - 1e-6).unproved[0]
    assert "proved above" in GeneralisedLinear(5, 1 - c - 1e-6, heterogeneous=True).unproved[0]
    rng = np.random.default_rng(0)
    made = different_laws.make(rng, dimension=3, agents=2, contexts=2, arms=2)
    world = made.world
    federation = linear_federation(
        world.agents,
        world.parameter,
        doubling_plan(16, 2),
        loss=Logistic(),
    )
    assert federation.model.heterogeneous
    assert federation.model.risk_statements == (("own:logistic_excess_risk", "different_laws"),)
    lam, constant = theorem.logistic(3.0, 1.0, True)
    assert federation.model.risk(10) == pytest.approx(constant / 10)
    assert federation.model.regularisation == pytest.approx(lam)


OWN = '''"""A loss of one's own."""
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from fedigw.interfaces import Loss

@dataclass(frozen=True)
class Own(Loss):
    name: ClassVar[str] = "own"
    curvatures: ClassVar = ({curvatures})
    def value(self, z, r): return {value}
    def slope(self, z, r): return {slope}
    def bend(self, z, r): return {bend}
    def link(self, z): return {link}
'''
GOOD = {
    "curvatures": "1.0, 1.0",
    "value": "z * z / 2 - r * z",
    "slope": "z - r",
    "bend": "np.ones_like(z)",
    "link": "0.5 + np.clip(z, -1, 1) / 2",
}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        (
            {"value": "-z * z", "slope": "-2 * z", "bend": "np.full_like(z, -2.0)"},
            ": is not convex: its second der",
        ),
        ({"link": "0.5 - z / 2"}, "its link is not increasing: it changes by -0.0"),
        ({"link": "0.5 + z / 2"}, "its link goes on from 0 at the radius 1 to -1.5 beyond: cut the scores"),
        ({"value": "np.sqrt(z)"}, "value must give finite numbers"),
        ({"curvatures": "0.1, 0.5"}, "outside its curvatures 0.1 to 0.5"),
        ({"curvatures": "1.0, 0.5"}, "must be 0 <= least <= largest"),
        ({"slope": "z - 2 * r"}, "not the derivative"),
        ({"link": "z[:1]"}, "must give finite numbers of the shape"),
    ],
)
def test_a_users_loss_is_checked_when_it_is_read(changes, said, tmp_path):
    outside.allow()
    file = tmp_path / "own.py"
    file.write_text(OWN.format(**GOOD | changes), encoding="utf-8")
    if not said:
        loss = loss_of(str(file))
        assert isinstance(loss, Loss)
        # the theorem is about slopes link(z) - r, and this one has another link
        assert "not a multiple" in generalised(3, loss, None, 0.1, False).unproved[0]
        return
    with pytest.raises(InputError, match=said):
        loss_of(str(file))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"loss": "logit"}, "did you mean 'logistic'"),
        ({"loss": {"name": "logistic", "radius": -1}}, "must be a positive number"),
        ({"protocol": "direct"}, "linear models with a logistic loss do not offer"),
        ({"protocol": "cg"}, "linear models with a logistic loss do not offer"),
        ({"protocol": "chebyshev"}, "linear models with a logistic loss do not offer"),
        ({"learning_rate": "adaptive"}, "adaptive"),
        ({"environment": "gap_one"}, "loss"),
    ],
)
def test_what_a_logistic_world_cannot_have(changes, said):
    table = {"kind": "linear", "loss": "logistic", "environment": "finite_contexts", "horizon": 8} | changes
    with pytest.raises(InputError, match=said):
        simulate(table, replications=1)


def test_how_near_the_minimiser_is_near_enough():
    """Predictions of a logistic model move by at most a quarter of the distance: 16 delta^2 e(n), and no more."""
    model = generalised(3, Logistic(), None, 0.1, False)
    assert model.reach(50, 0.3) == pytest.approx(16 * 0.09 * model.risk(50))
    data = datasets(2)
    problem = GeneralisedProblem(data, 1, model)
    assert problem.target(0.3) == pytest.approx(model.reach(problem.samples, 0.3))
    phi, away = np.array([1.0, 0.0, 0.0]), math.sqrt(problem.target(0.3))
    moved = [model.scores(w, phi[None, None])[0, 0] for w in (0.001 * phi * away, np.zeros(3))]
    assert moved[0] - moved[1] == pytest.approx(
        0.001 * 0.3 * math.sqrt(model.risk(problem.samples)), rel=1e-3
    )


def test_the_rounds_that_theory_asks_for():
    """n = 10240, d = 5, B = 1, delta = 1/2: from ln 2, slightly above the start, AGD takes 446, SCAFFOLD 25,475."""
    model, n = generalised(5, Logistic(), None, 0.1, False), 10240
    setting = Setting(model, 10, True)
    agd = AcceleratedGradient().asked(setting, n, 0.5)
    scaffold = Scaffold(server_step=math.sqrt(10)).asked(setting, n, 0.5)
    assert 0.95 * 446 < agd <= 446
    assert 0.95 * 25475 < scaffold <= 25475
    one, several = (FedAvg(local_steps=steps).asked(setting, n, 0.5) for steps in (1, 5))
    assert (
        0.7 * scaffold < one < scaffold < several
    )  # gradient descent with a step of 0.618/beta; drift costs rounds
    known = model.on_any_data(n)
    data = [RidgeData(n, np.zeros((5, 5)), np.zeros(5), Samples(np.eye(5), np.ones(5), np.full(5, n // 5)))]
    constants = GeneralisedProblem(data, 1, model).constants()
    assert constants.smoothness <= known.beta
    assert constants.strong_convexity >= known.mu
    assert constants.distance <= known.distance
    assert constants.heterogeneity <= known.gradients


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(("local", "server", "batch"), [(1, 1.0, 1), (5, 2.0, 8)])
def test_scheduled_rounds_reach_their_target_by_theorem_g(name, local, server, batch):
    """The bound after the scheduled rounds is below the target, after 0.8 of them it is not; no formula is shared."""
    known, size = generalised(5, Logistic(), None, 0.1, False).on_any_data(1024), None
    if noisy := name.endswith("_sgd"):
        size = batch
    method, target = METHODS[name], 0.25 * known.error
    h, rounds = known.schedule(name, 0.5, local, server, size)
    noise = known.gradients / batch if noisy else 0.0
    terms = (
        method.c1(local, server, h * known.beta, noise, noise),
        method.c2(local, server, known.beta, known.gradients),
    )
    assert not method.conditions(h, server, known.beta)
    start = known.distance + method.weight(h, server, known.beta) * known.gradients
    for share, reached in ((1.0, True), (0.8, False)):
        power = rate(method, h, known.mu, known.beta)
        bound = distance_bound(int(share * rounds), power, h, known.mu, start, *terms)
        assert (bound <= target) == reached


@pytest.mark.parametrize("method", [FedAvg, Scaffold])
def test_minibatches_come_as_near_the_logistic_minimiser_as_scheduled(method):
    """The mean squared distance of eight runs from the minimiser is below its target, and the data decide nothing."""
    problem = GeneralisedProblem(datasets(4), 1, generalised(3, Logistic(), None, 0.1, False))
    protocol = method(tolerance=0.5, batch=2)
    ends = [
        protocol.fit(problem, Channel(3, 1), None, np.random.default_rng(seed)).parameters
        for seed in range(8)
    ]
    target = problem.target(0.5)
    assert np.mean([problem.distance(end) for end in ends]) <= target < problem.distance(np.zeros(3))
    promised = protocol.guarantee(Setting(problem.model, 3, False))
    assert promised.missing == ()
    assert promised.distance(50) == math.inf  # in the mean only
    assert protocol.scheduled(50, 3, 3, problem.model.on_any_data(50)).rounds == promised.cost(50).rounds


def test_an_average_point_is_no_schedule_for_other_losses():
    problem = GeneralisedProblem(datasets(4), 1, generalised(3, Logistic(), None, 0.1, False))
    with pytest.raises(
        InputError, match="average = True: the number of rounds for this loss is proved for the last"
    ):
        FedAvg(tolerance=0.5, average=True).fit(problem, Channel(3, 1), None, np.random.default_rng(0))


def test_rewards_of_a_dataset_lie_in_the_unit_interval():
    agents = [{"features": [[1.0]], "rewards": [0.5]}, {"features": [[1.0]], "rewards": [2.0]}]
    with pytest.raises(
        InputError, match=r"agents\[1\].rewards = 2.0: must lie in \[0,1\] with the logistic loss"
    ):
        fit({"kind": "dataset", "loss": "logistic", "agents": agents})


def test_a_stream_that_cannot_be_kept_is_refused(monkeypatch):
    monkeypatch.setattr("linear.contexts.sphere.MOST_KEPT", 100)
    table = {
        "kind": "linear",
        "loss": "logistic",
        "environment": {"name": "sphere", "agents": 1},
        "horizon": 64,
    }
    with pytest.raises(InputError, match="logistic loss would keep"):
        simulate(table, replications=1)


def test_samples_that_were_not_kept_are_named():
    from fedigw.running import DataError

    bare = [RidgeData(one.count, one.gram, one.moment) for one in datasets(1)]
    with pytest.raises(DataError, match="logistic loss needs the samples"):
        GeneralisedProblem(bare, 1, GeneralisedLinear(3))


def test_local_losses_pad_agents_with_fewer_samples():
    """An agent's gradient is that of its own samples, whatever others have."""
    data = datasets(4)
    kept = [one.samples for one in data if one.samples is not None]
    together = LocalLosses(Logistic(), np.full(3, 1 / 3), 0.1, kept)
    points, rng = np.random.default_rng(0).standard_normal((3, 3)), np.random.default_rng(1)
    whole = together.local_gradients(points, np.arange(3), None, rng)
    for m, one in enumerate(kept):
        alone = LocalLosses(Logistic(), np.ones(1), 0.1, [one])
        assert whole[m] == pytest.approx(alone.local_gradients(points[[m]], np.arange(1), None, rng)[0])
        assert together.local_gradients(points[[m]], np.array([m]), None, rng)[0] == pytest.approx(whole[m])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["exact"], "loss = logistic: has no exact law"),
        (["simulate", "--set", "link=logistic"], "the link of mean rewards comes with the loss"),
        (["simulate", "--policy", "ucb"], "needs widths"),
        (["simulate", "--system", "dislinucb"], "mean rewards that are linear in the features"),
    ],
)
def test_commands_refuse_in_one_line(words, said, tmp_path, capsys):
    file = tmp_path / "logistic.toml"
    file.write_text(
        'kind = "linear"\nloss = "logistic"\nhorizon = 8\nenvironment = "finite_contexts"\n', "utf-8"
    )
    refused(capsys, [words[0], str(file), *words[1:]], said)


def test_a_schedule_of_minibatches_plays_logistic_rewards_below_an_informative_bound():
    """FedAvg and SCAFFOLD on minibatches; early epochs have fewer samples than a batch."""
    table = {
        "kind": "linear",
        "loss": "logistic",
        "horizon": 128,
        "learning_rate": "best",
        "agents": [{}, {}],
    }
    table |= {"parameter": [1], "features": [[[1], [-1]]]}
    said = []
    for name in ("fedavg", "scaffold"):
        protocol = {"name": name, "tolerance": 1, "batch": 64, "local_steps": 1}
        found = simulate(table | {"protocol": protocol}, replications=1).document
        mean, bound = found["regret"]["mean"], found["bounds"]["regret"]["value"]
        assert 20 < mean < bound < 0.96 * 254
        said.append(
            f"{found['traffic']['rounds']:,.0f} rounds and lose {mean:.0f}, and the bound is {bound:.0f}"
        )
    assert said[0] in Path("docs/linear.md").read_text()


def test_more_rounds_than_can_be_played_are_refused_before_the_first():
    """No round on a logistic loss is an affine map, so rounds cannot be computed many at once."""
    known = generalised(2, Logistic(3.0), None, 0.1, False).on_any_data(40960)
    with pytest.raises(InputError, match="rounds in a call on 40960 samples, above 1e\\+07"):
        FedAvg(tolerance=0.5).scheduled(40960, 10, 2, known)
