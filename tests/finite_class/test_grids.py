"""Tables on a grid: exact, and equal values are one object."""

from fractions import Fraction

import numpy as np

from finite_class.environments import heterogeneous, random_table
from finite_class.grids import on_grid
from finite_class.losses import loss_table
from verify.instances import parse


def test_values_are_exact_and_shared() -> None:
    found = on_grid(np.array([[0, 3], [3, 12]]), 12)
    assert found == ((Fraction(0), Fraction(1, 4)), (Fraction(1, 4), Fraction(1)))
    assert found[0][1] is found[1][0]


def test_a_large_table_holds_few_numbers() -> None:
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


def test_numerators_do_not_depend_on_who_shares_what() -> None:
    half, again = Fraction(1, 2), Fraction(2, 4)
    assert half is not again
    functions = (((half, Fraction(1, 3)),), ((again, 1),))
    found = loss_table(functions, 0, "bernoulli")
    assert found.denominator == 6
    assert found.numerators.tolist() == [[3, 2], [3, 6]]
