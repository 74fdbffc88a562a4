"""Define function classes on binary features and K arms, as flat parameter vectors with exact sparse gradients.

Perceptron: f(x, a) = w_a' relu(W'x + b) + c_a, two layers of weights, `width` hidden units. LinearArms: f(x, a) = w_a'
x + c_a, one linear model per arm, for comparison. Released: the network of the authors' released code.

The loss of a sample is (f(x, a) - r)^2 for the played arm a. A batch involves only the features that occur in it and
the arms that were played, so gradients are products with a sparse matrix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedigw_extensions.neural.datasets.multilabel import MultiLabel


@dataclass(frozen=True)
class Interactions:
    """An agent's data of an epoch: indices (n,) of rows of the table, played arms (n,) and rewards (n,)."""

    table: MultiLabel
    rows: np.ndarray
    arms: np.ndarray
    rewards: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def at(self, places: np.ndarray) -> Interactions:
        return Interactions(self.table, self.rows[places], self.arms[places], self.rewards[places])

    def joined(self, more: Interactions) -> Interactions:
        both = [(self.rows, more.rows), (self.arms, more.arms), (self.rewards, more.rewards)]
        return Interactions(self.table, *(np.concatenate(pair) for pair in both))


@dataclass(frozen=True)
class Perceptron:
    """A perceptron with dimension d, K arms and width H. Its parameters are W (d, H), b (H,), V (K, H), c (K,) in this
    order."""

    dimension: int
    arms: int
    width: int = 256

    @property
    def size(self) -> int:
        return self.dimension * self.width + self.width + self.arms * self.width + self.arms

    def views(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return W, b, V, c as views of the flat vector."""
        d, h, k = self.dimension, self.width, self.arms
        bias, second, last = d * h, d * h + h, d * h + h + k * h  # where each begins
        return point[:bias].reshape(d, h), point[bias:second], point[second:last].reshape(k, h), point[last:]

    def first(self, rng: np.random.Generator, kind: Any) -> np.ndarray:
        """Draw the first weights (D,) of training, uniform in +-1/sqrt(inputs) in each layer. kind: the floating-point
        type."""
        reach = np.empty(self.size)
        cut = self.dimension * self.width + self.width
        reach[:cut], reach[cut:] = 1 / math.sqrt(self.dimension), 1 / math.sqrt(self.width)
        return np.asarray(rng.uniform(-reach, reach), dtype=kind)

    def hidden(self, point: np.ndarray, features: Any) -> np.ndarray:
        """Return the hidden layer (n, H) at features (n, d)."""
        first, bias, *_ = self.views(point)
        return np.asarray(np.maximum(_matrix(features, point.dtype) @ first + bias, 0))

    def upper(self, point: np.ndarray, raw: np.ndarray) -> np.ndarray:
        """Return the scores of the arms (n, K) from the values (n, H) of the first layer, which are overwritten."""
        _, _, second, last = self.views(point)
        scores = np.maximum(raw, 0, out=raw) @ second.T
        scores += last
        return np.asarray(scores)

    def scores(self, point: np.ndarray, features: Any) -> np.ndarray:
        """Return the scores of the arms, shape (n, K)."""
        first, bias, *_ = self.views(point)
        return self.upper(point, _matrix(features, point.dtype) @ first + bias)

    def gradient(self, point: np.ndarray, data: Interactions) -> np.ndarray:
        """Return the gradient of the mean loss, shape (D,)."""
        found = np.zeros_like(point)
        self.add_gradient(point, data, 1.0, found)
        return found

    def add_gradient(self, point: np.ndarray, data: Interactions, factor: float, to: np.ndarray) -> None:
        """Add factor times the gradient at `point` to `to`, which may be the same array."""
        first, bias, second, last = self.views(point)
        to_first, to_bias, to_second, to_last = self.views(to)
        batch = Batch(data, self.dimension, self.arms, point.dtype)
        raw = np.empty((len(data), self.width), dtype=point.dtype)
        raw[:] = bias
        batch.add_product(first, raw)
        active = np.maximum(raw, 0)
        chosen = second[data.arms]
        error = np.einsum("nh,nh->n", active, chosen)
        error += last[data.arms] - data.rewards
        slope = error * point.dtype.type(2 * factor / len(data))
        back = chosen  # its own copy
        back *= slope[:, None]
        back *= raw > 0
        active *= slope[:, None]
        batch.add_transposed(back, to_first)
        to_bias += back.sum(axis=0)
        batch.add_by_arm(active, to_second)
        to_last += np.bincount(data.arms, weights=slope, minlength=self.arms).astype(point.dtype)


@dataclass(frozen=True)
class LinearArms:
    """Linear models for K arms in dimension d. Their parameters are V (K, d), c (K,) in this order."""

    dimension: int
    arms: int

    @property
    def size(self) -> int:
        return self.arms * self.dimension + self.arms

    def views(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return point[: -self.arms].reshape(self.arms, self.dimension), point[-self.arms :]

    def first(self, rng: np.random.Generator, kind: Any) -> np.ndarray:
        """Return 0, where training may start because the loss is convex."""
        return np.zeros(self.size, dtype=kind)

    def scores(self, point: np.ndarray, features: Any) -> np.ndarray:
        weights, last = self.views(point)
        return np.asarray(_matrix(features, point.dtype) @ np.ascontiguousarray(weights.T) + last)

    def gradient(self, point: np.ndarray, data: Interactions) -> np.ndarray:
        found = np.zeros_like(point)
        self.add_gradient(point, data, 1.0, found)
        return found

    def add_gradient(self, point: np.ndarray, data: Interactions, factor: float, to: np.ndarray) -> None:
        """Add factor times the gradient at `point` to `to`."""
        weights, last = self.views(point)
        to_weights, to_last = self.views(to)
        features = _matrix(data.table.features[data.rows], point.dtype)
        places = np.repeat(data.arms, np.diff(features.indptr)), features.indices
        value = np.add.reduceat(np.append(weights[places], 0), features.indptr[:-1])
        value[np.diff(features.indptr) == 0] = 0  # reduceat gives an empty row its neighbour's first number
        value = value.astype(point.dtype) + last[data.arms]
        slope = (value - data.rewards.astype(point.dtype)) * point.dtype.type(2 * factor / len(data))
        np.add.at(to_weights, places, np.repeat(slope, np.diff(features.indptr)))
        to_last += np.bincount(data.arms, weights=slope, minlength=self.arms).astype(point.dtype)


@dataclass(frozen=True)
class Released:
    """The network of the authors' released code: layers d-H-H-K, ReLU after the second only, tanh at the end. Its
    parameters are W (d, H), b (H,), U (H, H), e (H,), V (K, H), c (K,) in this order."""

    dimension: int
    arms: int
    width: int = 256

    @property
    def size(self) -> int:
        return (self.dimension + 1 + self.width + 1 + self.arms) * self.width + self.arms

    def views(self, point: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return W, b, U, e, V, c as views of the flat vector."""
        d, h, k = self.dimension, self.width, self.arms
        parts = np.split(point, np.cumsum([d * h, h, h * h, h, k * h]))
        shapes = ((d, h), (h,), (h, h), (h,), (k, h), (k,))
        return tuple(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True))

    def first(self, rng: np.random.Generator, kind: Any) -> np.ndarray:
        """Draw the first weights (D,): Kaiming's uniform law in +-sqrt(6/inputs), with biases 0.1."""
        point = np.empty(self.size)
        for part in self.views(point):
            reach = math.sqrt(6 / (self.dimension if part.shape[0] == self.dimension else self.width))
            part[...] = 0.1 if part.ndim == 1 else rng.uniform(-reach, reach, part.shape)
        return point.astype(kind)

    def upper(self, point: np.ndarray, raw: np.ndarray) -> np.ndarray:
        """Return the scores of the arms (n, K) from the values (n, H) of the first layer."""
        _, _, second, second_bias, third, last = self.views(point)
        return np.asarray(np.tanh(np.maximum(raw @ second + second_bias, 0) @ third.T + last))

    def scores(self, point: np.ndarray, features: Any) -> np.ndarray:
        first, bias, *_ = self.views(point)
        return self.upper(point, _matrix(features, point.dtype) @ first + bias)

    def gradient(self, point: np.ndarray, data: Interactions) -> np.ndarray:
        found = np.zeros_like(point)
        self.add_gradient(point, data, 1.0, found)
        return found

    def add_gradient(self, point: np.ndarray, data: Interactions, factor: float, to: np.ndarray) -> None:
        """Add factor times the gradient at `point` to `to`, which may be the same array."""
        first, bias, second, second_bias, third, last = self.views(point)
        to_first, to_bias, to_second, to_second_bias, to_third, to_last = self.views(to)
        batch = Batch(data, self.dimension, self.arms, point.dtype)
        raw = np.empty((len(data), self.width), dtype=point.dtype)
        raw[:] = bias
        batch.add_product(first, raw)
        active = np.maximum(raw @ second + second_bias, 0)
        chosen = third[data.arms]
        value = np.tanh(np.einsum("nh,nh->n", active, chosen) + last[data.arms])
        slope = (value - data.rewards) * (1 - value**2) * point.dtype.type(2 * factor / len(data))
        back = chosen * slope[:, None] * (active > 0)
        lower = back @ second.T
        batch.add_by_arm(active * slope[:, None], to_third)
        to_last += np.bincount(data.arms, weights=slope, minlength=self.arms).astype(point.dtype)
        to_second += raw.T @ back
        to_second_bias += back.sum(axis=0)
        batch.add_transposed(lower, to_first)
        to_bias += lower.sum(axis=0)


Network = Perceptron | Released | LinearArms


def available() -> bool:
    """Return whether numba is installed, which the compiled loops need."""
    from importlib.util import find_spec

    return find_spec("numba") is not None


class Batch:
    """The features (n, d) and arms of some samples as compressed rows, with the three products that gradients need.

    A product is added to an array (y += A x) by scipy's compiled functions. Its public operators would allocate and add
    a dense (d, H) matrix at every step, which takes a third of the time.
    """

    def __init__(self, data: Interactions, dimension: int, arms: int, kind: Any) -> None:
        starts, rows = data.table.feature_starts, data.rows
        counts = starts[rows + 1] - starts[rows]
        self.starts = np.zeros(len(rows) + 1, dtype=np.int32)
        np.cumsum(counts, out=self.starts[1:])
        shift = np.repeat(starts[rows] - self.starts[:-1], counts)
        self.indices = data.table.feature_indices[shift + np.arange(self.starts[-1], dtype=np.int32)]
        self.arms, self.shape = data.arms.astype(np.int32, copy=False), (len(rows), dimension, arms)
        self.ones: np.ndarray = np.ones(max(len(self.indices), len(rows)), dtype=kind)

    def add_product(self, matrix: np.ndarray, to: np.ndarray) -> None:
        """Add features @ matrix (d, H) to `to` (n, H)."""
        n, d, _ = self.shape
        _compiled().csr_matvecs(
            n, d, matrix.shape[1], self.starts, self.indices, self.ones, matrix.ravel(), to.ravel()
        )

    def add_transposed(self, matrix: np.ndarray, to: np.ndarray) -> None:
        """Add features' @ matrix (n, H) to `to` (d, H)."""
        n, d, _ = self.shape
        _compiled().csc_matvecs(
            d, n, matrix.shape[1], self.starts, self.indices, self.ones, matrix.ravel(), to.ravel()
        )

    def add_by_arm(self, matrix: np.ndarray, to: np.ndarray) -> None:
        """Add to row a of `to` (K, H) the rows of matrix (n, H) that belong to samples of arm a."""
        n, _, k = self.shape
        each = np.arange(n + 1, dtype=np.int32)
        _compiled().csc_matvecs(k, n, matrix.shape[1], each, self.arms, self.ones, matrix.ravel(), to.ravel())


def _compiled() -> Any:
    from scipy.sparse import _sparsetools

    return _sparsetools


def _matrix(features: Any, kind: Any) -> Any:
    """Return the features of a batch as a sparse matrix with entries of type `kind`."""
    return features if features.dtype == kind else features.astype(kind)
