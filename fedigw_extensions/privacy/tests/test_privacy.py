"""The ledger of privacy: what a run spends, what is not accounted for, and requests that are refused."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.building import build
from fedigw.channel import Link
from fedigw.encoders.masks import Masks
from fedigw.interfaces import Setting
from fedigw.privacy import ledger, noise, spending
from fedigw.protocols.scaffold import Scaffold
from fedigw_extensions.compression.encoders.top_k import TopK
from fedigw_extensions.privacy.linear_protocols.noisy_gradients import NoisyGradients
from fedigw_extensions.privacy.linear_protocols.noisy_statistics import NoisyStatistics
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.attacks.sign_flip import SignFlip
from linear.environments import finite_contexts
from linear.federations import KIND
from linear.model import Ridge
from linear.protocols.direct import Direct

SETTING = Setting(Ridge(2), 3)


def federation(protocol, **changes):
    made = finite_contexts.make(np.random.default_rng(0), dimension=2, arms=2, agents=3, horizon=64)
    return replace(made, protocol=protocol, **changes)


@pytest.mark.parametrize("protocol", [NoisyStatistics(0.7, 1e-6), NoisyGradients(0.7, 1e-6)])
def test_a_run_is_as_private_as_one_call(protocol):
    found = ledger.of_federation(federation(protocol))
    assert found.epsilon == pytest.approx(0.7, rel=1e-9)
    assert (found.delta, found.uses) == (1e-6, 1)
    assert "no sample is used by two calls" in ledger.words(found.json())
    many = found.rounds > 1
    assert many == isinstance(protocol, NoisyGradients)
    assert ("noisy rounds of a call added up" in ledger.words(found.json())) == many


def test_calls_on_old_data_add_up_and_the_ledger_says_so():
    """Cumulative data: call l learns from epochs 0..l, so epoch 0 is used three times, mu sqrt3."""
    cumulative = [(10, (0,)), (20, (0, 1)), (40, (0, 1, 2))]
    protocol = NoisyStatistics(1.0, 1e-5)
    found = ledger.entry(protocol, Link(), SETTING, cumulative)
    mu = protocol.spends(SETTING, 10).mu
    assert found.uses == 3
    assert found.epsilon == pytest.approx(spending.Gaussian(mu * 3**0.5).epsilon(1e-5))
    assert found.epsilon > 1.7
    assert "3 calls use the same data, and they add up" in ledger.words(found.json())
    none = ledger.entry(protocol, Link(), SETTING, [])
    assert (none.epsilon, none.uses) == (0.0, 0)
    assert "no call is made" in ledger.words(none.json())


def test_protocols_without_noise_have_no_entry():
    assert ledger.of_federation(federation(Direct())) is None


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (Link(encoder=TopK(1)), "encoder top_k"),
        (Link(aggregator=Median()), "aggregator median"),
        (Link(attack=SignFlip((0,))), "lying agents"),
    ],
)
def test_the_servers_noise_is_for_sums_and_the_agents_noise_for_everything(link, said):
    central = ledger.of_federation(federation(NoisyStatistics(), link=link))
    assert central.epsilon is None
    assert said in central.missing[0]
    assert ledger.words(central.json()).startswith("none accounted: ")
    for where in ("agent", "local"):
        assert ledger.of_federation(
            federation(NoisyStatistics(where=where), link=link)
        ).epsilon == pytest.approx(1)
    with pytest.raises(InputError, match="cannot be accounted for"):
        federation(NoisyStatistics(), link=link, privacy=ledger.Request(1, 1e-5))


def test_masks_and_missing_agents_leave_the_servers_noise_enough():
    for link in (Link(encoder=Masks()), Link(participants=2)):
        assert ledger.of_federation(federation(NoisyStatistics(), link=link)).epsilon == pytest.approx(1)


def test_a_request_is_met_or_refused_with_what_is_allowed():
    asked = ledger.Request(1.0, 1e-5)
    assert federation(NoisyStatistics(), privacy=asked).privacy == asked
    for protocol, said in (
        (Direct(), "privacy = direct: adds no noise.*noisy_statistics or noisy_gradients"),
        (Scaffold(kept=True), "earlier epochs' data again.*use noisy_statistics"),
        (NoisyStatistics(2.0), "privacy.epsilon = 1.0: the run spends 2 at delta = 1e-05"),
        (NoisyStatistics(1.0, 1e-4), "privacy.delta = 1e-05: the run has 0.0001"),
    ):
        with pytest.raises(InputError, match=said):
            federation(protocol, privacy=asked)
    with pytest.raises(InputError, match=r"privacy.earlier_calls = 1: is for data files"):
        federation(NoisyStatistics(), privacy=replace(asked, earlier_calls=1))
    with pytest.raises(InputError, match="earlier_calls = -1"):
        ledger.Request(1.0, 1e-5, -1)


def test_a_request_survives_describing_and_building():
    made = federation(NoisyStatistics(), privacy=ledger.Request(1.0, 1e-5))
    assert made.describe()["privacy"] == {"epsilon": 1.0, "delta": 1e-5}
    assert build(made.describe(), KIND) == made
    table = made.describe()
    for value, said in (
        (3, "privacy = 3: must be a table"),
        ({"epsilon": 1}, "privacy.delta: missing"),
        ({"epsilon": 0, "delta": 0.1}, "privacy.epsilon = 0"),
        ({"epsilon": 1, "delta": 1}, "privacy.delta = 1"),
        ({"epsilon": 1, "delta": 0.1, "budget": 1}, "privacy.budget.*unknown key"),
    ):
        with pytest.raises(InputError, match=said):
            build(table | {"privacy": value}, KIND)
    environment = {"kind": "linear", "environment": {"name": "finite_contexts"}, "horizon": 16}
    asked = environment | {"protocol": "noisy_statistics", "privacy": {"epsilon": 1, "delta": 1e-5}}
    assert build(asked, KIND).privacy is not None
    with pytest.raises(InputError, match="privacy = direct"):
        build(environment | {"privacy": {"epsilon": 1, "delta": 1e-5}}, KIND)


def test_noise_has_the_law_that_the_sensitivity_is_measured_in():
    """Symmetric; variance sigma^2 on the diagonal, half of that off it; 20,000 draws, within 5 standard errors."""
    drawn = noise.symmetric(np.random.default_rng(0), (20_000, 3, 3), 2.0)
    assert np.array_equal(drawn, np.swapaxes(drawn, 1, 2))
    variance = drawn.var(axis=0)
    expected = np.full((3, 3), 2.0) + 2.0 * np.eye(3)
    assert np.abs(variance / expected - 1).max() < 5 * (2 / 20_000) ** 0.5


def test_the_projection_on_a_ball():
    points = np.array([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]])
    np.testing.assert_allclose(noise.project(points), [[0.6, 0.8], [0.3, 0.4], [0.0, 0.0]])
    np.testing.assert_allclose(noise.project(points, 10.0), points)
