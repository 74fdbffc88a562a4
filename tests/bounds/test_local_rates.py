"""Rates of local methods: conditions as sentences, hand-computed values, bounds above runs on random problems."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import app_fedprox, app_local_gradients, local_steps

QUICK = settings(max_examples=30)
positive = st.floats(1e-3, 1e3)


def test_a_failed_condition_is_a_sentence_with_its_limit():
    assert app_local_gradients.conditions(5, 0.1, 1.0, 2.0) == ()
    (sentence,) = app_local_gradients.conditions(2, 0.5, 2.0, 1.0)
    assert "at most 1/beta = 1, it is 2" in sentence
    assert len(app_local_gradients.conditions(5, 2.0, 1.0, 1.0)) == 3
    assert "0.375/beta" in local_steps.FEDAVG_SGD.conditions(0.4, 1.0, 1.0)[0]
    assert "at least 1, it is 0.5" in local_steps.SCAFFOLD.conditions(0.01, 0.5, 1.0)[0]
    assert local_steps.SCAFFOLD_FIRST.conditions(0.6, 1.0, 1.0) == ()
    assert "positive" in app_fedprox.conditions(0.0, 1.0, 1.0)[0]
    assert "1 + proximal/beta = 3" in app_fedprox.conditions(2.0, 3.5, 1.0)[0]


def test_values_by_hand():
    # K = 3, eta = 1/4, beta = 1: s = 1/2, 1 - s/2 = 3/4; (2/4)^2/(8 (9/16)) = 1/18
    assert app_local_gradients.fixed_point_gap(3, 0.25, 1.0, 1.0) == pytest.approx(1 / 18)
    assert app_local_gradients.gap_bound(0, 1, 0.5, 1.0, 1.0, 0.5, 7.0, 4.0) == pytest.approx(4)
    # one local step: gradient descent, (1 - h mu)^{2r}
    assert app_local_gradients.gap_bound(3, 1, 0.5, 1.0, 1.0, 0.5, 7.0, 4.0) == pytest.approx(4 * 0.75**6)
    # K = 2, eta_g = 2, u = 1/4: (2 tau^2 + (3/2)(1/2)(1/4) sigma^2/4)/2 with tau^2 = 3.5, sigma^2 = 4
    assert local_steps.FEDAVG_SGD.c1(2, 2.0, 0.25, 3.5, 4.0) == pytest.approx((7 + 0.1875) / 2)
    assert local_steps.FEDAVG_SGD.c2(2, 2.0, 3.0, 5.0) == pytest.approx(15 / 8)
    assert local_steps.FEDAVG.c2(2, 2.0, 3.0, 5.0) == pytest.approx(15 / 12)
    assert local_steps.FEDAVG_SGD.c2(1, 1.0, 3.0, 5.0) == 0, "one local step does not drift"
    assert local_steps.SCAFFOLD_SGD.c1(2, 2.0, 0.25, 3.5, 4.0) == pytest.approx((7 + 1.125) / 2)
    assert local_steps.SCAFFOLD_SGD.weight(0.5, 2.0, 3.0) == pytest.approx(1.5 * 0.375 / 4)
    assert local_steps.rate(local_steps.SCAFFOLD, 0.5, 1.0, 1.0) == pytest.approx(2 / 3)
    assert local_steps.rate(local_steps.SCAFFOLD_FIRST, 0.5, 0.5, 1.0) == pytest.approx(1 - 0.25 * 0.75)
    assert local_steps.sampled(2, 2.0, 0.25, 4.0, 3.0, 1, 3) == pytest.approx((8 + 0.375) / 2 + 6)
    assert local_steps.sampled(2, 2.0, 0.25, 4.0, 3.0, 3, 3) == pytest.approx((8 / 3 + 0.375) / 2)
    assert app_fedprox.fixed_point_gap(2.0, 3.0, 4.0) == pytest.approx(1.5)


def test_where_the_theorem_on_quadratics_is_better_than_theorem_g():
    """FedAvg with full gradients, beta = 1: the limit at any allowed step; the bounds with zeta = 0, mu = 1/1000 and
    the start in the steepest direction, where gap_0 = d_0/2."""
    shares = []
    for steps, server, u in product((2, 5, 1000), (1.0, 3.0), (0.618, 0.1)):
        size = u / (steps * server)
        general = u**2 * local_steps.FEDAVG.c2(steps, server, 1.0, 1.0)
        shares.append(app_local_gradients.fixed_point_gap(steps, size, 1.0, 1.0) / general)
    assert 0.39 < max(shares) < 0.4
    for rounds, better in ((1, True), (100, False), (20_000, True)):
        ours = app_local_gradients.gap_bound(rounds, 1, 0.618, 1.0, 1.0, 1e-3, 0.0, 0.5)
        assert (ours < local_steps.gap_bound(rounds, 0.618, 1e-3, 1.0)) == better


@pytest.mark.parametrize("method", local_steps.METHODS.values())
def test_the_limit_of_a_step_satisfies_its_condition_and_little_more_does_not(method):
    """u at most the root of the condition: 2u + (3/2)u^2, 2u + (9/2)u^2, u + u^2, u + 2u^2 at most 1."""
    noisy, variates = bool(method.noise[0]), bool(method.variates[0])
    square = {(True, False): 1.5, (True, True): 4.5, (False, False): 1.0, (False, True): 2.0}[noisy, variates]

    def condition(u: float) -> float:
        return (2 if noisy else 1) * u + square * u * u

    assert condition(method.most) <= 1 < condition((1.04 if noisy else 1.0001) * method.most)


@QUICK
@given(positive, positive, st.floats(0.01, 1.0), st.integers(1, 2000), positive)
def test_the_weighted_sum_by_its_definition(distance, c1, share, rounds, beta):
    """(mu/2) d_0 q^R/(1-q^R) is d_0 over h times the sum of the weights."""
    mu, step = share * beta, 1 / (25 * beta)
    q = 1 - mu * step / 2
    total = sum(q ** (rounds - r - 1) for r in range(rounds)) / q**rounds
    assert local_steps.gap_bound(rounds, step, mu, distance, c1) == pytest.approx(
        distance / (step * total) + c1 * step, rel=1e-6
    )


@QUICK
@given(
    st.sampled_from(sorted(local_steps.METHODS)),
    st.integers(1, 50),
    st.floats(1, 5),
    positive,
    positive,
    positive,
    positive,
)
def test_the_chosen_step_is_the_largest_that_is_allowed(name, steps, server, beta, sigma2, zeta2, allowed):
    method = local_steps.METHODS[name]
    noise = (sigma2 / 3, sigma2) if name.endswith("_sgd") else (0.0, 0.0)
    step = 1 / local_steps.slowness(method, beta, allowed, steps, server, noise, zeta2)
    assert not method.conditions(step, server, beta)

    def error(h: float) -> float:
        c1 = method.c1(steps, server, h * beta, *noise)
        return float(c1 * h + method.c2(steps, server, beta, zeta2) * h * h)

    assert error(step) <= allowed * (1 + 1e-9)
    assert step * beta >= 0.999 * method.most or error(1.001 * step) > allowed
