"""app:capped: the four slopes, what a cap changes in a run, and its controls."""

import pytest

from bounds import app_capped, own_lower_bound


@pytest.mark.parametrize(
    ("arms", "agents", "stated"), [(2, 1, 0.1153), (2, 10, 0.0365), (10, 10, 0.0992), (10, 100, 0.0314)]
)
def test_slopes_by_hand(arms, agents, stated):
    """(14/9) sqrt(2(3q + 1)) sqrt(K (5/4 + 1)/(4096 M + 1)), q = 1 - 1/K."""
    by_hand = 14 / 9 * (2 * (4 - 3 / arms)) ** 0.5 * (arms * 2.25 / (4096 * agents + 1)) ** 0.5
    assert app_capped.slope(arms, app_capped.ridge_risk(5, agents)) == pytest.approx(by_hand)
    assert round(by_hand, 4) == stated


def test_the_lower_slope_is_below_the_upper_one():
    for arms in (2, 3, 10, 100):
        risk = app_capped.ridge_risk(5, 100)
        assert own_lower_bound.step(arms, app_capped.learning_rate(arms, risk)) < app_capped.slope(arms, risk)
