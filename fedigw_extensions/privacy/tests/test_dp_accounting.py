"""Our accountant beside dp-accounting (extra `dp`), and random batches, which only that library accounts for."""

from dataclasses import replace

import numpy as np
import pytest

from bounds import app_gaussian_mechanism as gaussian
from bounds.errors import InputError
from fedigw.privacy import ledger, subsampled
from fedigw.replications import simulate
from fedigw_extensions.privacy.linear_protocols.noisy_gradients import NoisyGradients
from linear.environments import finite_contexts


@pytest.fixture
def dp():
    return pytest.importorskip("dp_accounting")


@pytest.mark.parametrize("delta", [1e-9, 1e-5, 1e-2])
@pytest.mark.parametrize("sigma", [0.6, 1.0, 3.7302, 20.0])
def test_epsilon_agrees_with_dp_accounting(dp, sigma, delta):
    assert gaussian.epsilon_of(1 / sigma, delta) == pytest.approx(
        dp.get_epsilon_gaussian(sigma, delta), abs=1e-6
    )


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1.0, 1e-5), (8.0, 1e-5), (3.0, 0.01)])
def test_the_largest_mu_agrees_with_dp_accounting(dp, epsilon, delta):
    assert gaussian.largest_mu(epsilon, delta) == pytest.approx(
        1 / dp.get_sigma_gaussian(epsilon, delta), abs=1e-6
    )


@pytest.mark.parametrize(("mu", "epsilon"), [(0.3, 0.5), (1.0, 1.0), (2.5, 4.0)])
def test_delta_agrees_with_dp_accounting(dp, mu, epsilon):
    from dp_accounting.pld import privacy_loss_mechanism

    theirs = privacy_loss_mechanism.GaussianPrivacyLoss(1 / mu).get_delta_for_epsilon(epsilon)
    assert gaussian.delta_of(mu, epsilon) == pytest.approx(theirs, abs=1e-6)


def test_composition_agrees_with_dp_accounting(dp):
    """Forty releases: ours in closed form, theirs by convolution, an upper bound within its grid."""
    accountant = dp.pld.PLDAccountant()
    accountant.compose(dp.SelfComposedDpEvent(dp.GaussianDpEvent(10.0), 40))
    ours = gaussian.epsilon_of(gaussian.together([0.1] * 40), 1e-5)
    theirs = accountant.get_epsilon(1e-5)
    assert ours <= theirs + 1e-9
    assert ours == pytest.approx(theirs, abs=1e-3)  # their grid of 1e-4
    assert ours == pytest.approx(dp.get_epsilon_gaussian(10 / 40**0.5, 1e-5), abs=1e-6)


def test_batches_are_cheaper_than_all_data_and_the_ledger_books_them(dp):
    full = subsampled.Subsampled(8.0, 1000, 1000, 10).epsilon(1e-5)
    small = subsampled.Subsampled(8.0, 20, 1000, 10).epsilon(1e-5)
    assert small < full
    # without batches their bound (Renyi) is above the exact value
    assert gaussian.epsilon_of(gaussian.together([1 / 8.0] * 10), 1e-5) <= full
    twice = subsampled.Subsampled(8.0, 20, 1000, 10).uses(2)
    assert (twice.rounds, twice.epsilon(1e-5) > small) == (20, True)
    found = subsampled.multiplier(1.0, 1e-5, 50, 500, 20)
    assert subsampled.epsilon(found, 50, 500, 20, 1e-5) <= 1.0
    assert subsampled.epsilon(0.99 * found, 50, 500, 20, 1e-5) > 1.0


def test_a_run_on_batches(dp):
    made = finite_contexts.make(np.random.default_rng(0), dimension=2, arms=2, agents=2, horizon=64)
    federation = replace(made, protocol=NoisyGradients(2.0, 1e-5, rounds=10, batch=16))
    booked = ledger.of_federation(federation)
    assert 1.9 < booked.epsilon <= 2.0
    assert booked.rounds == 10
    assert any("random batches" in reason for reason in federation.guarantee().missing)
    assert np.isfinite(simulate(federation, 2, 0).regret).all()


def test_without_the_library_one_line_names_the_extra(monkeypatch):
    import builtins

    real = builtins.__import__

    def missing(name, *rest, **more):
        if name == "dp_accounting":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(InputError, match=r"batch = 8: needs dp-accounting: pip install '\.\[dp\]'"):
        NoisyGradients(rounds=5, batch=8)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"batch": 0, "rounds": 3}, "batch = 0: must be a positive integer"),
        ({"batch": 4, "rounds": 3, "where": "local"}, 'batch = 4: is for where = "central"'),
        ({"batch": 4}, "batch = 4: needs rounds"),
    ],
)
def test_batches_that_make_no_sense(changes, said):
    with pytest.raises(InputError, match=said):
        NoisyGradients(**changes)
