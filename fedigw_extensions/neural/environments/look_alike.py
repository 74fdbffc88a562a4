"""Make a federation on a generated look-alike of a real data set, or on a smaller one. Nothing measured here is about
real data."""

import numpy as np

from bounds.schedules import capped_lengths, synchronous_plan
from fedigw.federation import Federation
from fedigw_extensions.neural.datasets import look_alike
from fedigw_extensions.neural.federations import neural_federation

EXAMPLES = (
    {"rows": 40, "features": 12, "labels": 4, "width": 3, "agents": 2, "horizon": 8},
    {"rows": 40, "features": 12, "labels": 4, "agents": 2, "horizon": 8, "model": "released", "width": 3},
)


def make(
    rng: np.random.Generator,
    of: str = "bibtex",
    rows: int = 2000,
    features: int = 300,
    labels: int = 30,
    agents: int = 10,
    horizon: int = 1023,
    width: int = 256,
    model: str = "perceptron",
    learning_rate: float = 7000.0,
) -> Federation:
    """Return a federation on a generated table with the shape of the data set `of`. Its epochs double up to 4096
    steps, as in the paper's experiments. width: the hidden units of the network. learning_rate: the policy's gamma."""
    return neural_federation(
        look_alike.look_alike(of, int(rng.integers(2**31)), rows, features, labels),
        agents,
        synchronous_plan(capped_lengths(4096), horizon, agents),
        learning_rate,
        model=model,
        width=width,
    )
