"""Compute optimal designs: how often to pull each arm so that the largest uncertainty of a mean reward becomes as
small as possible. The feature vector of an arm in a context is phi (d,)."""

import numpy as np

ROUNDS = 400  # of the multiplicative rule; what is reached is measured, so stopping early only costs samples
NEGLIGIBLE = 1e-3  # shares below it are left out


def optimal_design(features: np.ndarray, active: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return, for each of G contexts, probabilities over its active arms that nearly maximise ln det V, shape (G,
    K), where V is the sum over contexts g and arms a of weights_g probability_{g,a} phi phi'. features (G, K, d),
    active (G, K), weights (G,)."""
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
    """Return the sum over contexts and arms of counts (G, K) times phi phi', shape (d, d)."""
    flat = features.reshape(-1, features.shape[-1])
    return np.asarray((flat * counts.reshape(-1, 1)).T @ flat)


def leverage(features: np.ndarray, gram: np.ndarray) -> np.ndarray:
    """Return phi'G^+ phi with the pseudo-inverse of gram G, for features (G, K, d), shape (G, K); infinite for features
    outside its range."""
    inverse = np.linalg.pinv(gram, rcond=1e-12, hermitian=True)
    inside = features @ (gram @ inverse)
    seen = np.linalg.norm(features - inside, axis=-1) <= 1e-6
    return np.asarray(np.where(seen, ((features @ inverse) * features).sum(axis=-1), np.inf))


def whole_counts(shares: np.ndarray, steps: int) -> np.ndarray:
    """Return integers (G, K) that split `steps` in every context in proportion to the shares (G, K), by the
    largest-remainder method."""
    exact = shares * steps
    counts = np.floor(exact).astype(np.int64)
    rest = exact - counts
    for g, missing in enumerate(steps - counts.sum(axis=1)):
        counts[g, np.argsort(-rest[g], kind="stable")[: int(missing)]] += 1
    return counts
