"""Variant best: exact numbers, the barrier, and everything false refused."""

import dataclasses
from fractions import Fraction as F

import pytest

from bounds.best import barrier, constant
from bounds.best.constant import EpochConstant, best, cumulative, of
from bounds.best.parameters import ANY_SCHEDULE, DOUBLING, side_conditions, violated
from finite_class.lemmas.sides import arm_probabilities

SETS = {"any schedule": ANY_SCHEDULE, "doubling": DOUBLING}


@pytest.mark.parametrize("name", SETS)
def test_side_conditions_hold_in_exact_arithmetic(name):
    slacks = side_conditions(SETS[name])
    assert all(isinstance(value, F) for value in slacks.values())
    assert not violated(SETS[name])


def test_the_rational_ratio_covers_one_over_root_two():
    assert DOUBLING.ratio**2 > F(1, 2)


@pytest.mark.parametrize(
    ("arms", "value"), [(2, 2.1213), (3, 2.794), (5, 3.239), (10, 3.536), (100, 3.783), (None, 3.8098)]
)
def test_constant_by_number_of_arms(arms, value):
    assert best(arms).over_g == pytest.approx(value, abs=0.5 * 10 ** -len(str(value).partition(".")[2]))


def test_headline_constants():
    assert best(None).over(F(3, 4)) <= F(381, 100)
    assert best(None).at(F(1)) <= F(3958, 1000)
    assert best(None, doubling=True).over(F(4, 5)) <= F(36981, 10000)
    assert best(None, doubling=True).at(F(1)) <= F(3795, 1000)
    assert best(2).over_g_squared == F(9, 2)
    assert best(2).best_multiplier_squared == F(2, 9)


def test_constants_grow_with_arms_so_the_largest_agent_decides():
    values = [best(arms).over_g_squared for arms in range(2, 60)]
    assert values == sorted(values)
    assert values[-1] < best(None).over_g_squared


def test_asynchronous_constants():
    assert of(ANY_SCHEDULE, None, F(1)) == EpochConstant(best(None).arms, best(None).risk)
    assert of(ANY_SCHEDULE, None, F(2)).over_g < 6.70
    assert cumulative(None, F(4)).over_g == pytest.approx(2 * best(None).over_g)
    with pytest.raises(ValueError, match="needs 1 <= c"):
        of(ANY_SCHEDULE, None, F(4))


@pytest.mark.parametrize(
    ("change", "condition"),
    [
        ({"absorbed": F(1, 5)}, "E1"),
        ({"transferred": F(1, 4)}, "E2"),
        ({"transferred": F(1, 5)}, "E3"),
        ({"spread": F(3, 2)}, "E8"),
        ({"previous": F(2, 5)}, "E1"),
        ({"last": F(9, 5)}, "E1"),
        ({"decay": F(9, 10)}, "E"),
    ],
)
def test_violated_side_conditions_are_named(change, condition):
    changed = dataclasses.replace(ANY_SCHEDULE, **change)
    assert any(name.startswith(condition) for name in violated(changed))


# The barrier.


def test_barrier_agrees_with_the_listed_kernel():
    # The counted bad arms against a run that lists all of them.
    saved = barrier.saved_barriers()["any schedule"]
    small = dataclasses.replace(saved, bad=F(1000))
    arms, named = 12, len(saved.regrets)
    extra = (-small.bad,) * (arms - named)
    truth = tuple(-r * arms for r in (*small.regrets, *(-x for x in extra)))
    played, risks = (F(1, arms),) * arms, []
    for row in small.estimates:
        estimate = tuple(f * arms for f in (*row, *extra))
        risks.append(sum(p * (f - t) ** 2 for p, f, t in zip(played, estimate, truth, strict=True)))
        played = arm_probabilities(estimate, F(1))
    result = barrier.evaluate(small, arms)
    regret = sum(p * -t for p, t in zip(played, truth, strict=True))
    assert regret == result.over_g * small.multiplier * arms
    assert max(risks) == result.worst_risk * small.multiplier**2 * arms


@pytest.mark.parametrize("arms", [0, 1])
def test_fewer_than_two_arms_are_refused(arms):
    with pytest.raises(ValueError, match="at least 2"):
        constant.best(arms)
