"""Confidence widths of a perceptron from its gradient features at the first weights, as in FN-UCB.

width(x, a)^2 = lambda g' V^{-1} g / H, where H is the number of hidden units, g is the gradient of f(x, a) in all p
weights at the start of training and V = lambda I + sum g g'/H over all samples of all agents. The full p x p matrix is
possible for tiny networks only. Larger ones use its diagonal, for which the widths of all arms at a row have a closed
form: in the second layer the gradient of arm a is the hidden layer, in a's row only; in the first layer, which all arms
share, it is a's row of the second layer times the input, at active hidden units only.
"""

from typing import Any, NamedTuple

import numpy as np

from fedigw_extensions.neural.network import Batch, Interactions, Perceptron

MOST_FULL = 1500  # weights for which V is kept in full: 18 MB, and a few seconds for a thousand inversions


class Optimistic(NamedTuple):
    """A network with confidence widths. point: the weights in use. start: the weights at which gradient features are
    computed. spread: the matrix V = lambda I + sum g g'/H of the features g, shape (p, p), or its diagonal (p,)."""

    point: np.ndarray
    start: np.ndarray
    spread: np.ndarray
    regularisation: float


def feature_sums(network: Perceptron, start: np.ndarray, data: Interactions, full: bool) -> np.ndarray:
    """Return sum g g'/H over the samples, where g is the gradient of the played arm's score at the weights `start` and
    H the number of hidden units; shape (p, p) if `full`, else only the diagonal (p,)."""
    if full:
        rows = arm_features(network, start, data.table.features[data.rows])[np.arange(len(data)), data.arms]
        return np.asarray(rows.T @ rows / network.width)
    found = np.zeros(network.size, dtype=start.dtype)
    to_first, to_bias, to_second, to_last = network.views(found)
    first, bias, second, _ = network.views(start)
    batch = Batch(data, network.dimension, network.arms, start.dtype)
    raw = np.tile(bias, (len(data), 1))
    batch.add_product(first, raw)
    squared = second[data.arms] ** 2 * (raw > 0)
    batch.add_transposed(squared, to_first)
    to_bias += squared.sum(axis=0)
    batch.add_by_arm(np.maximum(raw, 0) ** 2, to_second)
    to_last += np.bincount(data.arms, minlength=network.arms).astype(start.dtype)
    found /= network.width
    return found


def widths(network: Perceptron, known: Optimistic, features: Any) -> np.ndarray:
    """Return the confidence widths of all arms at sparse features (n, d), shape (n, K)."""
    if known.spread.ndim == 2:
        gradients = arm_features(network, known.start, features)
        squared = np.einsum(
            "nkp,pq,nkq->nk", gradients, np.linalg.inv(known.spread), gradients, optimize=True
        )
    else:
        first, bias, second, last = network.views(1 / known.spread)
        start_first, start_bias, start_second, _ = network.views(known.start)
        raw = features @ start_first + start_bias
        shared = (features @ first + bias) * (raw > 0)
        squared = shared @ (start_second**2).T + np.maximum(raw, 0) ** 2 @ second.T + last
    return np.asarray(np.sqrt(known.regularisation * squared / network.width), dtype=float)


def arm_features(network: Perceptron, start: np.ndarray, features: Any) -> np.ndarray:
    """Return the gradient of f(x, a) in all weights for every row and arm, shape (n, K, p); dense, for tiny
    networks."""
    _, _, second, _ = network.views(start)
    rows = np.asarray(features.toarray(), dtype=start.dtype)
    hidden = network.hidden(start, features)
    n, k = len(rows), network.arms
    found = np.zeros((n, k, network.size), dtype=start.dtype)
    back = second[None, :, :] * (hidden > 0)[:, None, :]  # (n, K, H)
    ends = np.cumsum([network.dimension * network.width, network.width, k * network.width])
    found[:, :, : ends[0]] = np.einsum("nd,nkh->nkdh", rows, back).reshape(n, k, -1)
    found[:, :, ends[0] : ends[1]] = back
    own = np.eye(k, dtype=start.dtype)
    found[:, :, ends[1] : ends[2]] = np.einsum("nh,kl->nklh", hidden, own).reshape(n, k, -1)
    found[:, :, ends[2] :] = own
    return found
