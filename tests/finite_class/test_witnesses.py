"""Witnesses of the errata, and grids of classes."""

import math
from fractions import Fraction

import numpy as np
import pytest

from finite_class.environments import heterogeneous, random_table
from finite_class.grids import on_grid
from finite_class.lemmas import witnesses
from finite_class.lemmas.sides import exp_above, exp_below
from finite_class.losses import loss_table
from verify.instances import parse

WITH_SLACK = (
    witnesses.fixed_to_random_policy,
    witnesses.excess_risk_above_one,
    witnesses.missing_optimality,
    witnesses.reversed_decomposition,
    witnesses.first_learning_rate,
)


@pytest.mark.parametrize("make", WITH_SLACK, ids=lambda make: make.__name__)
def test_a_repair_compares_two_different_positive_numbers(make):
    found = make()
    assert found.printed.left > found.printed.right
    assert 0 < found.repaired.left < found.repaired.right
    # close enough that the repaired line with a right side of a third would fail
    assert found.repaired.left > found.repaired.right / 3


def test_the_repaired_spread_of_growth_is_small_where_the_printed_one_is_large():
    found = witnesses.truncated_epoch(10)
    assert found.printed.left == 1024
    assert found.repaired.left == 1


def test_the_exponential_is_enclosed():
    for x in (Fraction(1, 2), Fraction(299, 100), Fraction(369, 100)):
        low, high = exp_below(x), exp_above(x)
        assert low < high
        assert float(low) == pytest.approx(math.exp(x)) == pytest.approx(float(high))


def test_values_are_exact_and_shared():
    found = on_grid(np.array([[0, 3], [3, 12]]), 12)
    assert found == ((Fraction(0), Fraction(1, 4)), (Fraction(1, 4), Fraction(1)))
    assert found[0][1] is found[1][0]


def test_a_large_table_holds_few_numbers():
    """Also after the way through a file, and context laws as well."""
    made = random_table.make(np.random.default_rng(0), functions=50, contexts=4, arms=5)
    cells = [v for table in made.world.functions for row in table for v in row]
    assert len({id(v) for v in cells}) <= 101
    described = made.describe()
    again = parse(described)
    assert again.world.functions == made.world.functions
    assert len({id(v) for table in again.world.functions for row in table for v in row}) <= 101
    laws = heterogeneous.make(np.random.default_rng(0), agents=100).world.agents
    assert len({id(p) for agent in laws for p in agent.contexts}) <= 61
    assert all(sum(agent.contexts) == 1 for agent in laws)


def test_numerators_do_not_depend_on_who_shares_what():
    half, again = Fraction(1, 2), Fraction(2, 4)
    assert half is not again
    functions = (((half, Fraction(1, 3)),), ((again, 1),))
    found = loss_table(functions, 0, "bernoulli")
    assert found.denominator == 6
    assert found.numerators.tolist() == [[3, 2], [3, 6]]
