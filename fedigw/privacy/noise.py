"""Gaussian noise for sums, from the run's own stream: as floats, so a simulation of the mechanism and not its armour.

(Numbers of a computer are not real numbers, and the last bits of a float can betray what was added to it.)
"""

import numpy as np


def symmetric(rng: np.random.Generator, shape: tuple[int, ...], deviation: float) -> np.ndarray:
    """(..., d, d) symmetric, density proportional to exp(-norm_F(N)^2/(2 sigma^2)): N(0, sigma^2) on the diagonal and
    N(0, sigma^2/2) off it, where every entry stands twice."""
    square = rng.standard_normal(shape)
    return np.asarray((deviation / 2) * (square + np.swapaxes(square, -1, -2)))


def project(points: np.ndarray, radius: float = 1.0) -> np.ndarray:
    """Return the nearest points of the ball, shape (..., d)."""
    # what numpy's norm does, and no more
    norms = np.sqrt(np.add.reduce(points * points, axis=-1, keepdims=True))
    return np.asarray(points / np.maximum(1.0, norms / radius))
