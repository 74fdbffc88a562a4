"""col:finite and thm:global_regret as formulas: tables, closed forms, vacuity horizons, limits."""

import math
from dataclasses import replace

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from bounds import asymptotics, lem_epoch_regret_bound, lem_finite_error
from bounds.epoch_sum import EpochSum
from bounds.schedules import doubling_plan
from bounds.symbols import symbol
from bounds.theorems import col_finite, thm_global_regret


def test_a_horizon_of_a_trillion_costs_a_visit_per_epoch():
    visits: list[int] = []

    def counted(agents: int, arms: int, functions: int) -> EpochSum:
        bound = col_finite.epoch_sum("printed", agents, arms, functions)
        visits.clear()
        return replace(bound, rate=lambda previous: visits.append(previous) or bound.rate(previous))

    counted(10, 5, 100).value(10**12)
    assert len(visits) == 39  # 2^39 < 10^12 < 2^40: epochs 2, ..., 40
    counted(1, 10**6, 10**9).first_informative_horizon()
    assert len(visits) < 100  # not a scan


def test_the_closed_form_is_not_wasteful():
    """A closed form ten times too large would pass the domination test."""
    at = {symbol("M"): 1, symbol("K"): 2, symbol("T"): 2**40, symbol("F"): 10}
    for variant in ("repaired", "sharpened"):
        closed = float(col_finite.closed_form(variant).subs(at))
        assert closed < 1.08 * col_finite.epoch_sum(variant, 1, 2, 10).value(2**40)


def test_the_summation_constant_is_the_supremum():
    """sum_l E^l_cut/sqrt(E^{l-1}) <= (2 + sqrt2) sqrt T, approached at powers of two."""
    total = EpochSum(1, 0.0, lambda previous: 1 / math.sqrt(previous), capped=False)
    ratios = [total.value(t) / math.sqrt(t) for t in [*range(3, 3000), *(2**k for k in range(12, 80))]]
    assert max(ratios) < 2 + math.sqrt(2)
    assert max(ratios) > (2 + math.sqrt(2)) * (1 - 1e-10)


@given(st.floats(1, 8), st.floats(0.5, 1))
def test_the_best_multiplier_is_a_minimum(c, q):
    best = lem_epoch_regret_bound.best_multiplier_squared(c, q)
    least = lem_epoch_regret_bound.sharpened(c, q, best) / math.sqrt(best)
    assert least == pytest.approx(lem_epoch_regret_bound.sharpened_over_g(c, q), rel=1e-12)
    for factor in (0.9, 1.1):
        assert lem_epoch_regret_bound.sharpened(c, q, factor * best) / math.sqrt(factor * best) > least


@pytest.mark.parametrize("variant", col_finite.VARIANTS)
@pytest.mark.parametrize("horizon", [3, 17, 64, 1000])
def test_the_theorem_gives_the_corollary(variant, horizon):
    """General epoch terms at synchronous lengths equal col:finite; printed differs only by the paper's c^{5/2}."""
    plan = doubling_plan(horizon, agents=7)
    risks = [lem_finite_error.mean(variant, 20, sum(row)) for row in plan.full]
    terms = thm_global_regret.epoch_terms(variant, plan, (4,) * 7, risks)
    corollary = col_finite.epoch_sum(variant, 7, 4, 20).value(horizon)
    if variant == "printed" and plan.epochs > 2:
        first = terms[0]
        assert (sum(terms) - first) == pytest.approx((corollary - first) * math.sqrt(2), rel=1e-12)
    elif variant != "printed":
        assert sum(terms) == pytest.approx(corollary, rel=1e-12)


def test_the_order_is_a_consequence_in_t_and_not_in_m():
    bound, order = col_finite.closed_form("repaired"), col_finite.papers_order()
    assert asymptotics.limit_ratio(bound, order, symbol("T")) == 110 + 55 * sympy.sqrt(2)
    assert asymptotics.limit_ratio(bound, order, symbol("M")) == sympy.oo
    smaller = sympy.sqrt(symbol("T"))
    assert asymptotics.limit_ratio(bound, smaller, symbol("T")) == sympy.oo
