"""The theorem where learning rates fall: its constant by hand, against the kernel's expression, and its terms."""

import math

import pytest

from bounds import lem_epoch_regret_bound
from bounds.schedules import EpochPlan, doubling_plan
from bounds.theorems import own_relaxed_rates, thm_global_regret


def kernels(rbar: float, c: float, g2: float, q: float) -> float:
    """Constants.split_constant of proofs/ at s = t = 1/(8c)."""
    s = t = 1 / (8 * c)
    beta = (2 * t + c * g2 / (4 * t)) / (1 - 2 * c * t)
    return (q + 2 * s + 2 * c * s * beta + c * g2 / (4 * s)) / (1 - s * rbar / (1 - t * rbar))


@pytest.mark.parametrize("rbar", [1.0, 1.39, 2.0, 3.9])
@pytest.mark.parametrize("c", [1.0, 2.0, 7.0])
def test_the_constant_is_the_kernels(rbar, c):
    for g2, q in ((0.0, 0.5), (0.5, 0.9), (2.0, 0.99)):
        found = own_relaxed_rates.constant(c, q, g2, rbar)
        assert found == pytest.approx(kernels(rbar, c, g2, q), rel=1e-12)


def test_at_rbar_one_it_is_sharpened_or_less_and_at_c_one_it_is_the_sheets():
    assert own_relaxed_rates.constant(1.0, 0.9, 0.5, 1.0) == pytest.approx(
        lem_epoch_regret_bound.sharpened(1.0, 0.9, 0.5)
    )
    assert own_relaxed_rates.constant(3.0, 0.9, 0.5, 1.0) < lem_epoch_regret_bound.sharpened(3.0, 0.9, 0.5)
    assert own_relaxed_rates.constant(1.0, 0.9, 0.5, 2.0) == pytest.approx(6 / 4 * (0.9 + 1 / 3 + 4 / 3))


def test_the_fall_is_the_largest_and_begins_with_epoch_three():
    assert own_relaxed_rates.fall([9.0, 1.0, 2.0, 3.0]) == 1.0  # gamma^1 plays no part
    assert own_relaxed_rates.first_fall([9.0, 1.0, 2.0, 3.0]) is None
    assert own_relaxed_rates.fall([1.0, 6.0, 4.0, 2.0]) == 2.0
    assert own_relaxed_rates.first_fall([1.0, 6.0, 6.0, 4.0]) == (4, 6.0, 4.0)


def test_terms_are_the_constant_times_arms_over_gamma_and_capped():
    plan, arms = doubling_plan(1 << 14), (3,)
    risks = [1e-6] * plan.epochs
    rates = [1.0, *(2000.0 / (1 + l % 2) for l in range(1, plan.epochs))]
    terms = own_relaxed_rates.epoch_terms(plan, arms, rates, risks)
    g2 = 2000.0**2 * 1e-6 / 3
    factor = own_relaxed_rates.constant(1.0, 2 / 3, g2, 2.0)
    assert terms[0] == pytest.approx(2 * 2 / 3)
    assert terms[-1] == pytest.approx(min(8192.0, factor * 3 * 8192 / rates[-1]))
    assert all(term <= sum(row) for term, row in zip(terms, plan.played, strict=True))


def test_two_agents_whose_rate_falls():
    """K = (2, 100), E^1 = (1, 100), E^2 = (100, 100): Kbar 10002/101, then 51."""
    plan = EpochPlan(((1, 100), (100, 100), (100, 100)), ((1, 100), (100, 100), (100, 100)))
    squares = [thm_global_regret.mean_arms(row, (2, 100)) for row in plan.full]
    rates = [1.0, *(math.sqrt(square) for square in squares[:-1])]
    assert squares[:2] == [pytest.approx(10002 / 101), 51]
    assert own_relaxed_rates.fall(rates) == pytest.approx(1.39347, abs=1e-5)
    assert own_relaxed_rates.largest(plan) == 400.0
