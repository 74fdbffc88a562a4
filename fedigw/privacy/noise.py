"""Draw Gaussian noise for sums, from the run's own random generator.

It is a simulation of the mechanism in floats, whose last bits can reveal what was added, and not an implementation for
real data.
"""

import numpy as np


def symmetric(rng: np.random.Generator, shape: tuple[int, ...], deviation: float) -> np.ndarray:
    """Return symmetric noise (..., d, d): N(0, sigma^2) on the diagonal and N(0, sigma^2/2) off it, sigma =
    `deviation`. Its density is proportional to exp(-norm_F(N)^2/(2 sigma^2)), as every entry off the diagonal occurs
    twice."""
    square = rng.standard_normal(shape)
    return np.asarray((deviation / 2) * (square + np.swapaxes(square, -1, -2)))


def project(points: np.ndarray, radius: float = 1.0) -> np.ndarray:
    # what numpy's norm does, and no more
    norms = np.sqrt(np.add.reduce(points * points, axis=-1, keepdims=True))
    return np.asarray(points / np.maximum(1.0, norms / radius))
