"""Our aggregates beside those of flower, an independent library of federated learning: means, sums, medians."""

import os

import numpy as np
import pytest

from fedigw.aggregators.mean import Mean
from fedigw.channel import Channel, Link
from fedigw.encoders.masks import Masks
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.aggregators.trimmed_mean import TrimmedMean

os.environ.setdefault("FLWR_TELEMETRY_ENABLED", "0")  # before flower is imported: nothing is sent anywhere


def flower():  # type: ignore[no-untyped-def]
    return pytest.importorskip(
        "flwr.server.strategy.aggregate", reason="flower is not installed: pip install -e '.[flower]'"
    )


@pytest.mark.filterwarnings("ignore")  # of a foreign library
@pytest.mark.parametrize("shape", [(3,), (2, 4), (1, 1)])
@pytest.mark.parametrize("agents", [1, 2, 7])
def test_weighted_means_agree(agents: int, shape: tuple[int, ...]) -> None:
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
def test_a_wrong_weight_is_seen() -> None:
    """Negative control: the unweighted mean is not flower's weighted one."""
    messages = np.random.default_rng(0).normal(size=(4, 3))
    (theirs,) = flower().aggregate([([message], n + 1) for n, message in enumerate(messages)])
    assert np.abs(Mean().combine(messages, np.full(4, 0.25)) - theirs).max() > 1e-3


def equally(messages: np.ndarray) -> list[tuple[list[np.ndarray], int]]:
    """What flower's robust aggregates take: they count every agent once, whatever its samples."""
    return [([message], 1) for message in messages]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shape", [(3,), (2, 4)])
@pytest.mark.parametrize("agents", [3, 4, 7, 10])
def test_robust_aggregates_agree(agents: int, shape: tuple[int, ...]) -> None:
    """Median and trimmed mean with every possible number of liars, on random messages with far outliers and ties."""
    theirs = flower()
    rng = np.random.default_rng(agents)
    equal = np.full(agents, 1 / agents)
    for trial in range(20):
        messages = rng.normal(size=(agents, *shape)) * rng.choice(
            [1.0, 1e3], size=(agents, *([1] * len(shape)))
        )
        if trial % 4 == 0:
            messages = np.round(messages)
        (median,) = theirs.aggregate_median(equally(messages))
        np.testing.assert_allclose(Median().combine(messages, equal), median, rtol=1e-12, atol=1e-12)
        for liars in range(1, (agents + 1) // 2):
            # flower cuts int(share agents) at each end: a share just above liars/agents, away from rounding
            (trimmed,) = theirs.aggregate_trimmed_avg(equally(messages), (liars + 0.1) / agents)
            ours = TrimmedMean(liars).combine(messages, equal)
            np.testing.assert_allclose(ours, trimmed, rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_another_number_of_liars_is_seen() -> None:
    """Negative control: cutting one more at each end is not the same."""
    messages = np.random.default_rng(1).normal(size=(9, 3))
    (theirs,) = flower().aggregate_trimmed_avg(equally(messages), 2.5 / 9)
    assert np.abs(TrimmedMean(3).combine(messages, np.full(9, 1 / 9)) - theirs).max() > 1e-3
