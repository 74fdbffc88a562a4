"""The kernel world: its features are those of the kernel, and its truth is a mean of functions of the kernel."""

import math

import numpy as np
import pytest

from bounds.theorems import own_covering
from fedigw.applicable import applicable
from linear.contexts.finite import FiniteContexts
from linear.environments import rbf
from linear.world import LinearWorld


@pytest.mark.parametrize("width", [0.2, 1.0])
def test_products_of_features_are_the_kernel(width):
    """Directions below 1e-9 of the largest eigenvalue (at most 24) are left out: that changes a product by 24e-9."""
    federation = rbf.make(np.random.default_rng(3), width=width, centres=2)
    world, rng = LinearWorld.of(federation), np.random.default_rng(3)
    points = rng.random((24, 2))
    kernel = np.exp(-((points[:, None] - points) ** 2).sum(axis=-1) / (2 * width**2))
    contexts = world.agents[0]
    assert isinstance(contexts, FiniteContexts)
    np.testing.assert_allclose(contexts.cells @ contexts.cells.T, kernel, atol=24e-9)
    chosen = rng.integers(24, size=2)
    np.testing.assert_allclose(
        contexts.means(world.parameter).ravel(), kernel[chosen].mean(axis=0), atol=24e-9
    )


def test_a_wide_kernel_has_fewer_coordinates_and_a_smaller_bound():
    wide, narrow = (rbf.make(np.random.default_rng(0), width=width, horizon=2**14) for width in (1.0, 0.2))
    assert LinearWorld.of(wide).dimension < LinearWorld.of(narrow).dimension == 24
    assert applicable(wide).values["sharpened"] < applicable(narrow).values["sharpened"]


@pytest.mark.parametrize("width", [0.2, 1.0])
@pytest.mark.parametrize("n", [10**3, 10**6])
def test_a_net_of_the_whole_unit_ball_gives_a_larger_bound(width, n):
    """The least over the number of directions in the net and over its radius, against (d/4 + 1)/n."""
    contexts = LinearWorld.of(rbf.make(np.random.default_rng(0), width=width, contexts=30)).agents[0]
    assert isinstance(contexts, FiniteContexts)
    squares = contexts.cells[:, ::-1] ** 2  # the largest eigenvalue first
    d, found = squares.shape[1], []
    for directions in range(1, d + 1):
        left = math.sqrt(squares[:, directions:].sum(axis=1).max())
        for radius in np.geomspace(1e-8, 0.5, 50):
            entropy = directions * math.log1p(2 / radius)
            found.append(own_covering.mean(float(n), entropy, left + radius))
    assert min(found) > 10 * (d / 4 + 1) / n
