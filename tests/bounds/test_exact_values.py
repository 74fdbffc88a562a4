"""The formulas again from the paper's text, at chosen points: a constant, a power or an index that moves is noticed.

Nothing is taken from `bounds` but the value under test; the right sides are written out by hand. Means, closed forms
and rounds under doubling are in tests/second.
"""

from math import exp, log, sqrt

import pytest

from bounds import lem_epoch_regret_bound, lem_finite_error, own_agd_rate, schedules
from bounds.epoch_sum import EpochSum
from bounds.schedules import EpochPlan
from bounds.theorems import thm_global_regret

KAPPA = 1 - exp(-1 / 2)
CLOSE = 1e-12


def test_the_constant_of_an_epoch_grows_with_c():
    c, q, g2 = 3.0, 0.75, 0.2
    assert lem_epoch_regret_bound.paper(c) == 99
    by_hand = 7 * q / 6 + 7 / (18 * c) + 28 * c**2 * g2 / 9
    assert lem_epoch_regret_bound.sharpened(c, q, g2) == pytest.approx(by_hand, rel=CLOSE)
    assert lem_epoch_regret_bound.best_multiplier_squared(c, q) == pytest.approx((3 * c * q + 1) / (8 * c**3))
    assert lem_epoch_regret_bound.sharpened_over_g(c, q) == pytest.approx(
        14 / 9 * sqrt(2 * c * (3 * c * q + 1))
    )


def test_epochs_of_unequal_agents():
    """Two agents with 2 and 5 arms, lengths (4, 2) then (4, 8): c = 4, Kbar weighted by the lengths of epoch 1."""
    plan = EpochPlan(((4, 2), (4, 8)), ((4, 2), (4, 8)))
    arms, risks = (2, 5), [0.0005, 0.5]
    c, q, before, played_arms = 4.0, 1 - 1 / 5, (4 * 2 + 2 * 5) / 6, 4 * 2 + 8 * 5
    scale = played_arms * sqrt(risks[0] / before)
    g2 = (3 * c * q + 1) / (8 * c**3)
    sharpened = 7 * q / 6 + 7 / (18 * c) + 28 * c**2 * g2 / 9
    assert schedules.asynchrony(plan) == schedules.uncut_asynchrony(plan) == c
    repaired = thm_global_regret.epoch_terms("repaired", plan, arms, risks)
    assert repaired == pytest.approx([6, 11 * c**2 * scale], rel=CLOSE)
    found = thm_global_regret.epoch_terms("sharpened", plan, arms, risks)
    assert found == pytest.approx(
        [4 * (1 - 1 / 2) + 2 * (1 - 1 / 5), sharpened / sqrt(g2) * scale], rel=CLOSE
    )
    assert found[1] < 12  # below the cap, so the constant was seen
    assert thm_global_regret.epoch_terms("sharpened", plan, arms, [1.0, 1.0])[1] == 12  # and the cap
    assert thm_global_regret.multiplier_squared("sharpened", plan, arms, ()) == pytest.approx(g2)
    printed = thm_global_regret.epoch_terms("printed", plan, arms, risks)[1]
    assert printed == pytest.approx(11 * 4**2.5 * sqrt(played_arms / 12 * risks[0]) * 12, rel=CLOSE)


def test_learning_rates_of_ones_own():
    """C(g) S^l/gamma^l with the largest g of any epoch, and no epoch above its steps."""
    plan = EpochPlan(((4, 4), (8, 8), (8, 8)), ((4, 4), (8, 8), (8, 5)))
    arms, rates, risks = (3, 3), [1.0, 60.0, 200.0], [1e-4, 2e-5, 1.0]
    c, q = 8 / 5, 2 / 3
    g2 = max(60**2 * 1e-4 / 3, 200**2 * 2e-5 / 3)
    constant = 7 * q / 6 + 7 / (18 * c) + 28 * c**2 * g2 / 9
    terms = thm_global_regret.regret_given_learning_rates(plan, arms, rates, risks)
    assert terms == pytest.approx([8 * q, constant * 48 / 60, constant * 39 / 200], rel=CLOSE)
    smaller = thm_global_regret.regret_given_learning_rates(plan, arms, [1.0, 1.0, 1.0], risks)
    assert smaller[1:] == [16, 13]


def test_the_tail_of_the_excess_risk_over_a_finite_class():
    """The means are in tests/second."""
    F, n, delta = 20, 300, 0.05
    tails = {
        "printed": 25 * log(F / delta) / n,
        "repaired": (2 + 4 / sqrt(3)) ** 2 * log(F / delta) / n,
        "sharpened": log((F - 1) / delta) / (KAPPA * n),
    }
    for variant, value in tails.items():
        assert lem_finite_error.TAIL[variant](F, n, delta) == pytest.approx(value, rel=CLOSE)


def test_accelerated_gradient_descent():
    n = 80.0
    assert own_agd_rate.smoothness(n) == pytest.approx(2 + 2 / n, rel=CLOSE)
    assert own_agd_rate.strong_convexity(n) == pytest.approx(2 / n, rel=CLOSE)
    assert own_agd_rate.momentum(n) == pytest.approx((9 - 1) / (9 + 1), rel=CLOSE)
    assert own_agd_rate.loss_gap(n, 20) == pytest.approx(1.25 * exp(-20 / 9), rel=CLOSE)
    assert own_agd_rate.distance_squared(n, 20) == pytest.approx(100 * exp(-20 / 9), rel=CLOSE)


def test_a_sum_over_epochs():
    """T = 11: epochs 2, 2, 4 and 3 of the 8; each epoch is charged by the length of the one before, up to its cap."""
    rates = {2: 5.0, 4: 1.0}
    for capped, second in ((True, 3.0), (False, 5.0)):
        bound = EpochSum(3, 1.5, lambda before: rates[before], capped)
        assert bound.value(11) == 2 * 1.5 + 2 * second + 4 * second + 3 * 1.0
        assert bound.value(4) == 2 * 1.5 + 2 * second
    assert EpochSum(2, 2.0, lambda before: 1.0, False).first_informative_horizon() == 3
    assert EpochSum(2, 2.0, lambda before: 2.5, False).first_informative_horizon() is None


def test_the_ratio_of_growth_is_over_all_agents():
    assert schedules.spread_of_growth((4, 12, 4), (4, 4, 4)) == 3
    assert schedules.spread_of_growth((4, 2, 4), (4, 4, 4)) == 2
