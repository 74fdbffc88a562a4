"""The linear world at full length: many rounds, large horizons; speeds are in benchmarks/."""

import numpy as np
import pytest

from bounds.schedules import doubling_plan
from fedigw.applicable import applicable_bounds
from fedigw.channel import Channel
from fedigw.interfaces import Acting, Steps
from fedigw.replications import pooled, simulate
from linear.environments import finite_contexts, sphere
from linear.protocols.agd import descend
from linear.ridge import RidgeProblem

pytestmark = pytest.mark.long


def test_a_hundred_thousand_rounds():
    rng = np.random.default_rng(0)
    instance = finite_contexts.make(rng, 20, 8, 5, 100, 2)
    act = Acting(instance.model, instance.model.initial(), instance.policy, 1.0)
    datasets = [instance.world.play(m, act, Steps(50, 50), rng).data for m in range(100)]
    problem = RidgeProblem(datasets, 1)
    found = [descend(problem, Channel(100, 1), rounds) for rounds in (30_000, 100_000)]
    np.testing.assert_allclose(*found, atol=1e-9)


def test_regret_below_the_bound_at_a_billion_steps():
    instance = finite_contexts.make(np.random.default_rng(0)).with_plan(doubling_plan(10**9, 10))
    mean = pooled(instance, 50, 0).total_regret.mean()
    assert mean < applicable_bounds(instance)["sharpened"] < 0.01 * 10 * 10**9


def test_regret_below_the_bound_at_a_million_steps_on_the_sphere():
    instance = sphere.make(np.random.default_rng(0), 10, 10, 4, 10**6)
    record = simulate(instance, 1, 0)
    bound = applicable_bounds(instance)["sharpened"]
    assert record.total_regret[0] < bound < 0.1 * 4 * 10**6
