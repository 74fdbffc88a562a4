"""vacuous is exactly "not below what is known without learning", and exactly T < first_informative_horizon."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.epoch_sum import EpochSum
from bounds.errors import InputError
from bounds.report import BoundReport
from bounds.schedules import EpochPlan
from bounds.theorems import col_finite, thm_global_regret
from bounds.theorems.col_linear import LinearRegret
from bounds.theorems.col_linear_per import PersonalisedRegret

COUNT = st.integers(1, 10**4)
FAMILIES = {
    "col:finite": (col_finite.FiniteRegret(), {"F": st.integers(2, 10**9)}),
    "thm:global_regret": (thm_global_regret.GeneralRegret(), {"A": st.floats(1e-3, 1e6), "c": st.just(1.0)}),
    "col:linear": (
        LinearRegret(),
        {"d": COUNT, "delta": st.sampled_from([0.0, 0.1]), "heterogeneous": st.integers(0, 1)},
    ),
    "col:linear_per": (PersonalisedRegret(), {"da": COUNT, "db": st.integers(1, 100), "delta": st.just(0.0)}),
}


def finite(variant: str, **parameters: int) -> BoundReport:
    return col_finite.FiniteRegret().evaluate(variant, "regret", None, parameters)


@pytest.mark.parametrize("label", FAMILIES)
@given(data=st.data())
def test_the_three_ways_to_say_it_agree(label, data):
    family, own = FAMILIES[label]
    variant = data.draw(st.sampled_from(family.variants))
    parameters = {name: data.draw(strategy, name) for name, strategy in own.items()}
    parameters |= {"M": data.draw(COUNT, "M"), "K": data.draw(st.integers(2, 1000), "K"), "T": 3}
    first = family.evaluate(variant, "regret", None, parameters).first_informative_horizon
    assert first >= 3
    for horizon in {1, 2, 3, first - 1, first, first + 1, 2 * first, data.draw(st.integers(1, 10**12), "T")}:
        report = family.evaluate(variant, "regret", None, parameters | {"T": horizon})
        assert report.vacuous is (report.value >= report.trivial) is (horizon < first)
        assert report.first_informative_horizon == first


def test_one_function_is_refused_where_its_learning_rate_is_infinite():
    for variant in ("sharpened", "best"):
        with pytest.raises(InputError, match="is infinite for a class of one function"):
            finite(variant, M=1, K=2, T=8, F=1)
    for variant in ("printed", "repaired"):
        assert finite(variant, M=1, K=2, T=8, F=1).vacuous


def test_hypotheses_do_not_contradict_each_other():
    """c = 3 came with "epoch lengths 2, 2, 4, 8" for everybody, which is c = 1."""
    family = thm_global_regret.GeneralRegret()
    for variant, c in (("printed", 6), ("repaired", 3), ("sharpened", 3)):
        parameters = {"M": 10, "K": 5, "T": 1000, "A": 3.0}
        apart = family.evaluate(variant, "regret", None, parameters | {"c": 3.0}).hypotheses
        assert not any(line.startswith("every agent's epochs have") for line in apart)
        assert any("on average" in line for line in apart)
        assert any(f"at most 3; c = {c} " in line for line in apart)
        together = family.evaluate(variant, "regret", None, parameters | {"c": 1.0}).hypotheses
        assert any(line.startswith("every agent's epochs have 2, 2, 4, 8") for line in together)


def test_a_bound_that_never_says_anything_has_no_first_horizon():
    never = EpochSum(2, 1.0, lambda previous: 5.0, capped=True)
    assert never.first_informative_horizon() is None
    assert never.vacuous(10**12)


def test_every_epoch_at_its_cap_is_the_trivial_value_of_any_plan():
    """An asynchronous run showed 208.333 of 211 as if it said something; an epoch that not everybody plays is capped
    at what is played of it."""
    lengths = ((10, 3), (20, 6), (40, 12), (80, 24))
    cut = (*lengths[:3], (80, 0))
    for played in (lengths, cut):
        plan = EpochPlan(lengths, played)
        terms = thm_global_regret.epoch_terms("sharpened", plan, (2, 3), (1.0,) * 4)
        assert sum(terms) == thm_global_regret.trivial("sharpened", plan, (2, 3))
        assert sum(terms) < sum(sum(row) for row in played)
        printed = thm_global_regret.trivial("printed", plan, (2, 3))
        assert printed == sum(sum(row) for row in played)


@pytest.mark.parametrize("capped", [False, True])
def test_a_charge_that_equals_the_cap_is_never_informative(capped):
    """Sums of floats lose what the bound is ahead by, and it seemed informative from T = 2^53 + 1."""
    even = EpochSum(3, 3.0, lambda previous: 4.0 if previous == 2 else 3.0, capped)
    assert even.first_informative_horizon() is None
    for horizon in (3, 2**53, 2**53 + 1, 2**60 + 1, 2**200):
        assert even.vacuous(horizon)
        assert even.value(horizon) >= even.trivial(horizon)


def test_a_slow_risk_is_compared_exactly_far_beyond_the_last_digit_of_a_float():
    """One last digit below the cap from the epoch after 2^60 on: its first step, which no sum of floats shows."""
    slow = EpochSum(1, 0.5, lambda previous: 1.0 if previous < 2**60 else 1.0 - 2**-53, True)
    first = slow.first_informative_horizon()
    assert first == 2**61 + 1
    for horizon, vacuous in ((first - 1, True), (first, False), (2 * first, False)):
        assert slow.vacuous(horizon) is vacuous
        assert (slow.value(horizon) >= slow.trivial(horizon)) is vacuous


def test_uncapped_the_first_horizon_is_the_exact_crossing():
    """Ahead by 6 after epochs 2 and 3, then a quarter gained a step: level after 24 more, at T = 32."""
    crossing = EpochSum(1, 1.0, lambda previous: 2.0 if previous == 2 else 0.75, False)
    assert crossing.first_informative_horizon() == 33
    assert [crossing.vacuous(t) for t in (32, 33)] == [True, False]
