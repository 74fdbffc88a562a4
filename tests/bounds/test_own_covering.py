"""own:covering: the bound by covering numbers, its limits and the regret made of it."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import finite_excess_risk
from bounds.symbols import symbol
from bounds.theorems import own_covering


def test_a_net_of_radius_0_is_the_finite_class() -> None:
    for n, size in ((1, 2), (50, 100), (10**6, 3)):
        theirs = float(finite_excess_risk.sharpened_mean(size, n))
        assert float(own_covering.mean(float(n), math.log(size), 0.0)) == pytest.approx(theirs)


@given(st.floats(1, 1e12), st.integers(1, 100))
def test_the_linear_risk_does_not_increase(n: float, d: int) -> None:
    assert own_covering.linear_mean(2 * n, d) < own_covering.linear_mean(n, d)


functions = st.lists(
    st.lists(st.integers(0, 12).map(lambda k: Fraction(k, 12)), min_size=2, max_size=2).map(tuple),
    min_size=1,
    max_size=9,
)


@given(functions, st.sampled_from([Fraction(0), Fraction(1, 6), Fraction(1, 2), Fraction(1)]))
def test_a_net_covers_and_shrinks_with_its_radius(
    found: list[tuple[Fraction, ...]], radius: Fraction
) -> None:
    size = own_covering.covering_number(found, radius)
    assert 1 <= size <= own_covering.covering_number(found, Fraction(0)) == len(set(found))
    assert own_covering.covering_number(found, Fraction(1)) == 1


@pytest.mark.parametrize("variant", ["repaired", "sharpened", "best"])
def test_the_closed_form_bounds_the_sum(variant: str) -> None:
    family = own_covering.CoveringRegret()
    form = family.expression(variant, "regret", None)
    for M, K, T, d in ((1, 2, 3, 1), (10, 5, 2**20, 5), (3, 7, 10**9, 40)):
        values = {"M": M, "K": K, "T": T, "d": d}
        value = family.evaluate(variant, "regret", None, values).value
        assert value <= float(form.subs({symbol(k): v for k, v in values.items()}))
