"""own:lower_bound: the formula, in rationals and floats, and where it stands to the upper bound."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bounds import col_finite, own_lower_bound
from bounds.best.constant import best
from bounds.schedules import doubling_plan


def test_a_value_by_hand() -> None:
    """Two agents with 2 and 3 arms: 2/2 + 2 (2/3), then 4 * 1/(2 + 1) + 4 * 2/(3 + 1)."""
    found = own_lower_bound.regret([(2, 2), (4, 4)], (2, 3), (Fraction(0), Fraction(1)))
    assert found == Fraction(1) + Fraction(4, 3) + Fraction(4, 3) + 2
    assert isinstance(found, Fraction)
    assert own_lower_bound.regret([(2, 2), (4, 4)], (2, 3), (0.0, 1.0)) == pytest.approx(float(found))


def test_the_first_epoch_is_uniform_whatever_its_rate() -> None:
    lengths = [(2,), (2,)]
    assert own_lower_bound.regret(lengths, (4,), (Fraction(7), Fraction(1))) == own_lower_bound.regret(
        lengths, (4,), (Fraction(0), Fraction(1))
    )


@pytest.mark.parametrize(("arms", "most"), [(2, 4.6), (10, 4.7)])
def test_it_is_below_the_upper_bound_and_not_far(arms: int, most: float) -> None:
    """At the rates of the upper bound: gamma^l = g sqrt(K/e_{l-1}), e = min(1, ln|F|/(0.46368 n)), |F| = 2."""
    horizon, agents = 2**24, 5
    upper = col_finite.epoch_sum("best", agents, arms, 2)
    plan = doubling_plan(horizon, agents)
    multiplier = float(best(arms, doubling=True).best_multiplier_squared) ** 0.5
    risks = [min(1.0, col_finite.lem_finite_error.mean("best", 2, sum(row))) for row in plan.full]
    rates = [0.0, *(multiplier * (arms / risk) ** 0.5 for risk in risks[:-1])]
    lower = own_lower_bound.regret(plan.played, (arms,) * agents, rates)
    assert lower < upper.value(horizon) < most * lower
