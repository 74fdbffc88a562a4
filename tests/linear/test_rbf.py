"""The kernel world: its features are those of the kernel, and its truth is a mean of functions of the kernel."""

import numpy as np
import pytest

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
