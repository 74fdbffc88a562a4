"""AGD for convex functions: one point by both paths, its rate on real data, its count against the printed order."""

from dataclasses import replace

import numpy as np
import pytest

from bounds import own_agd_convex
from bounds.errors import InputError
from fedigw.channel import Channel
from fedigw.interfaces import Acting, Steps
from linear.environments import finite_contexts
from linear.protocols.agd_convex import ConvexAcceleratedGradient
from linear.ridge import exact_minimiser, loss_gap, pooled


@pytest.mark.parametrize(("agents", "d", "length"), [(1, 1, 1), (3, 4, 20), (5, 10, 300)])
def test_messages_and_arrays_give_the_same_point_within_the_rate(agents: int, d: int, length: int) -> None:
    rng = np.random.default_rng(3)
    instance = replace(finite_contexts.make(rng, d, 4, 3, agents, 8), protocol=ConvexAcceleratedGradient())
    act = Acting(instance.model, instance.model.initial(), instance.policy, 1.0)
    data = [instance.world.play(m, act, Steps(length, length), rng).data for m in range(agents)]
    channel, n = Channel(agents, 1), agents * length
    point = instance.protocol.fit(instance.model.problem(data, 1), channel, None, rng).parameters
    both = pooled(data)
    arrays = replace(both, gram=both.gram[None], moment=both.moment[None])
    np.testing.assert_allclose(
        instance.protocol.pooled(instance.model.pooled_problem(arrays, 1), rng)[0], point, atol=1e-10
    )
    k, best = own_agd_convex.rounds(n), exact_minimiser(data)
    assert channel.traffic.rounds == k
    assert channel.traffic.numbers == agents * d * (2 * k + 1)
    assert loss_gap(data, point) <= own_agd_convex.loss_gap(float(n), k, float(best @ best)) + 1e-12


def test_an_effort_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="effort"):
        ConvexAcceleratedGradient(0.0)
