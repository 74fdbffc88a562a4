"""own:lower_bound: the formula, in rationals and floats, and where it stands to the upper bound."""

from fractions import Fraction

import numpy as np
import pytest

from bounds import own_lower_bound
from bounds.best.constant import best
from bounds.schedules import doubling_plan
from bounds.theorems import col_finite, col_linear, thm_global_regret


def test_a_value_by_hand():
    """Two agents with 2 and 3 arms: 2/2 + 2 (2/3), then 4 * 1/(2 + 1) + 4 * 2/(3 + 1)."""
    found = own_lower_bound.regret([(2, 2), (4, 4)], (2, 3), (Fraction(0), Fraction(1)))
    assert found == Fraction(1) + Fraction(4, 3) + Fraction(4, 3) + 2
    assert isinstance(found, Fraction)
    assert own_lower_bound.regret([(2, 2), (4, 4)], (2, 3), (0.0, 1.0)) == pytest.approx(float(found))


def test_the_first_epoch_is_uniform_whatever_its_rate():
    lengths = [(2,), (2,)]
    assert own_lower_bound.regret(lengths, (4,), (Fraction(7), Fraction(1))) == own_lower_bound.regret(
        lengths, (4,), (Fraction(0), Fraction(1))
    )


@pytest.mark.parametrize(("arms", "most"), [(2, 4.6), (10, 4.7)])
def test_it_is_below_the_upper_bound_and_not_far(arms, most):
    """At the rates of the upper bound: gamma^l = g sqrt(K/e_{l-1}), e = min(1, ln|F|/(0.46368 n)), |F| = 2."""
    horizon, agents = 2**24, 5
    upper = col_finite.epoch_sum("best", agents, arms, 2)
    plan = doubling_plan(horizon, agents)
    multiplier = float(best(arms, doubling=True).best_multiplier_squared) ** 0.5
    risks = [min(1.0, col_finite.lem_finite_error.mean("best", 2, sum(row))) for row in plan.full]
    rates = [0.0, *(multiplier * (arms / risk) ** 0.5 for risk in risks[:-1])]
    lower = own_lower_bound.regret(plan.played, (arms,) * agents, rates)
    assert lower < upper.value(horizon) < most * lower


@pytest.mark.parametrize(("arms", "limit"), [(2, 2.0), (3, 2.418), (10, 2.828), (100, 2.935)])
def test_the_ratio_to_the_upper_bound_tends_to_its_limit(arms, limit):
    """C(g)/(1 - 1/K) of variant best: 2.00 for two arms, 2.83 for ten (FedIGW's rates explore no less than that)."""
    bound = col_finite.epoch_sum("best", 10, arms, 10)
    near, far = bound.lower(10**6), bound.lower(10**13)
    assert far.limit == pytest.approx(limit, abs=1e-3)
    assert far.ratio == pytest.approx(limit, abs=2e-3)
    assert near.ratio > far.ratio


@pytest.mark.parametrize("variant", ["printed", "repaired", "sharpened", "best"])
def test_the_sum_under_doubling_is_the_general_formula(variant):
    """Against the rates of a federation with gap 1, at a horizon that cuts the last epoch."""
    from finite_class.environments import gap_one

    rate = {"repaired": "printed"}.get(variant, variant)
    world = gap_one.make(np.random.default_rng(0), arms=3, agents=4, horizon=1000, learning_rate=rate)
    general = own_lower_bound.regret(
        world.plan.played, world.arms, [float(g) for g in world.learning_rates()]
    )
    beside = col_finite.epoch_sum(variant, 4, 3, 3).lower(1000)
    assert beside.value == pytest.approx(general, rel=1e-6)  # a federation's rates are rounded down at 1e-6
    assert beside.value <= general


def test_where_the_rates_are_not_known_there_is_none():
    """One arm loses nothing; agents out of step may have another g; the paper's hidden constants fix no rate."""
    assert col_finite.epoch_sum("sharpened", 3, 1, 5).lower(100) is None
    parameters = {"M": 3, "K": 2, "T": 100, "A": 1.0, "c": 2.0}
    report = thm_global_regret.GeneralRegret().evaluate("sharpened", "regret", None, parameters)
    assert report.lower is None
    linear = {"M": 3, "K": 2, "T": 100, "d": 2, "delta": 0.0, "heterogeneous": 0}
    assert col_linear.LinearRegret().evaluate("printed", "regret", None, linear).lower is None
    assert col_linear.LinearRegret().evaluate("best", "regret", None, linear).lower is not None
