"""Inverse gap weighting: one definition, floats and exact rationals."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bounds.igw import inverse_gap_weights

scores = st.lists(st.fractions(-2, 2, max_denominator=50), min_size=1, max_size=6)
rates = st.fractions(0, 10**6, max_denominator=1000)


@given(scores, rates)
def test_exact_probabilities_follow_the_definition(values, rate):
    p = inverse_gap_weights(np.array(values, dtype=object), rate)
    greedy = max(range(len(values)), key=lambda a: (values[a], -a))
    assert sum(p) == 1
    for arm, value in enumerate(values):
        if arm != greedy:
            assert p[arm] == 1 / (len(values) + rate * (values[greedy] - value))
    assert p[greedy] >= Fraction(1, len(values))


@given(scores, rates)
def test_floats_agree_with_rationals(values, rate):
    exact = inverse_gap_weights(np.array(values, dtype=object), rate).astype(float)
    rounded = inverse_gap_weights(np.array(values, dtype=float), float(rate))
    # a gap below 2^-52 of the scores may be lost: relative to 1/K nothing else is
    np.testing.assert_allclose(rounded, exact, rtol=1e-8, atol=1e-12)


def test_ties_go_to_the_lowest_index():
    p = inverse_gap_weights(np.array([0.5, 1.0, 1.0]), 10.0)
    assert p[2] == 1 / 3  # tied with the greedy arm: gap 0
    assert p[1] == 1 - 1 / 3 - 1 / 8
    assert p[0] == 1 / 8


def test_broadcasts_over_leading_axes():
    table = np.random.default_rng(0).random((4, 3, 5))
    whole = inverse_gap_weights(table, 7.0)
    for i in range(4):
        for x in range(3):
            np.testing.assert_array_equal(whole[i, x], inverse_gap_weights(table[i, x], 7.0))


def test_a_large_learning_rate_keeps_relative_precision():
    p = inverse_gap_weights(np.array([1.0, 0.0]), 1e12)
    assert p[1] == 1 / (2 + 1e12)
