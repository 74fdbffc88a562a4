"""Epoch schedules: lengths, cuts, calls and the two ratios c."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.errors import InputError
from bounds.schedules import (
    EpochPlan,
    asynchronous_plan,
    asynchrony,
    capped_lengths,
    doubling_plan,
    lengths_of_ends,
    papers_ratio,
    synchronous_plan,
)


@pytest.mark.parametrize(
    ("plan", "full", "last"),
    [
        (doubling_plan(16), [2, 2, 4, 8], (8,)),
        (doubling_plan(10, agents=3), [2, 2, 4, 8], (2, 2, 2)),
        (synchronous_plan(capped_lengths(8), 40, 1), [2, 2, 4, 8, 8, 8, 8], (8,)),
        (asynchronous_plan([[2, 2, 4], [2, 2, 4]], 4), [2, 2], (2, 2)),  # nobody reaches the third
        (asynchronous_plan([[2, 2, 4], [2, 6, 4]], 8), [2, 2, 4], (4, 0)),
    ],
)
def test_the_horizon_cuts_the_last_epoch_only(plan, full, last):
    assert [row[0] for row in plan.full] == full
    assert plan.played == (*plan.full[:-1], last)


@pytest.mark.parametrize(
    ("plan", "ours", "papers"),
    [
        (doubling_plan(1000, agents=4), 1, 2),
        # epoch 2 grows by 1 and 3; epoch 3 has an agent past its horizon, so full lengths count: 2 and 2/3
        (asynchronous_plan([[2, 2, 4], [2, 6, 4]], 8), 3, 4.5),
        # the induction passes through the whole epoch: growth 8 against 1, whatever the horizon leaves of it
        (asynchronous_plan([[1000, 8000, 8000, 8000], [600] * 4], 1300), 8, 8),
    ],
)
def test_the_two_ratios_c(plan, ours, papers):
    assert (asynchrony(plan), papers_ratio(plan)) == (ours, papers)


@given(st.integers(1, 5000))
def test_calls_are_the_floor_of_log2(horizon):
    plan = doubling_plan(horizon)
    assert plan.calls == horizon.bit_length() - 1
    assert sum(row[0] for row in plan.played) == horizon


def test_explicit_ends():
    assert list(lengths_of_ends([3, 5, 10])) == [3, 2, 5]
    with pytest.raises(InputError, match="at most 10"):
        synchronous_plan(lengths_of_ends([3, 5, 10]), 11, 1)


def test_a_capped_schedule_refuses_too_many_epochs():
    with pytest.raises(InputError, match="epochs"):
        synchronous_plan(capped_lengths(2), 10**12, 1)


def test_erratum_e10_a_cut_epoch_would_make_the_papers_c_about_t():
    plan = doubling_plan(2**10 + 1)
    cut = EpochPlan(plan.played, plan.played)
    assert papers_ratio(cut) == pytest.approx(2 / (1 / 2**9))
    assert papers_ratio(plan) == 2.0
