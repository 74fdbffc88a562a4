"""Ridge regression with confidence ellipsoids for every agent of every replication at once: what LinUCB systems share.

V = I + sum phi phi', b = sum phi r, estimate V^{-1} b. Rewards in [0,1] are 1/2-sub-Gaussian, norm(omega*) <= 1, so
with probability 1 - delta, at all times (Abbasi-Yadkori, Pal and Szepesvari 2011, theorem 2),

    norm(estimate - omega*)_V <= radius = 1 + (1/2) sqrt(ln det V + 2 ln(1/delta)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bounds.errors import InputError

SMALLEST = 1e-280  # a probability whose inverse, and that of its share for one agent, are still numbers


@dataclass
class Beliefs:
    """gram (R, M, d, d) with the I, its inverse, moment (R, M, d), log_det (R, M)."""

    gram: np.ndarray
    inverse: np.ndarray
    moment: np.ndarray
    log_det: np.ndarray

    @classmethod
    def start(cls, replications: int, agents: int, dimension: int) -> Beliefs:
        one = np.broadcast_to(np.eye(dimension), (replications, agents, dimension, dimension))
        zero = np.zeros((replications, agents, dimension))
        return cls(one.copy(), one.copy(), zero, np.zeros((replications, agents)))

    def learn(self, features: np.ndarray, rewards: np.ndarray) -> None:
        """One sample of every agent: features (R, M, d), rewards (R, M)."""
        turned = np.einsum("rmde,rme->rmd", self.inverse, features)
        growth = 1 + np.einsum("rmd,rmd->rm", turned, features)
        self.gram += features[..., :, None] * features[..., None, :]
        self.inverse -= turned[..., :, None] * (turned / growth[..., None])[..., None, :]
        self.moment += features * rewards[..., None]
        self.log_det += np.log(growth)

    def put(self, where: Any, gram: np.ndarray, moment: np.ndarray) -> None:
        """Replace the statistics at some places; inverses and determinants are computed anew."""
        sign, log_det = np.linalg.slogdet(gram)
        if not (sign > 0).all():
            raise np.linalg.LinAlgError("what arrived is no covariance: its determinant is not positive")
        self.gram[where], self.moment[where] = gram, moment
        self.inverse[where], self.log_det[where] = np.linalg.inv(gram), log_det

    @property
    def estimates(self) -> np.ndarray:
        """(R, M, d)"""
        return np.einsum("rmde,rme->rmd", self.inverse, self.moment)

    def widths(self, features: np.ndarray) -> np.ndarray:
        """(R, M, K): norm(phi)_{V^{-1}} of features (R, M, K, d)."""
        return np.sqrt(np.maximum(((features @ self.inverse) * features).sum(axis=-1), 0.0))

    def optimistic(self, features: np.ndarray, radius: np.ndarray) -> np.ndarray:
        """(R, M): the arm with the largest upper confidence bound, radius (R, M)."""
        scores = (features @ self.estimates[..., None])[..., 0]
        return np.asarray(np.argmax(scores + radius[..., None] * self.widths(features), axis=-1))

    def holds(self, parameter: np.ndarray, radius: np.ndarray) -> np.ndarray:
        """(R, M): whether the ellipsoid contains the parameter."""
        error = self.estimates - parameter
        return np.asarray(np.einsum("rmd,rmde,rme->rm", error, self.gram, error) <= radius**2)


def radius(log_det: np.ndarray, delta: float) -> np.ndarray:
    """See the head of the file."""
    return np.asarray(1 + 0.5 * np.sqrt(log_det + 2 * math.log(1 / delta)))


def chosen(features: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """(..., d): the features (..., K, d) of the arms (...)."""
    return np.take_along_axis(features, arms[..., None, None], axis=-2)[..., 0, :]


def check_delta(delta: float) -> None:
    if not SMALLEST <= delta < 1:
        raise InputError("delta", delta, f"must be a probability between {SMALLEST:g} and 1")


def check_positive(field: str, value: float) -> None:
    if not value > 0:
        raise InputError(field, value, "must be a positive number")


def most_log_det(dimension: int, steps: float) -> float:
    """ln det(I + sum of `steps` terms phi phi') <= d ln(1 + steps/d): the trace is at most d + steps."""
    return dimension * math.log1p(steps / dimension)


@cache
def _upper(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.triu_indices(dimension)
    return rows, columns


def packed(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """(..., d(d+1)/2 + d): a symmetric matrix and a vector as they travel."""
    rows, columns = _upper(moment.shape[-1])
    return np.concatenate([gram[..., rows, columns], moment], axis=-1)


def unpacked(message: np.ndarray, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = _upper(dimension)
    gram = np.zeros((*message.shape[:-1], dimension, dimension))
    gram[..., rows, columns] = message[..., : len(rows)]
    gram[..., columns, rows] = message[..., : len(rows)]
    return gram, message[..., len(rows) :]


def packed_size(dimension: int) -> int:
    return dimension * (dimension + 1) // 2 + dimension
