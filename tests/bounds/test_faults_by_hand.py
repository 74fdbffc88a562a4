"""Numbers written out by hand, for faults that once passed every check: a factor M, a (1+delta), 11c for 11c^2."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bounds import own_agd_convex
from bounds.schedules import EpochPlan
from bounds.theorems import col_linear_per, thm_global_regret


def test_the_personalised_excess_risk_has_the_factor_m() -> None:
    assert col_linear_per.excess_risk(7, 3, 10) == pytest.approx((7 / 4 + 9 * 3 / 4) / 10)
    assert col_linear_per.excess_risk(7, 1, 10) == pytest.approx((7 / 4 + 9 / 4) / 10)


@pytest.mark.parametrize("tolerance", [0.0, 0.5])
def test_the_personalised_bound_has_the_solvers_error(tolerance: float) -> None:
    """Two epochs of two steps, M = 3: 2M + 11 (1+delta) sqrt(K e) 2M, e of n = 6 samples."""
    risk = (7 / 4 + 27 / 4) / 6
    expected = 6 + 11 * (1 + tolerance) * math.sqrt(2 * risk) * 6
    assert col_linear_per.epoch_sum("repaired", 3, 2, 7, tolerance).value(4) == pytest.approx(expected)


@pytest.mark.parametrize("tolerance", [0.1, 0.5])
def test_personalised_learning_rates_by_hand(tolerance: float) -> None:
    from linear.personalised.environments.opposite_arms import make
    from linear.personalised.protocols.agd import SharedAcceleratedGradient

    instance = make(np.random.default_rng(0), 2, 1, 2, 2, 3, 8, learning_rate="printed")
    instance = replace(instance, protocol=SharedAcceleratedGradient(tolerance))
    rates = [float(rate) for rate in instance.learning_rates()[1:]]
    risks = [(1 + tolerance) ** 2 * (5 / 4 + 27 / 4) / n for n in (6, 6)]
    assert rates == pytest.approx([math.sqrt(2 / risk) for risk in risks])


def test_the_repaired_theorem_has_the_square_of_c() -> None:
    """Two agents of which one grows three times as fast, c = 3: W^1 + 11 c^2 S^2 sqrt(e/Kbar)."""
    rows = ((2, 2), (2, 6))
    terms = thm_global_regret.epoch_terms("repaired", EpochPlan(rows, rows), (2, 2), [0.25, 0.25])
    assert sum(terms) == pytest.approx(4 + 11 * 9 * 16 * math.sqrt(0.25 / 2))
    asked = {"M": 1, "K": 2, "T": 4, "A": 1, "c": 3}
    found = thm_global_regret.GeneralRegret().evaluate("repaired", "regret", None, asked)
    assert found.value == pytest.approx(2 + 11 * 9 * math.sqrt(2 * 1 / 2) * 2)


def test_convex_agd_by_hand() -> None:
    """n = 100, d = 4: 10 rounds, gap 4.04 * 1.25/121, s = 6.52 ln(4e6), the largest error (6 + sqrt(10100)/11)^2."""
    assert [own_agd_convex.rounds(n) for n in (1, 2, 4, 5, 99, 100, 101)] == [1, 2, 2, 3, 10, 10, 11]
    gap = 4.04 * 1.25 / 121
    assert own_agd_convex.loss_gap(100.0, 10, 1.25) == pytest.approx(gap)
    exact = (math.sqrt(2 / 101) + math.sqrt(6.52 * math.log(4e6) * gap)) ** 2
    exact += (6 + math.sqrt(10100) / 11) ** 2 / 1e6
    assert own_agd_convex.excess_risk(4, 100) == pytest.approx(exact)


@pytest.mark.parametrize("heterogeneous", [False, True])
def test_the_closed_bound_of_convex_agd_is_above_the_sum(heterogeneous: bool) -> None:
    import sympy

    from bounds.symbols import symbol
    from bounds.theorems import col_linear

    names = [symbol(name) for name in ("M", "K", "T", "d")]
    closed = col_linear.THEOREM.expression("repaired", "regret", "agd_convex", 0.0, int(heterogeneous))
    formula = sympy.lambdify(names, closed, "math")
    for agents, arms, d, horizon in ((1, 2, 1, 3), (10, 5, 5, 2**20), (3, 2, 40, 1000)):
        summed = col_linear.epoch_sum("repaired", agents, arms, d, 0.0, heterogeneous, "agd_convex").value(
            horizon
        )
        assert summed <= formula(agents, arms, horizon, d)
