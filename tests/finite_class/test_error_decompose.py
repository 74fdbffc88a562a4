"""lem:error_decompose and lem:rademacher, property-based: tiny problems, every dataset and sign pattern exact."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import laws, unit_values

from finite_class.lemmas import convex_witnesses
from finite_class.lemmas.lem_error_decompose import (
    Problem,
    decomposition,
    errors,
    quartic,
    rademacher,
    squared,
    symmetrisation,
)
from finite_class.lemmas.lem_rademacher import ball, complexity, unit_complexity


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    cells, agents, size = draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(st.integers(1, 4))
    rows = st.lists(unit_values, min_size=cells, max_size=cells).map(tuple)
    samples = draw(st.sampled_from([(1,), (2,), (3,)] if agents == 1 else [(1, 1), (2, 1)]))
    return Problem(
        laws=tuple(draw(laws(cells)) for _ in range(agents)),
        samples=samples,
        functions=tuple(draw(st.lists(rows, min_size=size, max_size=size))),
        norms=tuple(draw(st.lists(unit_values, min_size=size, max_size=size))),
        spreads=tuple(draw(st.lists(unit_values, min_size=cells, max_size=cells))),
        lam=draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(2)])),
        loss=draw(st.sampled_from([squared, quartic])),
        choices=tuple(draw(st.lists(st.integers(0, size - 1), max_size=6))),
    )


@settings(max_examples=50)
@given(problems())
def test_excess_risk_is_at_most_the_sum_of_the_errors(problem):
    assert decomposition(problem).holds


@settings(max_examples=40)
@given(problems())
def test_generalisation_error_is_at_most_twice_the_complexity(problem):
    assert symmetrisation(problem).holds


@settings(max_examples=25)
@given(problems())
def test_the_errors_are_what_their_names_say(problem):
    found = errors(problem)
    assert found.optimisation >= 0
    assert found.risk >= 0
    exact = errors(replace(problem, choices=()))
    assert exact.optimisation == 0
    assert sum(chance for _, chance in problem.datasets) == 1
    # a class of one function learns nothing and generalises without bias
    alone = replace(problem, functions=problem.functions[:1], norms=problem.norms[:1], choices=())
    assert errors(alone).generalisation == errors(alone).risk == rademacher(alone) == 0


def test_equality_is_met():
    """f* fits every dataset, the rule returns another function: excess risk = (2/mu_f)(eps_opt + eps_gen)."""
    one, zero = Fraction(1), Fraction(0)
    problem = Problem(((one,),), (2,), ((one,), (zero,)), (zero, zero), (zero,), zero, squared, (1,))
    sides = decomposition(problem)
    assert sides.left == sides.right == 1


def test_without_optimality_or_regulariser_it_is_false():
    """Negative controls: the same checker on false statements."""
    half, zero = Fraction(1, 2), Fraction(0)
    tilt = Problem(
        ((Fraction(1),),),
        (1,),
        ((half,), (zero,)),
        (zero, zero),
        (zero,),
        zero,
        lambda y, r: (y - r) ** 2 + y,
    )
    assert not decomposition(tilt).holds
    penalised = Problem(
        ((Fraction(1),),), (1,), ((Fraction(1),), (zero,)), (Fraction(1), zero), (zero,), Fraction(2), squared
    )
    assert decomposition(penalised).holds
    assert not decomposition(penalised, regulariser=False).holds


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(-12, 12), unit_values), min_size=1, max_size=7),
    st.sampled_from([Fraction(1, 100), Fraction(1, 2), Fraction(1), Fraction(7)]),
)
def test_the_complexity_in_a_ball(samples, radius):
    features, rewards = [Fraction(k, 12) for k, _ in samples], [r for _, r in samples]
    assert ball(features, rewards, radius).holds
    # the supremum is over a larger set in a larger ball
    assert complexity(features, rewards, radius) <= complexity(features, rewards, 2 * radius)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(-4, 4), unit_values), min_size=1, max_size=5), st.integers(-8, 8))
def test_no_point_of_the_ball_is_above_the_supremum(samples, w):
    """At n signs all +1 the supremum is at least the loss of any w inside, minus sum r^2."""
    from finite_class.lemmas.lem_rademacher import largest

    features, rewards = [Fraction(k, 4) for k, _ in samples], [r for _, r in samples]
    for sign in (1, -1):
        curvature = sign * sum((f**2 for f in features), Fraction(0))
        slope = sign * sum((f * r for f, r in zip(features, rewards, strict=True)), Fraction(0))
        point = Fraction(w, 4)
        assert curvature * point**2 - 2 * slope * point <= largest(curvature, slope, Fraction(2))


def test_the_complexity_of_one_point_is_that_of_a_random_walk():
    one, zero = Fraction(1), Fraction(0)
    for n in (1, 2, 5, 8):
        assert complexity([one] * n, [zero] * n, one) == unit_complexity(n)
    assert 0.39 < float(unit_complexity(400)) * 20 < 0.4


@pytest.mark.parametrize(
    "make",
    [
        convex_witnesses.unbounded_gradient,
        convex_witnesses.unbounded_variance,
        convex_witnesses.omitted_exponential,
        convex_witnesses.infinite_complexity,
        convex_witnesses.slow_rate,
    ],
)
def test_a_witness_breaks_the_printed_line_and_not_the_repair(make):
    found = make()
    assert found.printed.left > found.printed.right
    assert 0 < found.repaired.left < found.repaired.right


@pytest.mark.parametrize("bound", [Fraction(1, 10), Fraction(10), Fraction(10**9)])
def test_no_bound_on_gradients_is_large_enough(bound):
    for make in (convex_witnesses.unbounded_gradient, convex_witnesses.unbounded_variance):
        assert not make(bound).printed.holds
    assert not convex_witnesses.infinite_complexity(bound).printed.holds or bound < 1
