"""Our robust aggregates beside those of flower, an independent library of federated learning, on random inputs."""

import os

import numpy as np
import pytest

from fedigw_extensions.robust.aggregators.krum import Krum
from fedigw_extensions.robust.aggregators.median import Median
from fedigw_extensions.robust.aggregators.trimmed_mean import TrimmedMean

os.environ.setdefault("FLWR_TELEMETRY_ENABLED", "0")  # before flower is imported: nothing is sent anywhere
CASES = [(m, f, shape) for m in (3, 4, 7, 10, 12) for f in range((m + 1) // 2) for shape in ((3,), (2, 4))]


def flower():
    return pytest.importorskip(
        "flwr.server.strategy.aggregate", reason="flower is not installed: pip install -e '.[flower]'"
    )


def results(messages: np.ndarray) -> list[tuple[list[np.ndarray], int]]:
    """What flower's server receives: arrays and a number of samples, which robust rules do not look at."""
    return [([message], number + 1) for number, message in enumerate(messages)]


def drawn(m: int, f: int, shape: tuple[int, ...], trial: int) -> np.ndarray:
    """Honest messages and f far away."""
    rng = np.random.default_rng([m, f, len(shape), trial])
    messages = rng.standard_normal((m, *shape))
    messages[:f] *= 10.0 ** rng.integers(0, 5)
    return messages


@pytest.mark.filterwarnings("ignore")  # of a foreign library
@pytest.mark.parametrize(("m", "f", "shape"), CASES)
def test_median_trimmed_mean_and_krum_agree(m, f, shape):
    theirs, weights = flower(), np.full(m, 1 / m)
    for trial in range(20):
        messages = drawn(m, f, shape, trial)
        sent = results(messages)
        (median,) = theirs.aggregate_median(sent)
        np.testing.assert_allclose(Median().combine(messages, weights), median, rtol=1e-12)
        (trimmed,) = theirs.aggregate_trimmed_avg(sent, (f + 0.25) / m)  # it cuts floor(proportion x number)
        np.testing.assert_allclose(TrimmedMean(f).combine(messages, weights), trimmed, rtol=1e-9, atol=1e-12)
        if f <= m - 3:
            (chosen,) = theirs.aggregate_krum(sent, f, 0)
            np.testing.assert_array_equal(Krum(f).combine(messages, weights), chosen)
