"""Short ways give the bits of the long ones."""

from fractions import Fraction

import numpy as np
import pytest

from fedigw.aggregators.mean import Mean
from fedigw.privacy.noise import project
from finite_class.environments import random_table
from finite_class.model import PerContext
from linear.model import Ridge

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("kind", ["float64", "float32", "object"])
@pytest.mark.parametrize("shape", [(), (1,), (7,), (0,), (3, 4), (2, 3, 5)])
@pytest.mark.parametrize("agents", [1, 2, 9])
def test_the_mean_is_numpys_tensordot(agents: int, shape: tuple[int, ...], kind: str) -> None:
    messages, weights = RNG.standard_normal((agents, *shape)), RNG.dirichlet(np.ones(agents))
    if kind == "object":
        messages = (
            np.vectorize(Fraction, otypes=[object])(messages) if messages.size else messages.astype(object)
        )
        weights = np.array([Fraction(w) for w in weights], dtype=object)
    messages = messages.astype(kind)
    found = Mean().combine(messages, weights)
    assert found.shape == shape
    assert np.array_equal(found, np.tensordot(weights.astype(kind), messages, axes=1))


@pytest.mark.parametrize("shape", [(3,), (50, 1), (50, 4), (6, 5, 20)])
def test_the_projection_divides_by_numpys_norm(shape: tuple[int, ...]) -> None:
    points = 2 * RNG.standard_normal(shape)
    for radius in (1.0, 0.3):
        norms = np.linalg.norm(points, axis=-1, keepdims=True)
        assert np.array_equal(project(points, radius), points / np.maximum(1.0, norms / radius))


def test_states_are_named_one_by_one_or_together() -> None:
    model = random_table.make(np.random.default_rng(0), 3, 2, 2, 1, 4).model
    assert [model.describe(state) for state in (0, np.int64(2), model.initial())] == [0, 2, "initial"]
    assert model.describe(np.array([3, 0, 1])) == ["initial", 0, 1]
    assert model.describe(PerContext(np.array([3, 1]))) == ["initial", 1]
    assert model.describe(PerContext(np.array([[3, 1], [0, 3]]))) == [["initial", 1], [0, "initial"]]
    estimates = RNG.standard_normal((4, 2))
    assert Ridge(2).describe(estimates) == [Ridge(2).describe(one) for one in estimates]
