"""Compute many rounds of accelerated gradient descent at once, by powers of 2 x 2 matrices in an eigenbasis.

Let e_k be the error after k rounds in the direction of an eigenvalue h of the Hessian, with step 1/L and momentum beta.
With q = 1 - h/L, e_{k+1} = q((1+beta) e_k - beta e_{k-1}). A power by repeated squaring is exact to rounding even if h
is the least eigenvalue, where the 2 x 2 matrix cannot be diagonalised.
"""

import numpy as np

from bounds import own_agd_rate
from linear.ridge import SolverError


def agd_jump(gram: np.ndarray, moment: np.ndarray, n: float, rounds: int) -> np.ndarray:
    """Return the point that accelerated gradient descent reaches from 0 in `rounds` rounds. The objective is the mean
    squared error plus norm(w)^2/n, over n samples of features phi and rewards r. gram: (..., d, d), the mean of phi
    phi'. moment: (..., d), the mean of r phi."""
    values, vectors = np.linalg.eigh(gram)
    curvature = values + 1 / n
    # beyond rounding the curvature lies in [1/n, 1 + 1/n]: else the data are none, or 1/n is lost in them
    if not (curvature > 0).all() or curvature.max() > (1 + 1 / n) * (1 + 1e-6):
        raise SolverError(
            f"agd: curvature {curvature.min():.3g} to {curvature.max():.3g}, expected 0 to {1 + 1 / n:.6g}:"
            " not positive definite, or features outside the unit ball"
        )
    coordinates = np.einsum("...ij,...i->...j", vectors, moment) / curvature  # w_S in the eigenbasis
    contraction = 1 - 2 * curvature / own_agd_rate.smoothness(n)
    beta = own_agd_rate.momentum(n)
    step = np.zeros((*contraction.shape, 2, 2))
    step[..., 0, 0] = (1 + beta) * contraction
    step[..., 0, 1] = -beta * contraction
    step[..., 1, 0] = 1.0
    power = np.linalg.matrix_power(step, rounds)
    remaining = power[..., 0, 0] + power[..., 0, 1]  # both earlier errors are -w_S
    return np.asarray(np.einsum("...ij,...j->...i", vectors, coordinates * (1 - remaining)))
