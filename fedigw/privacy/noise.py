"""Draw Gaussian noise for sums, from the run's own random generator.

This simulates the privacy mechanism in floats, whose last bits can reveal what was added. It is not meant for real
data.
"""

import numpy as np


def symmetric(rng: np.random.Generator, shape: tuple[int, ...], deviation: float) -> np.ndarray:
    """Return symmetric noise (..., d, d): variance sigma^2 on the diagonal and sigma^2/2 off it, sigma = `deviation`.
    Its density is a function of the Frobenius norm, because every entry off the diagonal occurs twice."""
    square = rng.standard_normal(shape)
    return np.asarray((deviation / 2) * (square + np.swapaxes(square, -1, -2)))


def project(points: np.ndarray, radius: float = 1.0, axis: int = -1) -> np.ndarray:
    """Return the nearest points in the ball of this radius. axis: that of the coordinates."""
    # what numpy's norm does, and no more
    norms = np.sqrt(np.add.reduce(points * points, axis=axis, keepdims=True))
    return np.asarray(points / np.maximum(1.0, norms / radius))
