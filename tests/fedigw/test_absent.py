"""Agents without a step in an epoch: runs, their bound where all are alike, and why there is none otherwise."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import EpochPlan, asynchrony, papers_ratio
from fedigw.applicable import applicable, declared_cost
from fedigw.parts import protocols
from fedigw.replications import by_messages, pooled
from finite_class.environments import heterogeneous, random_table
from linear.environments import different_laws, finite_contexts, sphere
from linear.personalised.environments import opposite_arms
from verify.instances import kind_of, parse

RNG = np.random.default_rng
ROWS = ((2, 0, 1), (0, 2, 2), (4, 0, 4), (8, 8, 8))
PLAN = EpochPlan(ROWS, ROWS)
ALIKE: dict[str, Any] = {
    "finite": random_table.make(RNG(0), agents=3, horizon=16),
    "linear": finite_contexts.make(RNG(0), agents=3, dimension=3, arms=3, horizon=16),
    "sphere": sphere.make(RNG(0), agents=3, dimension=3, arms=3, horizon=16),
}
DIFFERENT: dict[str, Any] = {
    "finite": heterogeneous.make(RNG(0), agents=3, horizon=16),
    "linear": different_laws.make(RNG(0), agents=3, dimension=3, arms=3, horizon=16),
    "personalised": opposite_arms.make(RNG(0), agents=3, horizon=16),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_agents_alike_have_the_bound_of_one_agent_with_the_steps_of_all(kind):
    federation = replace(ALIKE[kind], plan=PLAN)
    one = replace(
        {
            "finite": random_table.make(RNG(0), agents=1, horizon=16),
            "linear": finite_contexts.make(RNG(0), agents=1, dimension=3, arms=3, horizon=16),
            "sphere": sphere.make(RNG(0), agents=1, dimension=3, arms=3, horizon=16),
        }[kind],
        plan=EpochPlan(*(tuple((sum(row),) for row in ROWS),) * 2),
    )
    found, alone = applicable(federation), applicable(one)
    assert found.values == alone.values
    assert found.values
    assert ("own:absent", "alike") in found.rests_on
    assert federation.learning_rates() == one.learning_rates()
    together, single = pooled(federation, 300, 1), pooled(one, 300, 2)
    messages = by_messages(federation, 60, 3)
    for other, size in ((single, 300), (messages, 60)):
        error = math.sqrt(together.total_regret.var() / 300 + other.total_regret.var() / size)
        apart = abs(together.total_regret.mean() - other.total_regret.mean())
        assert apart <= 4.5 * error + 1e-9  # 4.5 standard errors: 1e-5 a comparison
    np.testing.assert_array_equal(
        messages.traffic[0], [list(vars(t).values()) for t in declared_cost(federation)]
    )


@pytest.mark.parametrize("kind", DIFFERENT)
def test_agents_that_differ_run_and_it_is_said_why_there_is_no_bound(kind):
    federation = replace(DIFFERENT[kind], plan=PLAN)
    assert np.isfinite(by_messages(federation, 2, 0).total_regret).all()
    found = applicable(federation)
    assert found.values == {}
    assert any(
        r"agents[1] has no step in epoch 1 (H2): its contexts are not among" in why for why in found.missing
    )


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in ("linear", "personalised") for name in ("even", "odd")]
)
def test_every_protocol_runs_or_says_in_one_line_why_not(kind, name):
    federation = replace(DIFFERENT[kind], plan=PLAN)
    every = protocols(kind_of(federation.kind).protocols)
    ran, refused = [], []
    for protocol in list(every)[:: 2 if name == "even" else -2]:
        try:
            made = replace(federation, protocol=every[protocol]())
            made = made if made.guarantee() is not None else made.with_rates(3.0)
            ran.append(by_messages(made, 1, 0).total_regret)
        except InputError as error:
            refused.append(str(error))
    assert ran
    assert np.isfinite(ran).all()
    assert all(
        "no sample, and its own loss has no scale without one; use cg or agd" in why for why in refused
    )
    assert not refused or kind == "personalised"


def test_clocks_may_leave_agents_without_a_step_and_epochs_without_an_agent():
    """Times 5 and 6 of one clock, 1 and 16 of the other, doubling: nobody acts in epochs 2 (3, 4) and 4 (9 to 16) but
    for time 16."""
    table = {
        "kind": "linear",
        "horizon": 16,
        "parameter": ["1/2", "1/2"],
        "features": [[["1", "0"], ["0", "1"]]],
    }
    agents = [{"clock": {"times": [5, 6]}}, {"clock": {"times": [1, 16]}}]
    made = parse(table | {"agents": agents})
    assert made.plan.full == ((0, 1), (2, 0), (0, 1))
    again = parse(made.describe())
    assert again.plan == made.plan
    poisson = [{"clock": {"poisson": 0.3, "seed": seed}} for seed in (1, 2)]
    assert applicable(parse(table | {"horizon": 64, "agents": poisson})).values
    for bad, says in (
        ({"clock": {"join": 17}}, r"agents\[0\].clock = late, join = 17: never ticks before the horizon 16"),
        ({"epochs": [0, 0]}, r"agents\[0\].epochs = .*has no step"),
    ):
        other = {"epochs": [1, 1]} if "epochs" in bad else {}
        with pytest.raises(InputError, match=says):
            parse(table | {"agents": [bad, other]})


def test_generated_environments_take_clocks(tmp_path, capsys):
    table = {
        "kind": "linear",
        "environment": {"name": "finite_contexts", "agents": 2, "dimension": 2, "arms": 2},
        "horizon": 32,
        "agents": [{}, {"clock": {"period": 2}}],
    }
    made = parse(table)
    assert made.plan.full[-1] == (16, 8)
    assert by_messages(made, 1, 0).total_regret > 0
    for bad, says in (
        ([{}], "agents = 1 tables: must be one per agent of the environment, 2"),
        ([{}, {"arms": [0]}], r"agents\[1\].arms"),
        ([{}, 3], r"agents\[1\] = 3: must be a table"),
    ):
        with pytest.raises(InputError, match=says):
            parse(table | {"agents": bad})


def test_growth_is_that_of_agents_that_act_in_both_epochs():
    """Agent 0 grows by 2, agent 1 by 1, agent 2 from nothing."""
    rows = ((2, 4, 0), (4, 4, 3))
    assert asynchrony(EpochPlan(rows, rows)) == papers_ratio(EpochPlan(rows, rows)) == 2


def test_agents_may_have_truths_of_their_own_in_a_finite_class():
    """Every agent has contexts of its own, and a function of the class is a choice of one of three tables for each: the
    class has 9 functions, its bound is that of any such class, and what is learned is right for both agents."""
    tables = RNG(5).integers(0, 5, size=(3, 2, 2))
    functions = [
        [[f"{v}/4" for v in row] for row in [*tables[i], *tables[j]]] for i in range(3) for j in range(3)
    ]
    own = [{"contexts": ["1/2", "1/2", "0", "0"]}, {"contexts": ["0", "0", "1/2", "1/2"]}]
    table = {"kind": "finite_class", "horizon": 4096, "functions": functions, "truth": 5}  # tables 1 and 2
    made = parse(table | {"agents": own})
    assert applicable(made).values
    assert by_messages(made, 1, 0).models[0][-1] == 5
