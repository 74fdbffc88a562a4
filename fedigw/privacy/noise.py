"""Draw Gaussian noise for matrices, and cut points to a ball.

The noise comes from the run's own random generator. This simulates the privacy mechanism in floats, whose last bits can
reveal what was added. It is not meant for real data.
"""

import numpy as np


def symmetric(rng: np.random.Generator, shape: tuple[int, ...], deviation: float) -> np.ndarray:
    """Draw symmetric Gaussian matrices (..., d, d): the variance is deviation^2 on the diagonal and deviation^2/2 off
    it. The density of such noise depends only on the Frobenius norm."""
    square = rng.standard_normal(shape)
    return np.asarray((deviation / 2) * (square + np.swapaxes(square, -1, -2)))


def project(points: np.ndarray, radius: float = 1.0, axis: int = -1) -> np.ndarray:
    """Return the nearest points (...) to `points` (...) in the ball with this radius. axis: that of the coordinates."""
    # what numpy's norm does, and no more
    norms = np.sqrt(np.add.reduce(points * points, axis=axis, keepdims=True))
    return np.asarray(points / np.maximum(1.0, norms / radius))
