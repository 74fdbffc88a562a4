"""Define reward functions of binary features for K arms, as flat parameter vectors with exact sparse gradients.

Perceptron: f(x, a) = w_a' relu(W'x + b) + c_a, two layers of weights, `width` hidden units. Released: the network of
the authors' released code.

The loss of a sample with reward r is (f(x, a) - r)^2 for the played arm a. A batch involves only the features that
occur in it and the arms that were played, so gradients are products with a sparse matrix.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedigw_extensions.neural.datasets.multilabel import MultiLabel


@dataclass(frozen=True)
class Interactions:
    """One agent's data of an epoch: indices (n,) of rows of the data table, played arms (n,) and rewards (n,)."""

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
class Network(ABC):
    """A network with d features, K arms and H units in a hidden layer. Its parameters are one flat vector (D,), whose
    parts have the shapes `shapes`."""

    dimension: int
    arms: int
    width: int = 256

    @property
    @abstractmethod
    def shapes(self) -> tuple[tuple[int, ...], ...]: ...

    @property
    def size(self) -> int:
        return sum(math.prod(shape) for shape in self.shapes)

    def views(self, point: np.ndarray) -> list[np.ndarray]:
        """Return the parts of the flat vector of weights, without copies; the first two are the weights (d, H) and
        biases (H,) of the first layer."""
        found, start = [], 0
        for shape in self.shapes:
            stop = start + math.prod(shape)
            found.append(point[start:stop].reshape(shape))
            start = stop
        return found

    @abstractmethod
    def first(self, rng: np.random.Generator, kind: Any) -> np.ndarray:
        """Draw the first weights (D,) of training. kind: single or double precision."""

    @abstractmethod
    def upper(self, point: np.ndarray, raw: np.ndarray) -> np.ndarray:
        """Return the scores of the arms (n, K) from the values (n, H) of the first layer, which may be overwritten."""

    def scores(self, point: np.ndarray, features: Any) -> np.ndarray:
        """Return the scores of the arms, shape (n, K), at features (n, d), for the flat weights `point`."""
        first, bias, *_ = self.views(point)
        return self.upper(point, _matrix(features, point.dtype) @ first + bias)

    def gradient(self, point: np.ndarray, data: Interactions) -> np.ndarray:
        """Return the gradient of the mean squared loss on `data` in the flat weights `point`, shape (D,)."""
        found = np.zeros_like(point)
        self.add_gradient(point, data, 1.0, found)
        return found

    @abstractmethod
    def add_gradient(self, point: np.ndarray, data: Interactions, factor: float, to: np.ndarray) -> None:
        """Add `factor` times the gradient (D,) of the mean loss at `point` to the array `to`, which may be `point`."""


class Perceptron(Network):
    """A network with one hidden layer. Its parameters are W (d, H), b (H,), V (K, H), c (K,) in this order."""

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        return (self.dimension, self.width), (self.width,), (self.arms, self.width), (self.arms,)

    def first(self, rng: np.random.Generator, kind: Any) -> np.ndarray:
        """Draw the first weights (D,) of training, uniform in +-1/sqrt(inputs) in each layer. kind: their dtype."""
        reach = np.empty(self.size)
        cut = self.dimension * self.width + self.width
        reach[:cut], reach[cut:] = 1 / math.sqrt(self.dimension), 1 / math.sqrt(self.width)
        return np.asarray(rng.uniform(-reach, reach), dtype=kind)

    def hidden(self, point: np.ndarray, features: Any) -> np.ndarray:
        """Return the hidden layer (n, H) at features (n, d)."""
        first, bias, *_ = self.views(point)
        return np.asarray(np.maximum(_matrix(features, point.dtype) @ first + bias, 0))

    def upper(self, point: np.ndarray, raw: np.ndarray) -> np.ndarray:
        _, _, second, last = self.views(point)
        scores = np.maximum(raw, 0, out=raw) @ second.T
        scores += last
        return np.asarray(scores)

    def add_gradient(self, point: np.ndarray, data: Interactions, factor: float, to: np.ndarray) -> None:
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


class Released(Network):
    """The network of the authors' released code: layers d-H-H-K, ReLU after the second only, tanh at the end. Its
    parameters are W (d, H), b (H,), U (H, H), e (H,), V (K, H), c (K,) in this order."""

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        d, h, k = self.dimension, self.width, self.arms
        return (d, h), (h,), (h, h), (h,), (k, h), (k,)

    def first(self, rng: np.random.Generator, kind: Any) -> np.ndarray:
        """Draw the first weights (D,): Kaiming's uniform law in +-sqrt(6/inputs), with biases 0.1."""
        point = np.empty(self.size)
        for part in self.views(point):
            reach = math.sqrt(6 / (self.dimension if part.shape[0] == self.dimension else self.width))
            part[...] = 0.1 if part.ndim == 1 else rng.uniform(-reach, reach, part.shape)
        return point.astype(kind)

    def upper(self, point: np.ndarray, raw: np.ndarray) -> np.ndarray:
        _, _, second, second_bias, third, last = self.views(point)
        return np.asarray(np.tanh(np.maximum(raw @ second + second_bias, 0) @ third.T + last))

    def add_gradient(self, point: np.ndarray, data: Interactions, factor: float, to: np.ndarray) -> None:
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


def available() -> bool:
    """Return whether numba is installed, which the compiled loops need."""
    from importlib.util import find_spec

    return find_spec("numba") is not None


class Batch:
    """The features (n, d) and played arms of some samples, with the three sparse products that gradients need.

    A product is added to an array (y += A x) by scipy's compiled functions. Its public operators would allocate a
    dense (d, H) matrix at every step, which takes a third of the time.
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
        """Add the product of the features with a matrix (d, H) to the array `to` (n, H)."""
        n, d, _ = self.shape
        _compiled().csr_matvecs(
            n, d, matrix.shape[1], self.starts, self.indices, self.ones, matrix.ravel(), to.ravel()
        )

    def add_transposed(self, matrix: np.ndarray, to: np.ndarray) -> None:
        """Add the product of the transposed features with a matrix (n, H) to the array `to` (d, H)."""
        n, d, _ = self.shape
        _compiled().csc_matvecs(
            d, n, matrix.shape[1], self.starts, self.indices, self.ones, matrix.ravel(), to.ravel()
        )

    def add_by_arm(self, matrix: np.ndarray, to: np.ndarray) -> None:
        """Add each row of a matrix (n, H), one row per sample, to the row of `to` (K, H) of the sample's arm."""
        n, _, k = self.shape
        each = np.arange(n + 1, dtype=np.int32)
        _compiled().csc_matvecs(k, n, matrix.shape[1], each, self.arms, self.ones, matrix.ravel(), to.ravel())


def _compiled() -> Any:
    from scipy.sparse import _sparsetools

    return _sparsetools


def _matrix(features: Any, kind: Any) -> Any:
    return features if features.dtype == kind else features.astype(kind)
