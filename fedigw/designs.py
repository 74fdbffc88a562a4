"""Compute optimal designs of experiments: how often to pull each arm in each context so that the largest uncertainty of
an estimated mean reward becomes as small as possible. Mean rewards are linear in features.
"""

import numpy as np

ROUNDS = 400  # of the multiplicative rule; what is reached is measured, so stopping early only costs samples
NEGLIGIBLE = 1e-3  # shares below it are left out


def optimal_design(features: np.ndarray, active: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return, for each of G contexts, probabilities over its active arms that nearly maximise the determinant of the
    information matrix, shape (G, K). features: (G, K, d). active: (G, K), which arms may be pulled. weights: (G,), of
    the contexts. The information matrix is the sum over contexts and arms of weight x probability x phi phi', where phi
    is the feature vector of the arm."""
    # then sum_g weights_g max_a norm(phi)^2_{V^{-1}} is nearly d (Kiefer and Wolfowitz for G = 1; Huang et al.
    # 2021); by the multiplicative rule of Silvey, Titterington and Torsney
    shares = active / active.sum(axis=1, keepdims=True)
    for _ in range(ROUNDS):
        spread = leverage(features, information(features, shares * weights[:, None]))
        spread = np.where(active, spread, 0.0)
        mean = (shares * spread).sum(axis=1, keepdims=True)
        if np.max(spread / np.maximum(mean, 1e-300)) < 1.02:
            break
        shares = shares * spread / np.maximum(mean, 1e-300)
    # of a thousand arms and more all shares may be small: the largest stays
    fewer = np.where(shares < np.minimum(NEGLIGIBLE, shares.max(axis=1, keepdims=True)), 0.0, shares)
    fewer = fewer / fewer.sum(axis=1, keepdims=True)
    seen = leverage(features, information(features, fewer * weights[:, None]))[active]
    return np.asarray(fewer if np.isfinite(seen).all() else shares)


def information(features: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the information matrix of an experiment, shape (d, d): the sum over contexts and arms of count x phi phi',
    where phi is the arm's feature vector. features: (G, K, d). counts: (G, K), how often each arm is pulled."""
    flat = features.reshape(-1, features.shape[-1])
    return np.asarray((flat * counts.reshape(-1, 1)).T @ flat)


def leverage(features: np.ndarray, gram: np.ndarray) -> np.ndarray:
    """Return phi' gram^+ phi for each feature vector phi, shape (G, K): up to a factor, the variance of the estimated
    mean reward. features: (G, K, d). gram: the information matrix. The result is infinite for features in directions
    about which `gram` has no information."""
    inverse = np.linalg.pinv(gram, rcond=1e-12, hermitian=True)
    inside = features @ (gram @ inverse)
    seen = np.linalg.norm(features - inside, axis=-1) <= 1e-6
    return np.asarray(np.where(seen, ((features @ inverse) * features).sum(axis=-1), np.inf))


def whole_counts(shares: np.ndarray, steps: int) -> np.ndarray:
    """Return integers (G, K) that split `steps` pulls in each context in proportion to its shares (G, K), by the
    largest-remainder method."""
    exact = shares * steps
    counts = np.floor(exact).astype(np.int64)
    rest = exact - counts
    for g, missing in enumerate(steps - counts.sum(axis=1)):
        counts[g, np.argsort(-rest[g], kind="stable")[: int(missing)]] += 1
    return counts
