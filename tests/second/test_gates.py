"""Every hypothesis that decides whether a bound is shown, with a federation on each side of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from bounds.schedules import EpochPlan, doubling_plan
from fedigw.applicable import applicable, lower_bound
from fedigw.federation import Federation
from fedigw.policies.epsilon_greedy import EpsilonGreedy
from fedigw.policies.falcon import Falcon
from fedigw.policies.igw import InverseGapWeighting
from fedigw.policies.softmax import Softmax
from fedigw.replications import simulate
from verify.instances import parse

Change = dict[str, Any]
FINITE = {
    "kind": "finite_class",
    "horizon": 40,
    "truth": 0,
    "functions": [[["1", "0", "0"]], [["0", "1", "0"]], [["0", "0", "1"]]],
    "learning_rate": "sharpened",
    "agents": [{"contexts": ["1"]}] * 4,
}
LINEAR = {
    "kind": "linear",
    "horizon": 40,
    "parameter": ["9/10", "1/10"],
    "features": [[["1", "0"], ["0", "1"]]],
    "agents": [{}] * 5,
}
FEWER_ARMS = [{"contexts": ["1"], "arms": [0, 1]}, *FINITE["agents"][1:]]
ALL_DATA = {"data": "cumulative"}
INTERLEAVED = {"schedule": "interleaved"}
TUNED = {"policy": "tuned_epsilon_greedy", "learning_rate": "tuned"}
ROBUST = {
    "link": {"aggregator": {"name": "trimmed_mean", "cut": 2}},
    "protocol": {"name": "robust_predictions", "tolerates": 2},
}
PACED = {"contexts": ["1"], "epochs": [2, 2, 4, 8]}
IN_STEP = "agents in step with equally many arms"


def made(table: Change, change: Change) -> Federation:
    return parse({**table, **change})


# (table, what stays within the theorem, what leaves it, the reason that is then given)
GATES: dict[str, tuple[Change, Change, Change, str]] = {
    "all data, unequal arms": (FINITE | ALL_DATA, {}, {"agents": FEWER_ARMS}, IN_STEP),
    "all data, agents out of step": (
        FINITE | ALL_DATA | {"horizon": 10},
        {"agents": [PACED] * 4},
        {"agents": [PACED | {"epochs": [2, 4, 4, 8]}, *[PACED] * 3]},
        IN_STEP,
    ),
    "all data, other rates": (
        FINITE | ALL_DATA,
        {},
        {"learning_rate": 3},
        "for the sharpened learning rates",
    ),
    "all data, interleaved": (FINITE, ALL_DATA, {"schedule": "parallel"}, "while a stream of all data"),
    "interleaved": (FINITE | INTERLEAVED, {}, TUNED, "no theorem for interleaved epochs"),
    "tuned epsilon-greedy, all data": (FINITE | TUNED, {}, ALL_DATA, "no theorem for learning from all data"),
    "rates that fall": (
        FINITE,
        {"learning_rate": [4, 3.9, 3.8, 3.7, 3.6, 3.5]},
        {"learning_rate": [4, 1, 1, 1, 1, 1]},
        "decrease by a factor of 4c or more",
    ),
    "interleaved rates that fall": (
        FINITE | INTERLEAVED,
        {"learning_rate": [5, 1, 6, 2, 7, 3]},
        {"learning_rate": [5, 6, 1, 2, 1, 3]},
        "learning rates decrease",
    ),
    "rate 0": (FINITE, {"learning_rate": 0.01}, {"learning_rate": 0}, "a learning rate is 0"),
    "rates from the data": (FINITE, {}, {"learning_rate": "adaptive"}, "learning rates from the data"),
    "floor": (FINITE, {"floor": 1}, {"floor": 4}, "epochs below the floor teach nothing"),
    "policy": (FINITE, {"policy": "igw"}, {"policy": "greedy"}, "the theorem is about inverse gap weighting"),
    "liars": (
        LINEAR | ROBUST,
        {"attack": {"name": "sign_flip", "agents": [0, 3]}},
        {"attack": {"name": "sign_flip", "agents": [0, 3, 4]}},
        "3 of 5 agents lie",
    ),
    "lies to a plain mean": (LINEAR, {}, {"attack": {"name": "sign_flip", "agents": [0]}}, "sign_flip"),
    "client sampling": (LINEAR, {}, {"link": {"participants": 2}}, "client sampling"),
    "regularisation": (LINEAR, {}, {"regularisation": 2.0}, "lambda = 1/n"),
}


@pytest.mark.parametrize("gate", GATES)
def test_a_bound_is_shown_on_one_side_and_not_on_the_other(gate):
    table, within, outside, reason = GATES[gate]
    inside = applicable(made(table, within))
    assert inside.values, inside.missing
    assert inside.missing == ()
    found = applicable(made(table, outside))
    assert found.values == {}
    assert any(reason in missing for missing in found.missing), found.missing


def gap_one(**changes: Any) -> Federation:
    return made(FINITE, changes)


LOWER: dict[str, Callable[[], Federation]] = {
    "another gap": lambda: gap_one(functions=[[["1", "1/2", "0"]], [["0", "1", "0"]]]),
    "another policy": lambda: gap_one(policy="greedy"),
    "a rule derived from igw": lambda: replace(gap_one(), policy=Multiplied()),
    "rates from the data": lambda: gap_one(learning_rate="adaptive"),
}


@dataclass(frozen=True)
class Multiplied(InverseGapWeighting):
    """Inverse gap weighting at a thousand times the rate: another rule, whose theorem is not that of igw."""

    name: ClassVar[str] = "multiplied"

    def probabilities(self, scores: np.ndarray, rate: Any, widths: np.ndarray | None = None) -> np.ndarray:
        return super().probabilities(scores, 1000 * rate)


@pytest.mark.parametrize("case", LOWER)
def test_the_lower_bound_is_shown_only_where_it_is_proved(case):
    assert lower_bound(gap_one()) is not None
    assert lower_bound(LOWER[case]()) is None


def test_the_lower_bound_counts_who_is_counted_and_every_epoch_by_its_rate():
    """By hand: (1 - 1/3) a step while play is uniform, 2/(3 + gamma) at rate gamma."""
    for changes, counted in (
        ({}, 4),
        ({"attack": {"name": "constant_lie", "agents": [1]}}, 3),
        ({"learning_rate": [9, 5, 1, 1, 1, 1]}, 4),
        ({"schedule": "interleaved", "learning_rate": [9, 5, 1, 1, 1, 1]}, 4),
    ):
        federation = gap_one(**changes)
        uniform = 2 if "schedule" in changes else 1
        expected = 0.0
        for epoch, (row, rate) in enumerate(
            zip(federation.plan.played, federation.learning_rates(), strict=True)
        ):
            expected += counted * row[0] * 2 / (3 + (0 if epoch < uniform else float(rate)))
        assert lower_bound(federation) == pytest.approx(expected)


def test_a_policy_has_the_theorem_that_its_own_class_declares():
    federation = gap_one()
    assert applicable(replace(federation, policy=Falcon())).values == applicable(federation).values
    found = applicable(replace(federation, policy=Multiplied()))
    assert found.values == {}
    assert found.missing == ("policy multiplied: the theorem is about inverse gap weighting",)


def test_a_fixed_share_of_uniform_play_has_the_theorem_of_any_share():
    """By hand: (1 - 1/3) a step of epoch 1, then eps + sqrt(2 K e_{l-1}/eps_{l-1}), at most 1; eps_1 = 1."""
    federation = replace(made(FINITE, {"horizon": 4096}), policy=EpsilonGreedy(0.3))
    found, plan = applicable(federation), federation.plan
    expected = 4 * 2 * 2 / 3
    for epoch in range(1, plan.epochs):
        before = 1.0 if epoch == 1 else 0.3
        risk = federation.risks()[epoch - 1]
        expected += 4 * plan.played[epoch][0] * min(1, 0.3 + math.sqrt(2 * 3 * risk / before))
    assert found.theorem == "app:epsilon_greedy"
    assert found.values["tuned"] == pytest.approx(expected)
    assert found.values["tuned"] < found.trivial["tuned"]
    record = simulate(federation, 50, 0)
    assert record.total_regret.mean() < found.values["tuned"]
    none = applicable(replace(federation, policy=EpsilonGreedy(0.0)))
    assert none.missing == ("epsilon is 0: greedy play has no bound",)


def test_softmax_has_a_theorem_where_scores_are_in_the_unit_interval():
    """By hand: z ln K + sqrt(2 K e_{l-1} e^{1/z}) a step, at most 1, without e^{1/z} in epoch 2: epoch 1 is uniform."""
    federation = replace(made(FINITE, {"horizon": 2**14}), policy=Softmax(0.3))
    found, plan = applicable(federation), federation.plan
    expected = 4 * 2 * 2 / 3
    for epoch in range(1, plan.epochs):
        risk = federation.risks()[epoch - 1] * (1 if epoch == 1 else math.exp(1 / 0.3))
        expected += 4 * plan.played[epoch][0] * min(1, 0.3 * math.log(3) + math.sqrt(2 * 3 * risk))
    assert found.theorem == "app:softmax"
    assert found.values["upper"] == pytest.approx(expected)
    assert simulate(federation, 50, 0).total_regret.mean() < found.values["upper"] < found.trivial["upper"]
    linear = applicable(replace(made(LINEAR, {}), policy=Softmax(0.3)))
    assert linear.missing == (
        "softmax has a theorem for scores in [0,1] alone, such as those of a finite class",
    )
    assert applicable(replace(made(FINITE, {"data": "cumulative"}), policy=Softmax(0.3))).missing


def test_best_is_for_agents_in_step():
    federation = gap_one(learning_rate="best")
    assert set(applicable(federation).values) == {"best"}
    assert applicable(federation.with_plan(doubling_plan(9, 4))).values
    uneven = EpochPlan(((2, 2, 2, 2), (2, 4, 2, 2)), ((2, 2, 2, 2), (2, 4, 2, 2)))
    with pytest.raises(ValueError, match="agents in step"):
        applicable(federation.with_plan(uneven))
