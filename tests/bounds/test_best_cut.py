"""Variant best where the horizon cuts agents of unequal lengths: in step before, out of step in the cut epoch."""

import math
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest
from refused import answered

from bounds.best import regret
from bounds.best.constant import best
from bounds.errors import InputError
from bounds.schedules import (
    EpochPlan,
    asynchronous_plan,
    asynchrony,
    doubling_plan,
    epoch_ratio,
    uncut_asynchrony,
)
from bounds.theorems import thm_global_regret
from verify.cli import main

SHORT, LONG = [2, 2, 4, 8, 16, 32, 64, 128], [128, 128, 256, 512, 1024, 2048, 4096, 8192]
HORIZON = 10_000  # cuts the last epoch of the second agent at 1808 of 8192, and the first agent's not at all
UNEQUAL = f"""
kind = "finite_class"
horizon = {HORIZON}
truth = 0
functions = [[["1", "0", "0"]], [["0", "1", "0"]]]
learning_rate = "best"
[[agents]]
contexts = [1]
epochs = {SHORT}
[[agents]]
contexts = [1]
epochs = {LONG}
"""

# BestParameters.v: best_arms, best_risk (H5 alone); doubling_arms, doubling_risk.
ANY = F(85810593538027, 193776844800000), F(6497796699037339, 2583691264000000)
DOUBLED = F(34247158136673, 72473537500000), F(6730457456051523, 2898941500000000)


def risk(plan: EpochPlan, epoch: int, functions: int) -> float:
    return min(1.0, math.log(functions) / (0.46368 * sum(plan.full[epoch])))


def cut_charge(plan: EpochPlan, arms: tuple[int, ...], functions: int) -> float:
    """BestRegret.lem_epoch_regret_bound_best_any_epochs: (A + r B g^2)/g S^L sqrt(e/Kbar) on the cut weights.

    Two arms: BestRegret.two_arm_epoch_regret with the multipliers of two_arm_weights_sum, 1/2 + (9/4) r g^2.
    r from the definition: the largest ratio between the growths of two agents, from any earlier epoch.
    """
    cut, most = plan.played[-1], max(arms)
    growths = [[F(u, e) for u, e in zip(cut, row, strict=True)] for row in plan.full[:-1]]
    r = max(max(row) / min(row) for row in growths)
    arms_part = {s: max(1 - F(1, most), 1 - F(2, most) + s[0]) for s in (ANY, DOUBLED)}
    g2 = F(2, 9) if most == 2 else arms_part[DOUBLED] / DOUBLED[1]
    exact = F(1, 2) + F(9, 4) * r * g2 if most == 2 else arms_part[ANY] + r * ANY[1] * g2
    constant = float(exact) / math.sqrt(g2)
    before = plan.full[-2]
    mean = sum(e * k for e, k in zip(before, arms, strict=True)) / sum(before)
    played = sum(u * k for u, k in zip(cut, arms, strict=True))
    return constant * played * math.sqrt(risk(plan, plan.epochs - 2, functions) / mean)


def terms(plan: EpochPlan, arms: tuple[int, ...], functions: int) -> list[float]:
    risks = [risk(plan, epoch, functions) for epoch in range(plan.epochs)]
    return thm_global_regret.epoch_terms("best", plan, arms, risks)


@pytest.mark.parametrize("arms", [(2, 2), (3, 3), (2, 5), (5, 2)])
def test_a_cut_out_of_step_has_its_own_constant(arms):
    plan = asynchronous_plan([SHORT, LONG], HORIZON)
    assert uncut_asynchrony(plan) == 1
    assert epoch_ratio(plan, 7) == pytest.approx(4.531, abs=5e-4)
    expected = cut_charge(plan, arms, 2)
    assert expected < sum(plan.played[-1])  # else the cap would hide the constant
    # a dozen roundings of 1e-16 on either path
    assert terms(plan, arms, 2)[-1] == pytest.approx(expected, rel=1e-12)
    whole = EpochPlan(plan.full, plan.full)
    assert terms(plan, arms, 2)[:-1] == terms(whole, arms, 2)[:-1]


def test_a_cut_epoch_costs_no_more_than_the_whole_of_it():
    """One step before the horizon makes c_L enormous; its regret is still part of the whole epoch's."""
    plan = asynchronous_plan([SHORT, LONG], sum(LONG[:-1]) + 1)
    assert epoch_ratio(plan, 7) > 4000
    whole = terms(EpochPlan(plan.full, plan.full), (3, 3), 2)
    assert terms(plan, (3, 3), 2)[-1] == min(sum(plan.played[-1]), whole[-1])
    missed = EpochPlan(plan.full, (*plan.played[:-1], (128, 0)))
    assert terms(missed, (3, 3), 2)[-1] == min(128.0, whole[-1])


def test_the_other_variants_count_the_cut_in_their_c():
    """Their one constant for all epochs is that of c = max_l c_l with the cut epoch; g is that of the uncut ones."""
    plan, c, q = asynchronous_plan([SHORT, LONG], HORIZON), 4.530973451327434, 2 / 3
    assert asynchrony(plan) == c
    scales = [math.sqrt(3e-4) * sum(row) for row in plan.played[1:]]
    repaired = thm_global_regret.epoch_terms("repaired", plan, (3, 3), [1e-4] * 8)[1:]
    assert repaired == pytest.approx([11 * c**2 * scale for scale in scales])
    g2 = (3 * q + 1) / 8
    constant = (7 * q / 6 + 7 / (18 * c) + 28 * c**2 * g2 / 9) / math.sqrt(g2)
    assert constant * math.sqrt(3e-4) < 1
    sharpened = thm_global_regret.epoch_terms("sharpened", plan, (3, 3), [1e-4] * 8)[1:]
    assert sharpened == pytest.approx([constant * scale for scale in scales])


def test_agents_cut_alike_keep_the_constant_of_agents_in_step():
    """Bit for bit the in-step term, also where proportional lengths are cut in proportion."""
    for plan in (doubling_plan(10_000, 2), EpochPlan(((4, 8), (4, 8), (8, 16)), ((4, 8), (4, 8), (5, 10)))):
        found = terms(plan, (4, 4), 3)
        over_g = best(4, doubling=True).over_g
        for epoch in range(1, plan.epochs):
            played = sum(plan.played[epoch])
            scale = played * 4.0 * math.sqrt(risk(plan, epoch - 1, 3) / 4.0)
            assert found[epoch] == min(float(played), over_g * scale)
    falling = [100.0**-epoch for epoch in range(plan.epochs)]
    stays = [*falling[:-1], falling[-2]]  # what the last epoch teaches is played by nobody
    assert regret.of_plan(plan, (4, 4), stays) == regret.of_plan(plan, (4, 4), falling)


def simulated(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    path = tmp_path / "instance.toml"
    path.write_text(text)
    return answered(capsys, "simulate", str(path), "--replications", "20")


def test_the_printed_bound_of_an_unequal_cut(tmp_path, capsys):
    document = simulated(UNEQUAL, tmp_path, capsys)
    (bound,) = document["bounds"]["regret"]["variants"]
    plan = asynchronous_plan([SHORT, LONG], HORIZON)
    expected = sum(terms(EpochPlan(plan.full, plan.full), (3, 3), 2)[:-1]) + cut_charge(plan, (3, 3), 2)
    assert bound["variant"] == "best"
    assert bound["value"] == pytest.approx(expected, rel=1e-12)  # the same sum of eight floats
    assert document["total_regret"]["mean"] < bound["value"] < document["trivial"]


def test_an_agent_with_one_arm_is_refused(tmp_path, capsys):
    """At least two arms each is a hypothesis of the theorem."""
    path = tmp_path / "instance.toml"
    path.write_text(UNEQUAL + "arms = [1]\n")
    assert main(["simulate", str(path)]) == 2
    assert main(["exact", str(path)]) == 2
    line = "learning_rate = best: is for agents with at least two arms each; agents[1] has 1"
    assert capsys.readouterr().err.count(line) == 2
    with pytest.raises(InputError, match=r"K = 1: must be at least 2 for every agent"):
        thm_global_regret.multiplier_squared("best", doubling_plan(8, 2), (3, 1), (1.0,) * 3)
