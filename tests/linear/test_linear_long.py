"""The linear world at full length: many rounds, large horizons; speeds are in benchmarks/."""

import numpy as np
import pytest

from fedigw.channel import Channel
from fedigw.interfaces import Acting, Steps
from linear.environments import finite_contexts
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
