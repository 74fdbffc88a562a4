"""Witnesses of the errata: the printed line fails, and the repaired one says something that could have failed."""

import math
from fractions import Fraction

import pytest

from finite_class.lemmas import witnesses
from finite_class.lemmas.sides import exp_above, exp_below

WITH_SLACK = (
    witnesses.fixed_to_random_policy,
    witnesses.excess_risk_above_one,
    witnesses.missing_optimality,
    witnesses.reversed_decomposition,
    witnesses.first_learning_rate,
)


@pytest.mark.parametrize("make", WITH_SLACK, ids=lambda make: make.__name__)
def test_a_repair_compares_two_different_positive_numbers(make) -> None:  # type: ignore[no-untyped-def]
    found = make()
    assert found.printed.left > found.printed.right
    assert 0 < found.repaired.left < found.repaired.right
    # close enough that the repaired line with a right side of a third would fail
    assert found.repaired.left > found.repaired.right / 3


def test_the_repaired_spread_of_growth_is_small_where_the_printed_one_is_large() -> None:
    found = witnesses.truncated_epoch(10)
    assert found.printed.left == 1024
    assert found.repaired.left == 1


def test_the_exponential_is_enclosed() -> None:
    for x in (Fraction(1, 2), Fraction(299, 100), Fraction(369, 100)):
        low, high = exp_below(x), exp_above(x)
        assert low < high
        assert float(low) == pytest.approx(math.exp(x)) == pytest.approx(float(high))
