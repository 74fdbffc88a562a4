"""Compression and gossip: formulas against hand values, and schedules that do what they say."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.compression import (
    kept_share,
    known_of_lifted,
    known_of_ridge,
    rounding_bits,
    rounding_variance,
    rounds_until,
    top_k_bits,
)
from fedigw_extensions.compression.protocols import compressed_gradients, diana, ef21, error_feedback
from fedigw_extensions.gossip.linear_protocols import (
    decentralised_gradients,
    gossip_statistics,
    gradient_tracking,
)

QUICK = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def test_hand_values_of_compressors():
    assert rounding_variance(5, 1) == 5
    assert rounding_variance(5, 4) == 5 / 225
    assert rounding_bits(8, 4) == 64
    assert kept_share(8, 2) == 0.25
    assert top_k_bits(8, 1) == 64 + 3
    assert top_k_bits(9, 2) == 2 * (64 + 4)
    assert top_k_bits(8, 8) == 8 * 64  # nothing is left out: no places
    assert top_k_bits(1, 1) == 64


def test_hand_values_of_rates():
    # om = 5, p_max = 1/10, beta = 2: 1 + 6/2 = 4
    assert diana.largest_step(2, 5, 0.1) == pytest.approx(1 / 8)
    assert diana.rate(1 / 8, 0.1, 5) == pytest.approx(1 / 80)
    assert diana.rate(1 / 8, 100.0, 5) == pytest.approx(1 / 12)  # al/2
    assert compressed_gradients.largest_step(2, 5, 0.1) == pytest.approx(1 / 4)
    assert compressed_gradients.floor(0.25, 0.5, 5, 0.1, 3) == pytest.approx(1.5)
    # al = 3/4: th = 1/2, 1 + sqrt2
    assert ef21.theta(0.75) == 0.5
    assert ef21.largest_step(1, 0.75) == pytest.approx(1 / (1 + math.sqrt(2)))
    assert error_feedback.largest_step(2, 0.5) == 1 / 32
    assert error_feedback.floor(0.1, 2, 0.5, 3) == pytest.approx(16 * 0.5 * 0.01 * 2 * 3 / 0.25)
    assert gossip_statistics.error(0.5, 3, 10, 100) == pytest.approx(3 * 0.125 * 100 * 6)
    assert gradient_tracking.disagreement_allowed(10) == pytest.approx(1 / 90)
    assert gradient_tracking.potential(1, 2, 3, 0.5) == 1 + 11 + 6.75
    assert decentralised_gradients.bias(0.1, 0.2, 0.5, 3) == pytest.approx(math.sqrt(6))


def test_a_lossless_compressor_gives_gradient_descent():
    """Nothing dropped: EF21's and DIANA's steps are 1/beta."""
    assert ef21.largest_step(4, 1.0) == 1 / 4
    assert diana.largest_step(4, 0.0, 1.0) == 1 / 4


@QUICK
@given(
    n=st.integers(4, 5000),
    agents=st.integers(1, 20),
    d=st.integers(1, 30),
    bits=st.integers(1, 20),
    tolerance=st.floats(0.01, 2),
)
def test_schedules_reach_their_target_by_their_own_bound(n, agents, d, bits, tolerance):
    target = tolerance**2 * (d / 4 + 1) / (n + 1)
    om, share = rounding_variance(d, bits), kept_share(d, 1)
    for known in (
        known_of_ridge(n, agents, d),
        known_of_lifted(n, agents, d + agents, n / agents, personal=True),
    ):
        p, mu, slack = known.largest_share, known.mu, 1 + 1e-9
        plan = compressed_gradients.schedule(known, om, target)
        reached = compressed_gradients.distance_bound(
            plan.rounds, plan.step, mu, om, p, known.heterogeneity, known.start
        )
        assert known.spread * reached <= target * slack
        plan = diana.schedule(known, om, target)
        reached = diana.distance_bound(plan.rounds, plan.step, mu, om, p, known.start, known.slopes)
        assert known.spread * reached <= target * slack
        plan = ef21.schedule(known, share, target)
        left = (1 - share) * known.slopes
        assert 2 / mu * ef21.gap_bound(plan.rounds, plan.step, mu, share, 1.0, left) <= target * slack
        plan = error_feedback.schedule(known, share, target)
        gap = error_feedback.gap_bound(
            plan.rounds, plan.step, mu, known.beta, share, known.heterogeneity, known.start
        )
        assert 2 / mu * gap <= target * slack
        plan = decentralised_gradients.schedule(known, 0.9, target)
        error = decentralised_gradients.error(
            plan.rounds, plan.step, mu, 0.9, known.heterogeneity, math.sqrt(known.start)
        )
        assert error <= math.sqrt(target) * slack
        steps = gradient_tracking.steps_for(math.sqrt(target), mu, known.beta, known.start, known.slopes)
        first = gradient_tracking.potential(
            math.sqrt(known.start), 0, math.sqrt(known.slopes), 1 / known.beta
        )
        assert gradient_tracking.error(steps, known.beta / mu, first) <= math.sqrt(target) * slack


def test_rounds_until():
    assert rounds_until(0.25, 0.5) == 2
    assert rounds_until(0.24, 0.5) == 3
    assert rounds_until(2.0, 0.5) == 1


def test_unequal_sizes_cost_the_largest_share():
    assert known_of_ridge(100, 10, 5).largest_share == 0.1
    assert known_of_ridge(100, 10, 5, equal=False).largest_share == 1.0
