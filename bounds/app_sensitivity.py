"""Bound how far a sum over samples can move if one sample is replaced (app:sensitivity). Privacy noise is proportional
to this distance.

A sample has features phi with norm(phi) <= 1 and a reward r in [0,1]. w is a model, theta > 0 a scale factor.
Distance is the root of the sum of squares of all entries.

    released sum                                 moves by at most
    sum r phi                                    2
    sum phi phi'                                 sqrt2
    the pair (sum phi phi', theta sum r phi)     (2 + theta^2)/sqrt2 if theta^2 <= 2, else 2 theta
    sum 2(phi'w - r) phi, norm(w) <= B <= 2.5    max over angles a of 2(B sin a + 2 sin(a/2)); 3 sqrt3 for B = 1
    a sum of gradients clipped at norm G         2G, and never more than without clipping
"""

import math


def joint(theta: float = 1.0) -> float:
    """Return how far the pair (sum phi phi', theta sum r phi) can move if one sample (phi, r) is replaced. Distance
    is the Euclidean norm of all entries. Features have norm(phi) <= 1, rewards are in [0,1]."""
    return (2 + theta**2) / math.sqrt(2) if theta**2 <= 2 else 2 * theta


def gradient(radius: float = 1.0) -> float:
    """Return how far the sum of the squared-loss gradients 2(phi'w - r) phi can move if one sample (phi, r) is
    replaced. `radius` bounds norm(w). Features have norm(phi) <= 1, rewards are in [0,1]."""
    if radius == 0:
        return 4.0
    c = (math.sqrt(1 + 8 * radius**2) - 1) / (4 * radius)
    return 4 * math.sqrt(1 - c**2) * (1 + radius * c)


def clipped_gradient(clip: float | None, radius: float = 1.0) -> float:
    """Return how far a sum of squared-loss gradients can move if one sample is replaced and every gradient is clipped
    at norm `clip`. `radius` bounds the norm of the model. `clip=None` means no clipping."""
    return gradient(radius) if clip is None else min(2 * clip, gradient(radius))
