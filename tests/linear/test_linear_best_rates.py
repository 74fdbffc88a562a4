"""learning_rate = "best" in linear worlds: C/n for C/(n+1), and the bounds of col:linear and col:linear_per."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from bounds.theorems import col_linear, col_linear_per
from fedigw.applicable import applicable
from fedigw.protocols.fedavg import FedAvg
from linear.environments import different_laws, finite_contexts
from linear.personalised.environments import opposite_arms
from linear.protocols.agd import AcceleratedGradient
from linear.protocols.agd_convex import ConvexAcceleratedGradient
from linear.protocols.direct import Direct

AGENTS, ARMS, DIMENSION, HORIZON = 3, 4, 2, 2**12
SIZES = (DIMENSION, 3, ARMS, AGENTS, HORIZON)


def world(make: Any = finite_contexts.make, sizes: tuple[int, ...] = SIZES, **parts: Any) -> Any:
    made = make(np.random.default_rng(0), *sizes, learning_rate="best").with_plan(
        doubling_plan(HORIZON, AGENTS)
    )
    return replace(made, **parts)


def stated(tolerance: float = 0.0, different: bool = False) -> Any:
    return col_linear.epoch_sum("best", AGENTS, ARMS, DIMENSION, tolerance, different)


@pytest.mark.parametrize(
    ("federation", "bound", "constant"),
    [
        (world(), stated(), DIMENSION / 4 + 1),
        (world(protocol=AcceleratedGradient()), stated(0.1), 1.1**2 * (DIMENSION / 4 + 1)),
        (world(protocol=FedAvg(tolerance=0.5)), stated(0.5), 1.5**2 * (DIMENSION / 4 + 1)),
        (world(different_laws.make, protocol=Direct()), stated(different=True), DIMENSION / 4 + 9 / 4),
        (
            world(opposite_arms.make, (2, 1, 4, ARMS, AGENTS, HORIZON)),  # conjugate gradient stops at 1e-6
            col_linear_per.epoch_sum("best", AGENTS, ARMS, 2 + AGENTS),
            (2 + AGENTS) / 4 + 9 * AGENTS / 4,
        ),
    ],
)
def test_bound_and_rates_are_those_of_c_over_n(federation, bound, constant):
    found = applicable(federation)
    assert found.missing == ()
    assert found.values == {"best": pytest.approx(bound.value(HORIZON), rel=1e-5)}
    assert found.values["best"] < applicable(federation.with_rates("sharpened")).values["sharpened"]
    e, g = constant / sum(federation.plan.full[3]), math.sqrt((1 - 2 / ARMS + 0.472548) / 2.321695)
    assert float(federation.learning_rates()[4]) == pytest.approx(g * math.sqrt(ARMS / e), rel=1e-5)


def test_best_is_refused_for_a_risk_that_does_not_halve():
    with pytest.raises(InputError, match="learning_rate = best: cannot be played with this model"):
        world(protocol=ConvexAcceleratedGradient()).learning_rates()
