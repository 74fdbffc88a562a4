"""Our aggregates beside those of flower, an independent library of federated learning: means, sums, medians."""

import os

import numpy as np
import pytest

from fedigw.aggregators.mean import Mean
from fedigw.channel import Channel, Link
from fedigw.encoders.masks import Masks

os.environ.setdefault("FLWR_TELEMETRY_ENABLED", "0")  # before flower is imported: nothing is sent anywhere


def flower():
    return pytest.importorskip(
        "flwr.server.strategy.aggregate", reason="flower is not installed: pip install -e '.[flower]'"
    )


@pytest.mark.filterwarnings("ignore")  # of a foreign library
@pytest.mark.parametrize("shape", [(3,), (2, 4), (1, 1)])
@pytest.mark.parametrize("agents", [1, 2, 7])
def test_weighted_means_agree(agents, shape):
    """FedAvg weighs by samples, and so does a mean with weights n_m/n; masks change nothing."""
    aggregate = flower().aggregate
    rng = np.random.default_rng(agents)
    messages, samples = rng.normal(size=(agents, *shape)), rng.integers(1, 50, agents)
    (theirs,) = aggregate([([message], int(count)) for message, count in zip(messages, samples, strict=True)])
    weights = samples / samples.sum()
    np.testing.assert_allclose(Mean().combine(messages, weights), theirs, rtol=1e-12, atol=1e-14)
    channel = Channel(agents, 1, Link(), rng)
    np.testing.assert_allclose(channel.mean("m", messages, shape, weights), theirs, rtol=1e-12, atol=1e-14)
    (equal,) = aggregate([([message], 1) for message in messages])
    masked = Channel(agents, 1, Link(encoder=Masks()), rng)
    np.testing.assert_allclose(masked.mean("m", messages, shape), equal, atol=1e-12)
    np.testing.assert_allclose(masked.total("m", messages, shape), agents * equal, atol=1e-11)


@pytest.mark.filterwarnings("ignore")
def test_a_wrong_weight_is_seen():
    """Negative control: the unweighted mean is not flower's weighted one."""
    messages = np.random.default_rng(0).normal(size=(4, 3))
    (theirs,) = flower().aggregate([([message], n + 1) for n, message in enumerate(messages)])
    assert np.abs(Mean().combine(messages, np.full(4, 0.25)) - theirs).max() > 1e-3
