"""Choose the learning rates of inverse gap weighting from the data, for linear rewards: confidence ellipsoids for the
true parameter, and the regret bound that follows (own:adaptive).

A sample has features phi in d dimensions and a reward in [0,1] with mean phi'w*. The model is fitted after each of L
epochs. Epoch l gives

    G, A      G = sum phi phi' over its n samples, A = G + I
    w_l       its ridge estimate
    d_eff     trace of A^{-1} G, the effective dimension
    b_l       (1/2) sqrt(d_eff + 2 sqrt(d_eff t) + 2 t) + 1 with t = ln(L/delta), the radius of the ellipsoid

With probability 1 - delta all (w_l - w*)'A(w_l - w*) <= b_l^2 at once: w* is in all ellipsoids. The learning rate of
epoch l with K arms is gamma^l = 16 sqrt(K n)/b_{l-1}, never smaller than before. The regret of a step is bounded by
its largest regret over all parameters in the ellipsoids. If models are learned from all data so far, one ellipsoid is
made of several epochs, and the regret of the whole run is maximised over it.
"""

# Proof.
# 1. The ellipsoid of one call, from the data of one epoch. w_S = A^{-1} sum r phi is ridge regression with lambda =
#    1/n. Phi is the matrix of features, noise the vector of r - phi'w*. Within an epoch the arm probabilities are
#    fixed, so given the features the noise is independent, centred and 1/2-subgaussian:
#        w_S - w* = A^{-1} Phi' noise - A^{-1} w*,   norm(A^{-1} w*)_A <= norm(w*) <= 1,
#        norm(A^{-1} Phi' noise)_A^2 = noise' P noise,   P = Phi A^{-1} Phi' <= I, tr P = d_eff = tr(A^{-1} G) <= d.
#    Hsu, Kakade and Zhang (2012), cited: noise' P noise <= (1/4)(tr P + 2 sqrt(tr P^2 t) + 2 t) with probability 1 -
#    e^{-t}; and tr P^2 <= tr P. Take t = ln(L/delta) for L calls: with probability 1 - delta, for all calls l at
#    once,
#        norm(w_l - w*)_{A_l} <= b_l = (1/2) sqrt(d_eff + 2 sqrt(d_eff t) + 2 t) + 1.
# 2. The bound on a step. In a context where arms have probabilities p, phibar = sum_a p_a phi_a, the regret is at
#    most
#        max_a [ (phi_a - phibar)' w_l + b_l norm(phi_a - phibar)_{A_l^{-1}} ]      for every l,
#    for any learning rates. The observed bound takes the least over l, and at most 1.
# 3. The learning rates are gamma^l = 16 sqrt(K n)/b_{l-1}, never smaller than before. b^2 is about four times n e(n),
#    e(n) the mean excess risk, so gamma = g sqrt(K/e) with g = 8, the factor that measures best (docs/rates.md). A
#    federation may have another multiplier than 16. A run on all data chooses one of 16, 64, 256, 1024 after every
#    call: the largest that explores enough. Then I + G, G the expected Gram matrix of the next epoch on the contexts
#    of the last, is in every direction at least half of what it is for 16.
# 4. Learning from all data (data = "cumulative"). One ellipsoid is made of the epochs l = k, ..., L; k is chosen
#    before the run, and the last epoch counts up to the horizon. G_l and y_l are the sums of phi phi' and r phi over
#    epoch l, G and y over all these epochs, D = sum_l min(d, n_l), t = ln(1/delta), norm(w*)^2 <= B. B = 1, or M in
#    the lifted space of partly shared parameters. With w_l the least squares estimate of epoch l (Laurent and
#    Massart, cited: given the past each term is the squared norm of a projection of the noise, of rank at most min(d,
#    n_l)):
#        sum_l norm(w_l - w*)^2_{G_l} <= (1/4)(D + 2 sqrt(D t) + 2 t).
#    Add norm(w*)^2 <= B and complete the square:
#        norm(w* - A^{-1}y)^2_A <= (1/4)(D + 2 sqrt(D t) + 2 t) + B - sum_l y_l'G_l^+ y_l + y'A^{-1}y.
# 5. The regret of the whole run, from this ellipsoid with centre c and radius b. In each context let g be the arm
#    that is greedy at c, and for each arm z = phi_a - phi_g, gap = -z'c, X = b norm(z)_{A^{-1}}. Where X > gap put g'
#    = max(gap, theta X), kappa = g' - gap, alpha = 1/(4g') if 2g' <= X, else max(0, X - g')/X^2. Then alpha x^2 +
#    kappa >= x - gap for abs(x) <= X. With S the sum of phi_g - phibar over steps and Q = sum alpha z z',
#        regret <= S'c + b norm(S)_{A^{-1}} + b^2 lambda_max(A^{-1/2} Q A^{-1/2}) + sum kappa       (JointBound.v).

import math
from collections.abc import Sequence

import numpy as np

MULTIPLIER = 16.0
FACTORS = (1.0, 4.0, 16.0, 64.0)  # of 16: what a run on all data chooses from
NOISE = 0.5  # rewards in [0,1]
NORM = 1.0  # norm(w*)
THETAS = (0.03, 0.1, 0.2, 0.4, 0.7)  # any values are valid: the least bound is taken


def radius(effective: np.ndarray, calls: int, delta: float) -> np.ndarray:
    """Return the radius b of the confidence ellipsoid around a ridge estimate v: the set of w with (w - v)'A(w - v) <=
    b^2. A is the Gram matrix G of the samples plus the identity. `effective` (R,): effective dimensions, the trace of
    A^{-1} G. With probability 1 - delta the ellipsoids of `calls` estimates all contain the true parameter."""
    t = math.log(calls / delta)
    return np.asarray(NOISE * np.sqrt(effective + 2 * np.sqrt(effective * t) + 2 * t) + NORM)


def rate(arms: int, samples: int, b: np.ndarray, multiplier: float = MULTIPLIER) -> np.ndarray:
    """Return the learning rate of inverse gap weighting, multiplier x sqrt(arms x samples)/b, where b (R,) is the
    radius of the confidence ellipsoid of the model in use."""
    return np.asarray(multiplier * math.sqrt(arms * samples) / b)


def most_greedy(grams: Sequence[np.ndarray]) -> np.ndarray:
    """Return, for each of R runs, the largest of the factors 1, 4, 16, 64 by which the policy's learning rate may be
    multiplied without exploring too little. `grams`: for each factor, the expected Gram matrices of the features in
    the next epoch, shape (R, d, d). Enough exploration means at least half of the information (Gram matrix plus
    identity) of factor 1, in every direction."""
    # the Gram matrix plus I must be at least half of that for the first factor, in every direction
    identity = np.eye(grams[0].shape[-1])
    found = np.ones(len(grams[0]))
    for factor, gram in zip(FACTORS, grams, strict=True):
        left = np.linalg.eigvalsh(gram + identity - (grams[0] + identity) / 2)[:, 0]
        found = np.where(left >= 0, factor, found)
    return found


def joint_square(dimensions: int, delta: float, norm_square: float = NORM**2) -> float:
    """Return (1/4)(D + 2 sqrt(D t) + 2 t) + norm_square with t = ln(1/delta), the first part of the squared radius of
    the confidence ellipsoid made from several epochs; a term that depends on the data is subtracted later.
    `dimensions`: D, the sum over epochs of the dimensions that their data span. `norm_square`: bound on the true
    parameter's squared norm."""
    t = math.log(1 / delta)
    return NOISE**2 * (dimensions + 2 * math.sqrt(dimensions * t) + 2 * t) + norm_square


def first_epoch(samples: Sequence[int], dimension: int, delta: float, norm_square: float = NORM**2) -> int:
    """Return the epoch k (0-based) for which the confidence ellipsoid from the data of epochs k, k+1, ... is expected
    to be the narrowest. `samples[l]` is the number of samples of epoch l. `norm_square` bounds the squared norm of
    the true parameter."""
    # the least squared radius divided by the number of samples, for rewards of variance 1/4: known before the run

    def size(k: int) -> float:
        dimensions = sum(min(dimension, n) for n in samples[k:])
        spread = NOISE**2 * max(0, dimensions - dimension)
        return (joint_square(dimensions, delta, norm_square) - spread) / sum(samples[k:])

    return min((k for k in range(len(samples)) if samples[k]), key=size)


def majorant(gap: np.ndarray, reach: np.ndarray, theta: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (alpha, kappa) with x - gap <= alpha x^2 + kappa whenever |x| <= reach. Here x is the error of an arm's
    estimated `gap`, so x - gap is its true regret. The inequality holds for every `theta` > 0."""
    wide = np.where(reach > 0, reach, 1.0)  # where it is 0 no pair is active
    least = np.maximum(gap, theta * wide)
    near = np.maximum(0.0, wide - least) / wide**2
    return np.where(2 * least <= wide, 1 / (4 * least), near), least - gap
