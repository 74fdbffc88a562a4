"""Noisy statistics and noisy gradients: both paths, the noise they add, clipping, what they promise and what not."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bounds import app_noisy_statistics as theorem
from bounds.errors import InputError
from fedigw.applicable import applicable
from fedigw.channel import Channel, Link
from fedigw.interfaces import Acting, Setting
from fedigw.policies.igw import InverseGapWeighting
from fedigw.replications import by_messages, simulate
from fedigw_extensions.privacy.linear_protocols.noisy_gradients import NoisyGradients
from fedigw_extensions.privacy.linear_protocols.noisy_statistics import NoisyStatistics
from linear.environments import different_laws, finite_contexts, sphere
from linear.model import Ridge
from linear.protocols.direct import Direct
from linear.quadratics import Samples
from linear.ridge import RidgeData, exact_minimiser, pooled

PROTOCOLS = {"noisy_statistics": NoisyStatistics, "noisy_gradients": NoisyGradients}


def datasets(rng, agents=3, samples=40, dimension=2):
    found = []
    for _ in range(agents):
        phi = rng.standard_normal((samples, dimension))
        phi /= np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1)
        r = rng.random(samples)
        kept = Samples(phi, r, np.ones(samples, dtype=np.int64))
        found.append(RidgeData(samples, phi.T @ phi, phi.T @ r, kept))
    return found


def fitted(protocol, data, seed=0, link=None):
    model = Ridge(len(data[0].moment), clip=True)
    channel = Channel(len(data), 1, link or Link(), np.random.default_rng(seed))
    return protocol.fit(model.problem(data, 1), channel, None, np.random.default_rng(seed)).parameters


@pytest.mark.parametrize("name", PROTOCOLS)
def test_both_paths_draw_the_same_noise(name):
    data = datasets(np.random.default_rng(1))
    joined = pooled(data)
    problem = Ridge(2).pooled_problem(RidgeData(120, joined.gram[None], joined.moment[None]), 1)
    for protocol in (PROTOCOLS[name](), PROTOCOLS[name](0.1, 1e-3)):
        assert protocol.pools
        found = protocol.pooled(problem, np.random.default_rng(0))
        np.testing.assert_allclose(found[0], fitted(protocol, data), atol=1e-12)


@pytest.mark.parametrize("where", theorem.PLACES)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_noise_of_agents_and_samples_is_larger_by_its_root(name, where):
    """Spread of what the server receives in the sum, 1500 calls: sqrt(1, 5, 5 x 20) times one noise, to 10 %."""
    data = datasets(np.random.default_rng(1), agents=5, samples=20, dimension=1)
    chosen = {"rounds": 1} if name == "noisy_gradients" else {}
    protocol = PROTOCOLS[name](0.5, 1e-3, where, **chosen)
    assert protocol.pools == (where != "agent")
    totals = []

    class Listening(Channel):
        def total(self, field, messages, shape, own=None):
            totals.append(super().total(field, messages, shape, own))
            return totals[-1]

    rng = np.random.default_rng(2)
    problem = Ridge(1, clip=True).problem(data, 1)
    for _ in range(1500):
        protocol.fit(problem, Listening(5, 1), None, rng)
    heard = np.std([total[-1] for total in totals])
    one = protocol.deviation * 2 / 100 if name == "noisy_statistics" else 3 * math.sqrt(3) / protocol.mu / 100
    copies = theorem.copies(where, 5, 100)
    assert heard == pytest.approx(0 if where == "central" else one * math.sqrt(copies), rel=0.1)


def test_much_privacy_budget_gives_the_minimiser_of_the_larger_regulariser():
    """At epsilon = 1e12 there is next to no noise: (V + tau I)^{-1} b."""
    data = datasets(np.random.default_rng(3))
    found = fitted(NoisyStatistics(1e12, 0.5, tau=3.0), data)
    np.testing.assert_allclose(found, exact_minimiser(data, 3.0), atol=1e-4)
    descended = fitted(NoisyGradients(1e12, 0.5, rounds=4000), data)
    assert np.linalg.norm(descended - exact_minimiser(data)) < 0.01


def test_noise_beyond_its_bound_still_gives_an_estimate():
    """tau = 1 and a noise of 1e6: half of all systems would be indefinite without raising eigenvalues."""
    data = datasets(np.random.default_rng(3), samples=2)
    for seed in range(20):
        assert np.isfinite(fitted(NoisyStatistics(1e-6, 1e-9, tau=1.0), data, seed)).all()


def test_clipped_gradients():
    data = datasets(np.random.default_rng(4))
    plain, wide = NoisyGradients(5.0, rounds=50), NoisyGradients(5.0, rounds=50, clip=4.0)
    assert wide.sensitivity == plain.sensitivity
    np.testing.assert_allclose(fitted(plain, data), fitted(wide, data), atol=1e-12)
    narrow = replace(wide, clip=0.1)
    assert narrow.sensitivity == pytest.approx(0.2)
    assert np.abs(fitted(narrow, data) - fitted(wide, data)).max() > 1e-3
    bare = [replace(one, samples=None) for one in data]
    with pytest.raises(InputError, match="needs the agents' samples"):
        fitted(narrow, bare)
    said = narrow.guarantee(Setting(Ridge(2, clip=True), 3)).missing
    assert any("clipped at 0.1 < 4" in reason for reason in said)
    assert not wide.guarantee(Setting(Ridge(2, clip=True), 3)).missing


def test_a_clipped_gradient_is_the_projection_of_each_samples_own():
    one = RidgeData(
        2, np.eye(2), np.array([1.0, 0.0]), Samples(np.eye(2), np.array([1.0, 0.0]), np.array([1, 1]))
    )
    problem = Ridge(2).problem([one], 1)
    found = NoisyGradients(clip=0.5)._answers(
        problem, np.array([0.0, 1.0]), np.array([0]), None, np.random.default_rng(0)
    )
    np.testing.assert_allclose(found, [[-0.5 / 2, 0.5 / 2]])


def test_predictions_are_clipped_where_the_theorem_is_about_them_and_nowhere_else():
    made = finite_contexts.make(np.random.default_rng(0), dimension=2, arms=2, agents=2, horizon=8)
    private = replace(made, protocol=NoisyStatistics())
    assert (made.model.clip, private.model.clip) == (False, True)
    assert not replace(private, protocol=Direct()).model.clip
    features = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    wild = np.array([3.0, -1.0])
    np.testing.assert_allclose(private.model.scores(wild, features), [[1.0, 0.0]])
    np.testing.assert_allclose(made.model.scores(wild, features), [[3.0, -1.0]])
    # the excess risk is that of the clipped prediction: at most 1
    world = private.world
    act = Acting(private.model, np.zeros(2), InverseGapWeighting(), 1.0)
    assert world.excess_risk(lambda m: act, lambda m: 1e6 * np.ones(2), (4, 4)) <= 1


def test_sphere_contexts_play_the_clipped_model():
    """The fast engines know linear scores only; a clipped model is drawn in full, and differs."""
    made = replace(sphere.make(np.random.default_rng(0), horizon=64), protocol=NoisyStatistics(100.0, 0.1))
    record = simulate(made, 3, 0)
    assert np.isfinite(record.regret).all()


def test_what_is_promised():
    one_law = replace(
        finite_contexts.make(np.random.default_rng(0), horizon=2**12), protocol=NoisyStatistics()
    )
    found = applicable(one_law)
    assert found.claim == "app:noisy_statistics"
    assert not found.missing
    assert one_law.guarantee().risk("sharpened", 99) == pytest.approx(
        theorem.excess_risk(
            one_law.model.dimension,
            99,
            NoisyStatistics().deviation,
            theorem.usual_tau(NoisyStatistics().deviation, one_law.model.dimension),
        )
    )
    many = replace(different_laws.make(np.random.default_rng(0)), protocol=NoisyStatistics())
    assert any("one law" in reason for reason in applicable(many).missing)
    assert not applicable(replace(many, protocol=NoisyGradients())).missing
    setting = Setting(Ridge(2), 3)
    for protocol in (NoisyStatistics(), NoisyGradients()):
        assert any("clipped to [0,1]" in reason for reason in protocol.guarantee(setting).missing)
    lam = Setting(Ridge(2, regularisation=2.0, clip=True), 3)
    assert any("lambda = 1/n" in reason for reason in NoisyGradients().guarantee(lam).missing)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_promised_risks_fall_with_samples_and_rise_with_noise(name):
    setting = Setting(Ridge(3, clip=True), 4)
    risks = {
        where: [
            PROTOCOLS[name](1.0, 1e-5, where).guarantee(setting).risk("sharpened", n) for n in (10**4, 10**6)
        ]
        for where in theorem.PLACES
    }
    assert all(later < earlier for earlier, later in risks.values())
    assert risks["central"][1] < risks["agent"][1] < risks["local"][1]


def test_a_record_with_a_promise_about_risk_alone_can_be_saved(tmp_path):
    from fedigw.record import load, save

    made = finite_contexts.make(np.random.default_rng(0), dimension=2, arms=2, agents=2, horizon=16)
    record = by_messages(replace(made, protocol=NoisyStatistics(where="agent")), 2, 0, audit=True)
    assert record.promises == ()
    save(record, tmp_path / "record.json")
    assert load(tmp_path / "record.json").protocol == "noisy_statistics"


BAD = [
    ({"epsilon": 0}, "epsilon = 0: must be a positive number"),
    ({"epsilon": -1}, "epsilon = -1"),
    ({"epsilon": math.inf}, "epsilon = inf"),
    ({"delta": 0}, "delta = 0: must lie strictly between 0 and 1"),
    ({"delta": 1}, "delta = 1"),
    ({"where": "server"}, "where = server: unknown; known: agent, central, local"),
]


@pytest.mark.parametrize(
    ("protocol", "changes", "said"),
    [
        *((protocol, *row) for protocol in PROTOCOLS.values() for row in BAD),
        (NoisyStatistics, {"tau": 0.99}, "tau = 0.99: must be a number of at least 1"),
        (NoisyStatistics, {"tau": math.nan}, "tau = nan"),
        (NoisyGradients, {"rounds": 0}, "rounds = 0: must be a positive integer"),
        (NoisyGradients, {"clip": 0.0}, "clip = 0.0: must be a positive number"),
    ],
)
def test_bad_keys_are_refused(protocol, changes, said):
    with pytest.raises(InputError, match=said):
        protocol(**changes)
