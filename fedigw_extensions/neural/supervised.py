"""Train learners that see every label of a row, ridge regression and a network. Their rewards are upper limits for
bandits.

A bandit draws contexts from the rows on which it learns. So two results are given: on the training rows, to compare
with bandits, and on a third of the rows that was held out.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.network import Perceptron

Scores = Callable[[np.ndarray], np.ndarray]  # rows (n,) -> (n, K)
RIDGE = 5.0  # the weight of the squared norm
BATCH = 64
HELD_OUT = 3  # every third row


def ceilings(data: MultiLabel, seed: int = 0, epochs: int = 20, width: int = 256) -> dict[str, Any]:
    """Return the share of rows whose highest score belongs to a true label, for ridge regression and for the network
    trained on all labels: on the training rows and on rows held out. epochs, width: of the network."""
    order = np.random.default_rng(seed).permutation(data.rows)
    held, kept = np.sort(order[::HELD_OUT]), np.sort(np.delete(order, np.s_[::HELD_OUT]))
    found = {}
    for name, learn in (("ridge", ridge), ("perceptron", perceptron)):
        scores = learn(data, kept, seed, epochs, width)
        found[name] = {"in_sample": _hits(data, scores, kept), "held_out": _hits(data, scores, held)}
    return {"ceilings": found | {"possible": float(data.best.mean())}}


def _hits(data: MultiLabel, scores: Any, rows: np.ndarray) -> float:
    best = np.concatenate(
        [scores(part).argmax(axis=1) for part in np.array_split(rows, max(1, len(rows) // 512))]
    )
    return round(float(data.labels[rows, best].mean()), 4)


def ridge(data: MultiLabel, rows: np.ndarray, seed: int = 0, epochs: int = 0, width: int = 0) -> Scores:
    """Fit one linear model per label with an intercept, exactly, and return its scores as a function of rows. The
    arguments after `rows` are not used."""
    features = data.features[rows].astype(float)
    mean = np.asarray(features.mean(axis=0)).ravel()
    labels = data.labels[rows].astype(float)
    gram = (features.T @ features).toarray() - len(rows) * np.outer(mean, mean)
    moment = np.asarray(features.T @ labels) - len(rows) * np.outer(mean, labels.mean(axis=0))
    weights = np.linalg.solve(gram + RIDGE * np.eye(data.dimension), moment)
    last = labels.mean(axis=0) - mean @ weights
    return lambda picked: np.asarray(data.features[picked].astype(float) @ weights + last)


def perceptron(
    data: MultiLabel, rows: np.ndarray, seed: int = 0, epochs: int = 20, width: int = 256
) -> Scores:
    """Train the network of the experiments on all labels by Adam, with the squared loss over all arms, and return its
    scores as a function of rows."""
    network = Perceptron(data.dimension, data.arms, width)
    rng = np.random.default_rng(seed)
    point = network.first(rng, np.float32)
    first, second = np.zeros_like(point), np.zeros_like(point)
    count = 0
    for _ in range(epochs):
        order = rng.permutation(rows)
        for start in range(0, len(order), BATCH):
            slope = full_gradient(network, point, data, order[start : start + BATCH])
            count += 1
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            size = 1e-3 * np.sqrt(1 - 0.999**count) / (1 - 0.9**count)
            point -= (size * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
    return lambda picked: network.scores(point, data.features[picked])


def full_gradient(network: Perceptron, point: np.ndarray, data: MultiLabel, rows: np.ndarray) -> np.ndarray:
    """Return the gradient (D,), in the weights, of the squared error summed over arms and averaged over rows."""
    first, bias, second, last = network.views(point)
    found = np.zeros_like(point)
    to_first, to_bias, to_second, to_last = network.views(found)
    features: Any = data.features[rows].astype(point.dtype)
    raw = features @ first + bias
    active = np.maximum(raw, 0)
    error = (active @ second.T + last - data.labels[rows]) * point.dtype.type(2 / len(rows))
    back = (error @ second) * (raw > 0)
    to_first += features.T @ back
    to_bias += back.sum(axis=0)
    to_second += error.T @ active
    to_last += error.sum(axis=0)
    return found
