"""Rates of local methods: conditions as sentences, hand-computed values, bounds above runs on random problems."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bounds import (
    app_fedprox,
    app_local_gradients,
    app_local_sgd,
    app_scaffold_gradients,
    app_scaffold_sgd,
    lem_FedAvg_complete,
    lem_LSGD_PFL_full,
    lem_SCAFFOLD_complete,
)

QUICK = settings(max_examples=60, deadline=None, derandomize=True, database=None)


positive = st.floats(1e-3, 1e3)


def test_a_failed_condition_is_a_sentence_with_its_limit() -> None:
    assert app_local_gradients.conditions(5, 0.1, 1.0, 2.0) == ()
    (sentence,) = app_local_gradients.conditions(2, 0.5, 2.0, 1.0)
    assert "at most 1/beta = 1, it is 2" in sentence
    assert len(app_local_gradients.conditions(5, 2.0, 1.0, 1.0)) == 3
    assert "1/(25 beta)" in app_local_sgd.conditions(0.1, 1.0, 1.0)[0]
    assert "at least 1, it is 0.5" in app_local_sgd.conditions(0.01, 0.5, 1.0)[0]
    assert "0.5/beta" in app_scaffold_gradients.conditions(2, 0.5, 1.0, 1.0)[0]
    assert app_scaffold_gradients.conditions(2, 0.3, 1.0, 1.0, option=1) == ()
    assert "35 beta/mu = 350" in lem_FedAvg_complete.sgd_conditions(349, 1.0, 10.0, 1.0)[0]
    assert lem_FedAvg_complete.sgd_conditions(350, 1.0, 10.0, 1.0) == ()
    assert "36.1 beta/mu = 361" in lem_SCAFFOLD_complete.sgd_conditions(360, 1.0, 10.0, 1.0)[0]
    assert "positive" in app_fedprox.conditions(0.0, 1.0, 1.0)[0]
    assert "1 + proximal/beta = 3" in app_fedprox.conditions(2.0, 3.5, 1.0)[0]


def test_values_by_hand() -> None:
    # K = 3, eta = 1/4, beta = 1: s = 1/2, 1 - s/2 = 3/4; (2/4)^2/(8 (9/16)) = 1/18
    assert app_local_gradients.fixed_point_gap(3, 0.25, 1.0, 1.0) == pytest.approx(1 / 18)
    assert app_local_gradients.gap_bound(0, 1, 0.5, 1.0, 1.0, 0.5, 7.0, 4.0) == pytest.approx(4)
    # one local step: gradient descent, (1 - h mu)^{2r}
    assert app_local_gradients.gap_bound(3, 1, 0.5, 1.0, 1.0, 0.5, 7.0, 4.0) == pytest.approx(4 * 0.75**6)
    assert app_local_sgd.noise(2, 2.0, 0.5, 1.0, 3.0) == pytest.approx((4 * 3.5 + 0.1) / 2)
    assert app_local_sgd.drift(2.0, 3.0, 5.0) == pytest.approx(1.67 * 15 / 4)
    assert app_scaffold_sgd.noise(2, 2.0, 0.5, 3.0) == pytest.approx(1.5 * 2.075)
    assert app_scaffold_gradients.contraction(0.5, 1.0) == pytest.approx(1 - 13 / 32)
    assert app_fedprox.fixed_point_gap(2.0, 3.0, 4.0) == pytest.approx(1.5)


def test_rounds_of_a_call_at_10240_samples() -> None:
    """Ridge with n = 10240, d = 5, delta = 1/2 on the road without a factor n: 71980 and 364580 rounds are enough."""
    n, d, delta = 10240, 5, 0.5
    C = d / 4 + 1
    s = 6.52 * math.log(d / (delta * C / (n + 1)))
    target = delta**2 * C / (max(2, s) * (n + 1))
    beta, mu = 2 * (1 + 1 / n), 2 / n
    assert app_local_gradients.gap_bound(71980, 1, 1 / beta, 1.0, beta, mu, 1.0, 1.0) <= target
    assert app_scaffold_gradients.gap_bound(364580, 1 / (2 * beta), mu, 1.0, 4.0) <= target
    assert app_scaffold_gradients.gap_bound(340000, 1 / (2 * beta), mu, 1.0, 4.0) > target


@QUICK
@given(positive, positive, st.floats(0.01, 1.0), st.integers(1, 2000), positive)
def test_the_weighted_sum_by_its_definition(
    distance: float, c1: float, share: float, rounds: int, beta: float
) -> None:
    """(mu/2) d_0 q^R/(1-q^R) is d_0 over h times the sum of the weights."""
    mu, step = share * beta, 1 / (25 * beta)
    q = 1 - mu * step / 2
    total = sum(q ** (rounds - r - 1) for r in range(rounds)) / q**rounds
    assert app_local_sgd.weighted_gap(rounds, step, mu, distance, c1) == pytest.approx(
        distance / (step * total) + c1 * step, rel=1e-6
    )


@QUICK
@given(positive, positive, positive, st.floats(0.01, 1.0), positive, positive)
def test_the_chosen_step_and_the_plan_keep_their_word(
    distance: float, c1: float, c2: float, share: float, beta: float, target: float
) -> None:
    mu = share * beta
    rounds = math.ceil(35 * beta / mu)
    step = lem_FedAvg_complete.sgd_step(rounds, beta, mu, distance, c1)
    assert not app_local_sgd.conditions(step, 1.0, beta)
    stated = lem_FedAvg_complete.sgd_gap_bound(rounds, beta, mu, distance, c1, c2)
    assert app_local_sgd.weighted_gap(rounds, step, mu, distance, c1, c2) <= stated * (1 + 1e-9)
    step, rounds = lem_LSGD_PFL_full.plan(target, beta, mu, distance, c1, c2)
    assume(rounds > 0)
    assert app_local_sgd.weighted_gap(rounds, step, mu, distance, c1, c2) <= target * (1 + 1e-9)


@QUICK
@given(positive, positive, positive, st.floats(0.01, 1.0), positive)
def test_scaffolds_chosen_step_keeps_its_word(
    distance: float, controls: float, c1: float, share: float, beta: float
) -> None:
    mu = share * beta
    rounds, start = math.ceil(36.1 * beta / mu), lem_SCAFFOLD_complete.sgd_start(distance, controls, beta)
    step = lem_SCAFFOLD_complete.sgd_step(rounds, beta, mu, start, c1)
    assert app_scaffold_sgd.start(distance, controls, step, 1.0, beta) <= start
    stated = lem_SCAFFOLD_complete.sgd_gap_bound(rounds, beta, mu, start, c1)
    assert app_local_sgd.weighted_gap(rounds, step, mu, start, c1) <= stated * (1 + 1e-9)
