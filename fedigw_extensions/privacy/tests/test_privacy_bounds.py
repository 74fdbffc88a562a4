"""The formulas of privacy by hand, by another path, and at their edges."""

import math

import numpy as np
import pytest

from bounds import app_epochs_do_not_compose as epochs
from bounds import app_gaussian_mechanism as gaussian
from bounds import app_noisy_statistics as statistics
from bounds import app_sensitivity as sensitivity
from bounds.errors import InputError
from fedigw_extensions.privacy.linear_protocols import noisy_gradients as gradients


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 8.0, 50.0, 900.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1, 0.9])
def test_epsilon_mu_and_delta_are_inverse_and_rounded_to_the_safe_side(epsilon, delta):
    mu = gaussian.largest_mu(epsilon, delta)
    assert gaussian.delta_of(mu, epsilon) <= delta
    assert gaussian.delta_of(mu * (1 + 1e-9), epsilon) > delta * (1 - 1e-12)
    assert gaussian.epsilon_of(mu, delta) <= epsilon * (1 + 1e-12)
    assert gaussian.epsilon_of(mu, delta) == pytest.approx(epsilon, rel=1e-7)


def test_edges_of_the_accountant():
    assert gaussian.delta_of(0.0, 1.0) == 0
    assert gaussian.epsilon_of(0.0, 0.1) == 0
    assert gaussian.epsilon_of(0.1, 0.5) == 0  # total variation below delta
    for epsilon, delta in ((0, 0.1), (-1, 0.1), (math.inf, 0.1), (1, 0), (1, 1), (1, -0.1)):
        with pytest.raises(InputError):
            gaussian.largest_mu(epsilon, delta)
    for mu, delta in ((-1.0, 0.1), (1.0, 0.0), (1.0, 1.0)):
        with pytest.raises(ValueError):
            gaussian.epsilon_of(mu, delta)


def test_sensitivities_by_hand():
    assert sensitivity.joint(1.0) == pytest.approx(3 / math.sqrt(2))
    assert sensitivity.joint(math.sqrt(2)) == pytest.approx(2 * math.sqrt(2))  # both branches meet
    assert sensitivity.joint(0.0) == pytest.approx(math.sqrt(2))
    assert sensitivity.joint(2.0) == 4
    assert sensitivity.gradient(1.0) == pytest.approx(3 * math.sqrt(3))
    assert sensitivity.gradient(0.0) == 4
    assert sensitivity.gradient(1e-9) == pytest.approx(4)
    assert sensitivity.clipped_gradient(0.5) == 1
    assert sensitivity.clipped_gradient(10.0) == sensitivity.clipped_gradient(None)


@pytest.mark.parametrize("radius", [0.1, 0.5, 1.0, 2.0, 2.5])
def test_the_gradients_closed_form_is_the_maximum_over_angles(radius):
    angle = np.linspace(0, math.pi, 200_001)
    assert sensitivity.gradient(radius) == pytest.approx(
        float((2 * (radius * np.sin(angle) + 2 * np.sin(angle / 2))).max()), rel=1e-9
    )
    # the other case of the proof, norm(phi - psi) <= 3/2, stays below it as long as B <= 2.5
    assert 3 + 2 * radius <= sensitivity.gradient(radius)
    assert sensitivity.gradient(3.0) < 3 + 2 * 3.0


def test_what_calls_on_the_same_data_add_up_to():
    assert epochs.of_run([(0.3, (0,)), (0.4, (1,))]) == 0.4
    assert epochs.of_run([(0.3, (0,)), (0.4, (0, 1))]) == pytest.approx(0.5)
    assert epochs.of_run([]) == 0
    assert epochs.uses([(0,), (1,), (2,)]) == 1
    assert epochs.uses([(0,), (0, 1), (0, 1, 2)]) == 3
    assert epochs.uses([]) == 0


def test_noisy_statistics_by_hand():
    """d = 2, sigma = 3, tau = 4, n = 99: delta' = 1/200, B = 3 (2 + sqrt(2 ln 200))."""
    bound = 3 * (2 + math.sqrt(2 * math.log(200)))
    inside = 0.5 + 9 * 2 / 4 + 1.25**2 * (1 + bound / 2)
    assert statistics.excess_risk(2, 99, 3.0, 4.0) == pytest.approx((1 + inside) / 100)
    # without noise and with tau = 1: the risk of ridge regression, and the price of the event that is not needed then
    assert statistics.bracket(2, 0.0, 1.0, 0.1) == pytest.approx(2 / 4 + 1)
    assert statistics.deviation(0.5) == pytest.approx(3 * math.sqrt(2))
    assert statistics.deviation(0.5, 4) == pytest.approx(6 * math.sqrt(2))
    assert [statistics.copies(w, 7, 50) for w in statistics.PLACES] == [1, 7, 50]
    assert statistics.usual_tau(0.1, 2) == 1
    with pytest.raises(InputError):
        statistics.copies("nowhere", 1, 1)


def test_the_closed_form_of_the_regret_is_above_the_sum_over_epochs():
    from bounds import variants

    row = variants.row("sharpened")
    for agents, horizon, sigma in ((1, 2**10, 8.0), (10, 2**16, 8.0), (3, 5000, 80.0), (2, 2**20, 0.5)):
        tau = statistics.usual_tau(sigma, 3)
        over_g = float(row.in_corollary(4))

        def risk(n, sigma=sigma, tau=tau):
            return statistics.excess_risk(3, n, sigma, tau)

        summed = row.epoch_sum(agents, 4, over_g, risk).value(horizon)
        assert summed <= statistics.regret(agents, 4, horizon, 3, sigma, over_g)


def test_noisy_gradients_by_hand():
    """At R >= beta m n/(Delta sqrt(2d)) the loss is Delta sqrt(2d)/(m n), whatever R is."""
    n, d, mu = 1000, 2, 0.5
    least = gradients.least_rounds(n, d, mu)
    assert least == math.ceil(2 * 1.001 * 500 / (3 * math.sqrt(3) * 2))
    for rounds in (least, 3 * least):
        assert gradients.loss(n, d, mu, rounds) == pytest.approx(3 * math.sqrt(3) * 2 / 500)
        assert gradients.step(n, d, mu, rounds) <= 1 / gradients.smoothness(n)
    assert gradients.loss(n, d, mu, least // 4) > gradients.loss(n, d, mu, least)
    assert gradients.step(n, d, mu, 1) == 1 / gradients.smoothness(n)
    assert gradients.noise(mu, 4) == pytest.approx(2 * 3 * math.sqrt(3) / 0.5)
    assert gradients.gap(n, d, mu, least) == pytest.approx(3 * math.sqrt(3) * 2 / 500 + 1.5 / 1000)
    expected = (math.sqrt(1.5 / 1001) + math.sqrt(2 * gradients.gap(n, d, mu, least))) ** 2
    assert gradients.excess_risk(n, d, mu, least) == pytest.approx(expected)
    assert gradients.excess_risk(n, d, mu, least, heterogeneous=True) > expected
    assert gradients.loss(n, d, mu, 10**4, sensitivity=1.0) == pytest.approx(2 / 500)


@pytest.mark.parametrize(("agents", "arms", "dimension", "sigma"), [(1, 2, 2, 8.0), (10, 4, 5, 2.0)])
def test_the_leading_order_of_the_regret_under_local_noise(agents, arms, dimension, sigma):
    """1.744 (C/g) sqrt(K) (MT)^{3/4} (sigma(sqrt d + rho/2))^{1/2} at T = 2^40, 2^50: nearer and nearer."""
    from bounds import variants

    row = variants.row("sharpened")
    over_g, ratios = float(row.in_corollary(arms)), []

    def risk(n):
        total = sigma * math.sqrt(n)
        return statistics.excess_risk(dimension, n, total, statistics.usual_tau(total, dimension))

    for power in (40, 50):
        n = agents * 2**power
        rho = statistics.norm_bound(1.0, dimension, statistics.failure(n))
        lead = (
            1.744 * over_g * math.sqrt(arms) * n**0.75 * math.sqrt(sigma * (math.sqrt(dimension) + rho / 2))
        )
        ratios.append(row.epoch_sum(agents, arms, over_g, risk).value(2**power) / lead)
    assert 0.98 < ratios[0] < ratios[1] < 1
