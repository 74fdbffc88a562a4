"""app:interleaved and app:epsilon_greedy: values by hand, and where they stand to the basic form."""

import json
import math

import pytest

from bounds.schedules import EpochPlan, doubling_plan
from bounds.theorems import app_epsilon_greedy, app_interleaved, thm_global_regret
from verify.cli import main


def test_a_plan_is_split_into_its_runs():
    plan = app_interleaved.interleaved_plan(20, 2)
    odd, even = plan.runs
    assert odd.full == ((2, 2), (4, 4), (16, 16))
    assert odd.played == ((2, 2), (4, 4), (4, 4))
    assert even.full == ((2, 2), (8, 8))
    assert doubling_plan(20, 2).runs == (doubling_plan(20, 2),)
    assert EpochPlan(((2,),), ((2,),), lag=2).runs == (EpochPlan(((2,),), ((2,),)),)


@pytest.mark.parametrize("variant", app_interleaved.VARIANTS)
def test_the_general_charges_agree_with_those_in_step(variant):
    """Three agents epoch by epoch against three times one agent; lag 1 is the basic theorem."""
    plan = app_interleaved.interleaved_plan(500, 3)
    risks = [min(1.0, 2.0 / sum(row)) for row in plan.full]
    if variant == "repaired":
        risks = [2.0 / sum(row) for row in plan.full]
    together = sum(app_interleaved.terms(variant, plan, (4, 4, 4), risks))
    assert together == pytest.approx(app_interleaved.value(variant, 3, 4, 500, 2.0))
    basic = doubling_plan(500, 3)
    assert app_interleaved.terms(variant, basic, (4, 4, 4), risks) == thm_global_regret.epoch_terms(
        variant, basic, (4, 4, 4), risks
    )


def test_the_first_informative_horizon_is_the_first():
    found = app_interleaved.first_informative_horizon("sharpened", 10, 2, 1.0)
    plan = app_interleaved.interleaved_plan
    below = [
        t
        for t in range(3, found + 1)
        if app_interleaved.value("sharpened", 10, 2, t, 1.0)
        < 10 * app_interleaved.trivial("sharpened", plan(t), (2,))
    ]
    assert below == [found]


def test_epsilon_greedy_by_hand():
    """K = 2, e = 1/8: eps = 1/2, three times that is capped at 1; e = 1/1000: eps = 1/10."""
    assert app_epsilon_greedy.share(2, 1 / 8) == pytest.approx(0.5)
    assert app_epsilon_greedy.step(2, 1 / 8) == 1.0
    assert app_epsilon_greedy.step(2, 0.001) == pytest.approx(0.3)
    plan = doubling_plan(4, 5)
    terms = app_epsilon_greedy.epoch_terms(plan, (2,) * 5, (1.0, 0.1), (0.001, 0.001))
    assert terms == pytest.approx([5.0, 10 * (0.1 + math.sqrt(4 * 0.001))])
    assert app_epsilon_greedy.closed_constant() == pytest.approx(5.1072, abs=1e-4)


@pytest.mark.parametrize(("claim", "variant"), [("app:interleaved", "best"), ("app:epsilon_greedy", "tuned")])
def test_bound_prints_them(claim, variant, capsys):
    words = f"bound {claim} --variant {variant} --set M=10 K=5 T=1e6 A=4 --json".split()
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert 0 < document["value"] < document["trivial"]
    if claim == "app:interleaved":
        assert 1 < document["lower"]["limit"] < document["lower"]["ratio"] < 4
