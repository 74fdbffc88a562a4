"""learning_rate = "best" in linear worlds: C/n for C/(n+1), and the bounds of col:linear and col:linear_per."""

import math

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from bounds.theorems import col_linear, col_linear_per
from fedigw.applicable import applicable
from fedigw.federation import Federation
from fedigw.protocols.fedavg import FedAvg
from linear.environments import different_laws, finite_contexts
from linear.personalised.environments import opposite_arms
from linear.protocols.agd import AcceleratedGradient
from linear.protocols.agd_convex import ConvexAcceleratedGradient
from linear.protocols.direct import Direct

AGENTS, ARMS, DIMENSION, HORIZON = 3, 4, 2, 2**12


def world(protocol: object = None, learning_rate: str = "best") -> Federation:
    from dataclasses import replace

    rng = np.random.default_rng(0)
    made = finite_contexts.make(rng, DIMENSION, 3, ARMS, AGENTS, HORIZON, learning_rate=learning_rate)
    made = made.with_plan(doubling_plan(HORIZON, AGENTS))
    return replace(made, protocol=protocol or Direct())


@pytest.mark.parametrize(
    ("protocol", "tolerance"), [(Direct(), 0.0), (AcceleratedGradient(), 0.1), (FedAvg(tolerance=0.5), 0.5)]
)
def test_the_bound_is_that_of_col_linear(protocol: object, tolerance: float) -> None:
    found = applicable(world(protocol))
    stated = col_linear.epoch_sum("best", AGENTS, ARMS, DIMENSION, tolerance).value(HORIZON)
    assert found.missing == ()
    assert found.values == {"best": pytest.approx(stated, rel=1e-12)}
    assert stated < applicable(world(protocol, "sharpened")).values["sharpened"]


def test_rates_are_those_of_c_over_n() -> None:
    federation = world()
    plan, n = federation.plan, sum(federation.plan.full[3])
    (rate,) = {float(federation.learning_rates()[4])}
    e = (DIMENSION / 4 + 1) / n
    g = math.sqrt((1 - 2 / ARMS + 0.472548) / 2.321695)
    assert rate == pytest.approx(g * math.sqrt(ARMS / e), rel=1e-5)
    assert plan.epochs == len(federation.learning_rates())


def test_agents_with_different_laws_have_the_constant_of_different_laws() -> None:
    made = different_laws.make(
        np.random.default_rng(0), DIMENSION, 3, ARMS, AGENTS, 4096, learning_rate="best"
    )
    found = applicable(made.with_plan(doubling_plan(HORIZON, AGENTS)))
    stated = col_linear.epoch_sum("best", AGENTS, ARMS, DIMENSION, heterogeneous=True).value(HORIZON)
    assert found.values == {"best": pytest.approx(stated, rel=1e-12)}


def test_personalised_worlds_have_the_bound_of_the_lifted_problem() -> None:
    made = opposite_arms.make(np.random.default_rng(0), 2, 1, 4, ARMS, AGENTS, HORIZON, learning_rate="best")
    stated = col_linear_per.epoch_sum("best", AGENTS, ARMS, 2 + AGENTS).value(HORIZON)
    assert applicable(made).values == {
        "best": pytest.approx(stated, rel=1e-5)
    }  # conjugate gradient stops at 1e-6
    e = ((2 + AGENTS) / 4 + 9 * AGENTS / 4) / sum(made.plan.full[3])
    g = math.sqrt((1 - 2 / ARMS + 0.472548) / 2.321695)
    assert float(made.learning_rates()[4]) == pytest.approx(g * math.sqrt(ARMS / e), rel=1e-5)


def test_best_is_refused_for_a_risk_that_does_not_halve() -> None:
    with pytest.raises(InputError, match="learning_rate = best: is not proved for this model and protocol"):
        world(ConvexAcceleratedGradient()).learning_rates()
