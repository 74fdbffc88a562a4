"""col:finite and thm:global_regret as formulas: tables, closed forms, vacuity horizons, limits."""

import math
from dataclasses import replace
from fractions import Fraction as F

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from bounds import asymptotics, lem_epoch_regret_bound, lem_finite_error
from bounds.best.constant import best
from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.schedules import EpochPlan, doubling_plan
from bounds.symbols import symbol
from bounds.theorems import col_finite, thm_global_regret

# |F| = 10: first T whose epoch sum is below what is known without learning, for (K, M)
CELLS = [(2, 1), (2, 10), (2, 100), (10, 1), (10, 10), (10, 100)]
HORIZONS = {
    "printed": [17775894, 1750069, 173327, 96368459, 9732978, 982508],
    "repaired": [888305, 87739, 8803, 5038722, 514100, 49691],
    "sharpened": [513, 33, 3, 4097, 257, 33],  # the first step of the first epoch below its cap
}


@pytest.mark.parametrize("variant", HORIZONS)
def test_vacuity_horizons(variant: str) -> None:
    found = [col_finite.epoch_sum(variant, m, k, 10).first_informative_horizon() for k, m in CELLS]
    assert found == HORIZONS[variant]


@pytest.mark.parametrize("variant", col_finite.VARIANTS)
@pytest.mark.parametrize(("arms", "agents"), [(2, 100), (10, 1000)])
def test_the_horizon_is_what_a_scan_finds(variant: str, arms: int, agents: int) -> None:
    """The solved horizon against the definition, step by step over the last 2000 steps before it."""
    bound = col_finite.epoch_sum(variant, agents, arms, 3)
    found = bound.first_informative_horizon()
    assert found is not None
    for horizon in range(max(1, found - 2000), found + 500):
        assert bound.vacuous(horizon) is (horizon < found)


def test_a_horizon_of_a_trillion_costs_a_visit_per_epoch() -> None:
    visits: list[int] = []

    def counted(agents: int, arms: int, functions: int) -> EpochSum:
        bound = col_finite.epoch_sum("printed", agents, arms, functions)
        visits.clear()
        return replace(bound, rate=lambda previous: visits.append(previous) or bound.rate(previous))

    counted(10, 5, 100).value(10**12)
    assert len(visits) == 39  # 2^39 < 10^12 < 2^40: epochs 2, ..., 40
    counted(1, 10**6, 10**9).first_informative_horizon()
    assert len(visits) < 100  # not a scan


@given(
    st.sampled_from((*col_finite.VARIANTS, "best")),
    st.integers(1, 10**6),
    st.integers(2, 10**4),
    st.integers(2, 10**9),
    st.integers(3, 10**12),
)
def test_the_closed_form_dominates_the_epoch_sum(
    variant: str, agents: int, arms: int, functions: int, horizon: int
) -> None:
    value = col_finite.epoch_sum(variant, agents, arms, functions).value(horizon)
    closed = col_finite.closed_form(variant).subs(
        {symbol("M"): agents, symbol("K"): arms, symbol("T"): horizon, symbol("F"): functions}
    )
    assert value <= float(closed) * (1 + 1e-12)  # both are floats of 40 rounded terms


def test_the_closed_form_is_not_wasteful() -> None:
    """A closed form ten times too large would pass the domination test."""
    at = {symbol("M"): 1, symbol("K"): 2, symbol("T"): 2**40, symbol("F"): 10}
    for variant in ("repaired", "sharpened"):
        closed = float(col_finite.closed_form(variant).subs(at))
        assert closed < 1.08 * col_finite.epoch_sum(variant, 1, 2, 10).value(2**40)


def test_the_summation_constant_is_the_supremum() -> None:
    """sum_l E^l_cut/sqrt(E^{l-1}) <= (2 + sqrt2) sqrt T, approached at powers of two."""
    total = EpochSum(1, 0.0, lambda previous: 1 / math.sqrt(previous), capped=False)
    ratios = [total.value(t) / math.sqrt(t) for t in [*range(3, 3000), *(2**k for k in range(12, 80))]]
    assert max(ratios) < 2 + math.sqrt(2)
    assert max(ratios) > (2 + math.sqrt(2)) * (1 - 1e-10)


def test_sharpened_constants_of_the_sheet() -> None:
    one = sympy.Integer(1)
    assert sympy.simplify(lem_epoch_regret_bound.sharpened_over_g(one, one) - 28 * sympy.sqrt(2) / 9) == 0
    assert lem_epoch_regret_bound.sharpened(1, sympy.Integer(1), 1) == sympy.Rational(14, 3)
    assert lem_epoch_regret_bound.sharpened_over_g(1, 0.5) == pytest.approx(3.478, abs=5e-4)
    assert lem_epoch_regret_bound.sharpened_over_g(1, 0.9) == pytest.approx(4.232, abs=5e-4)


@given(st.floats(1, 8), st.floats(0.5, 1))
def test_the_best_multiplier_is_a_minimum(c: float, q: float) -> None:
    best = lem_epoch_regret_bound.best_multiplier_squared(c, q)
    least = lem_epoch_regret_bound.sharpened(c, q, best) / math.sqrt(best)
    assert least == pytest.approx(lem_epoch_regret_bound.sharpened_over_g(c, q), rel=1e-12)
    for factor in (0.9, 1.1):
        assert lem_epoch_regret_bound.sharpened(c, q, factor * best) / math.sqrt(factor * best) > least


@pytest.mark.parametrize("variant", col_finite.VARIANTS)
@pytest.mark.parametrize("horizon", [3, 17, 64, 1000])
def test_the_theorem_gives_the_corollary(variant: str, horizon: int) -> None:
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


def test_the_order_is_a_consequence_in_t_and_not_in_m() -> None:
    bound, order = col_finite.closed_form("repaired"), col_finite.papers_order()
    assert asymptotics.limit_ratio(bound, order, symbol("T")) == 110 + 55 * sympy.sqrt(2)
    assert asymptotics.limit_ratio(bound, order, symbol("M")) == sympy.oo
    smaller = sympy.sqrt(symbol("T"))
    assert asymptotics.limit_ratio(bound, smaller, symbol("T")) == sympy.oo


def test_the_best_learning_rate_comes_with_its_own_bound() -> None:
    """gamma = g sqrt(K/e) with g and e of the variant best, and the bound of col:finite best on the same run."""
    from fedigw.applicable import applicable_bounds
    from finite_class.federations import finite_federation
    from finite_class.world import Agent

    one, zero = F(1), F(0)
    functions = (((one, zero, zero),), ((zero, one, zero),), ((zero, zero, one),))
    agents = (Agent((one,), (0, 1, 2)),) * 5
    instance = finite_federation(functions, 0, agents, doubling_plan(100, 5), learning_rate="best")
    assert set(applicable_bounds(instance)) == {"best"}
    expected = col_finite.epoch_sum("best", 5, 3, 3).value(100)
    assert applicable_bounds(instance)["best"] == pytest.approx(expected, rel=1e-12)
    g2 = best(3, doubling=True).best_multiplier_squared
    risk = math.log(3) / (0.46368 * 5 * 32)
    assert float(instance.learning_rates()[6]) == pytest.approx(math.sqrt(float(g2) * 3 / risk), abs=2e-6)
    steady = EpochPlan(((4,) * 5,) * 3, ((4,) * 5,) * 3)
    changed = instance.with_plan(steady)  # not doubling: the constant that needs H5 only
    assert thm_global_regret.multiplier_squared("best", steady, (3,) * 5, (1.0,) * 3) == float(
        best(3).best_multiplier_squared
    )
    assert applicable_bounds(changed)["best"] <= 60
    uneven = EpochPlan(((4, 4, 4, 4, 4), (4, 8, 4, 4, 4)), ((4, 4, 4, 4, 4), (4, 8, 4, 4, 4)))
    with pytest.raises(InputError, match=r"learning_rate = best: is for agents in step, c = 1; here c = 2"):
        instance.with_plan(uneven).learning_rates()
