"""Bound the regret of a step with contexts on the sphere from the parts of the features that the engine `plane` draws.

This bound is called the charge of the step. The sum of charges is the regret bound that a run computes from its own
data (own:adaptive). The charge is about 1.1 times the bound from whole features, and never smaller; with at most 3
coordinates they are equal. Only the confidence ellipsoid of the estimate in use is used, because the others hardly ever
give a smaller bound. A comment below has the derivation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linear.contexts.engines.plane import Drawn, powers, uniforms

ROUNDING = 1e-5  # a step: far above what single precision rounds off, far below what a step is charged

# Derivation. Features are phi_a = (1, u_a)/sqrt2 for arm a. The engine draws z_a, the coordinates of u_a in the plane
# of estimate w and true parameter, and the length t_a of the rest y_a, but not its direction. Let p be the arm
# probabilities, zbar, ybar and phibar the means under them, and g the greedy arm. The directions of the rests are
# independent and uniform. So the cosines between y_a and y_g, a != g, are independent first coordinates of uniform
# directions, and they are drawn too. The direction drawn later for the chosen arm is still uniform given all cosines,
# so the joint law is exact. For any directions
#
#     sqrt2 (phi_a - phibar)'w = slope (z_a - zbar)_1
#     norm(y_a - ybar) <= r_a = norm((1 - p_a) y_a - p_g y_g) + sum_{b != a, g} p_b t_b      for a != g
#     norm(y_g - ybar) <= r_g = (1 - p_g) t_g + sum_{b != g} p_b t_b
#     2 (phi_a - phibar)'A^{-1}(phi_a - phibar) <= (z_a - zbar)'(P + c theta I)(z_a - zbar) + (rho + c/theta) r_a^2
#
# A is the matrix of the confidence ellipsoid, P the block of A^{-1} on the plane, rho the largest eigenvalue of its
# block on the rest, and c the norm of the block between: `square` is P + c theta I, `rest` is rho + c/theta. theta > 0
# is free; here it is the usual norm(y)/norm(x).


@dataclass(frozen=True)
class PlaneCharge:
    """An upper bound on the regret of each step of an epoch, as the coefficients of its formula, which are the same for
    all steps. "The plane" is that of the estimate and the true parameter.

    slope        first coordinate of the estimate in the plane
    square       (2, 2): quadratic form of the uncertainty inside the plane
    rest         coefficient of the squared length outside the plane, in the uncertainty
    dimensions   number of coordinates outside the plane
    radius       of the confidence ellipsoid
    """

    slope: float
    square: np.ndarray
    rest: float
    dimensions: int
    radius: float

    @classmethod
    def of(cls, basis: np.ndarray, centre: np.ndarray, inverse: np.ndarray, radius: float) -> PlaneCharge:
        """Return the regret bound for the steps of one epoch, from a confidence ellipsoid for the true parameter.
        centre: (d,). inverse: (d, d), the inverse of the ellipsoid's matrix. basis: (s, s) with s = d-1, orthonormal
        coordinates without the intercept, whose first two span the plane of estimate and true parameter."""
        turned = basis.T @ inverse[1:, 1:] @ basis
        plane = min(2, len(basis))
        dimensions, between, rest, theta = len(basis) - plane, 0.0, 0.0, 1.0
        if dimensions:
            theta = math.sqrt(dimensions / plane)
            between = float(np.linalg.norm(turned[:plane, plane:], 2))
            rest = float(np.linalg.eigvalsh(turned[plane:, plane:])[-1]) + between / theta
        square = turned[:plane, :plane] + between * theta * np.eye(plane)
        return cls(float(basis[:, 0] @ centre[1:]), square, rest, dimensions, radius)

    def __call__(self, drawn: Drawn, rng: np.random.Generator) -> float:
        """Return the sum of the upper bounds on the regret of n steps. drawn: the drawn parts of the arms' features."""
        forward, width = drawn.z[0], drawn.spare[0]
        forward -= np.einsum("kn,kn->n", drawn.chances, forward)
        np.multiply(forward, np.float32(self.square[0, 0]), out=width)
        if len(drawn.z) == 2:
            aside = drawn.z[1]
            aside -= np.einsum("kn,kn->n", drawn.chances, aside)
            width += np.multiply(aside, np.float32(2 * self.square[0, 1]), out=drawn.spare[1])
            width *= forward
            aside *= aside
            aside *= np.float32(self.square[1, 1])
            width += aside
        else:
            width *= forward
        if self.dimensions:
            length = self.lengths(drawn, rng)
            length *= length
            length *= np.float32(self.rest)
            width += length
        charged = np.sqrt(np.maximum(width, 0, out=width), out=width)
        charged *= np.float32(self.radius)
        forward *= np.float32(self.slope)
        charged += forward
        most = math.sqrt(0.5) * charged.max(axis=0) + ROUNDING
        return float(np.minimum(most, 1.0).sum(dtype=float))

    def lengths(self, drawn: Drawn, rng: np.random.Generator) -> np.ndarray:
        """Return, for each arm, an upper bound on the length outside the plane of (its feature - the mean feature under
        the policy), shape (K, n)."""
        _, found, mean, spare = drawn.spare
        far = np.sqrt(drawn.tail, out=drawn.tail)
        np.multiply(drawn.chances, far, out=mean)  # p_a t_a
        total = mean.sum(axis=0)
        theirs = mean.take(drawn.greedy)  # p_g t_g
        last = far.take(drawn.greedy) + total - 2 * theirs
        far -= mean  # (1 - p_a) t_a
        cosines(rng, self.dimensions, found, spare)
        found *= -2 * theirs
        found += far
        found *= far
        found += theirs * theirs
        np.sqrt(np.maximum(found, 0, out=found), out=found)
        found += total - theirs
        found -= mean
        found.reshape(-1)[drawn.greedy] = last
        return found


def cosines(rng: np.random.Generator, dimensions: int, out: np.ndarray, spare: np.ndarray) -> None:
    """Fill `out` with cosines between a fixed vector and random directions in R^dimensions. spare: a scratch array."""
    uniforms(rng, out)
    if dimensions == 1:
        out[...] = np.where(out < 1.5, np.float32(-1), np.float32(1))
        return
    out *= np.float32(2 * math.pi)
    np.cos(out, out=out)
    if dimensions > 2:
        powers(uniforms(rng, spare), 2 / (dimensions - 2))
        out *= np.sqrt(np.subtract(1, spare, out=spare), out=spare)
