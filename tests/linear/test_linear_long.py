"""The linear world at full length: speeds by processor time (a busy machine disturbs it least), large horizons."""

import importlib
import sys
import time
from pathlib import Path

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

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
pytestmark = pytest.mark.long


@pytest.mark.parametrize(("engine", "least"), [("plane", 0.5e6), ("numba", 1.5e6)])
def test_steps_per_second_of_one_core(engine, least):
    """Half of what two cores must do: 1 million agent-steps a second in numpy, 3 million with numba."""
    if engine == "numba":
        pytest.importorskip("numba")
    bench = importlib.import_module("bench_linear")
    bench.steps(engine, 100)
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        bench.steps(engine, 300_000)
        best = max(best, 300_000 / (time.process_time() - start))
    assert best >= least


def test_a_hundred_thousand_rounds():
    rng = np.random.default_rng(0)
    instance = finite_contexts.make(rng, 20, 8, 5, 100, 2)
    act = Acting(instance.model, instance.model.initial(), instance.policy, 1.0)
    datasets = [instance.world.play(m, act, Steps(50, 50), rng).data for m in range(100)]
    start = time.process_time()
    descend(RidgeProblem(datasets, 1), Channel(100, 1), 100_000)
    assert time.process_time() - start < 5


def test_regret_below_the_bound_at_a_billion_steps():
    instance = finite_contexts.make(np.random.default_rng(0)).with_plan(doubling_plan(10**9, 10))
    mean = pooled(instance, 50, 0).total_regret.mean()
    assert mean < applicable_bounds(instance)["sharpened"] < 0.01 * 10 * 10**9


def test_regret_below_the_bound_at_a_million_steps_on_the_sphere():
    instance = sphere.make(np.random.default_rng(0), 10, 10, 4, 10**6)
    record = simulate(instance, 1, 0)
    bound = applicable_bounds(instance)["sharpened"]
    assert record.total_regret[0] < bound < 0.1 * 4 * 10**6
