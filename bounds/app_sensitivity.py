"""app:sensitivity: how far a sum can move if one sample (phi, r) is replaced, norm(phi) <= 1, r in [0,1].

sum r phi                     2
sum phi phi' (Frobenius)      sqrt2
(sum phi phi', theta sum r phi) jointly    (2 + theta^2)/sqrt2 for theta^2 <= 2, 2 theta for theta^2 >= 2
sum 2(phi'w - r)phi, norm(w) <= B <= 2.5   max_a 2(B sin a + 2 sin(a/2)); B = 1: 3 sqrt3
gradients clipped at G        2G, and never more than without clipping
"""

import math


def joint(theta: float = 1.0) -> float:
    """Return how far the pair (sum phi phi', theta sum r phi) can move if one sample (phi, r) is replaced, in the
    Euclidean norm of all its entries; norm(phi) <= 1, r in [0,1]."""
    return (2 + theta**2) / math.sqrt(2) if theta**2 <= 2 else 2 * theta


def gradient(radius: float = 1.0) -> float:
    """Return how far the sum of the gradients 2(phi'w - r)phi, norm(w) <= B = `radius`, can move if one sample is
    replaced: max_a 2(B sin a + 2 sin(a/2)). It is 4 s (1 + B c) with s = sin(a/2) and c = cos(a/2), a root of B(2c^2 -
    1) + c = 0."""
    if radius == 0:
        return 4.0
    c = (math.sqrt(1 + 8 * radius**2) - 1) / (4 * radius)
    return 4 * math.sqrt(1 - c**2) * (1 + radius * c)


def clipped_gradient(clip: float | None, radius: float = 1.0) -> float:
    """Return how far a sum of gradients can move if one sample is replaced and gradients are clipped at norm `clip`:
    at most 2 clip, and at most what it is without clipping. radius: the bound on norm(w)."""
    return gradient(radius) if clip is None else min(2 * clip, gradient(radius))
