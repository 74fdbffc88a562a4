"""The weighted geometric median, by Weiszfeld's iteration with a certificate.

argmin_y sum_m w_m norm(y - x_m). Against f of M lying agents the squared distance from the honest mean is at most
floor(M/2)/(ceil(M/2)-f) times the honest variance (equal weights).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError


@dataclass(frozen=True)
class GeometricMedian:
    """precision: how far, relative to the spread of the messages, the certificate lets the value be from the least."""

    precision: float = 1e-10
    iterations: int = 2000
    name: ClassVar[str] = "geometric_median"
    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 < self.precision < 1:
            raise InputError("precision", self.precision, "must be a number between 0 and 1")
        if self.iterations < 1:
            raise InputError("iterations", self.iterations, "must be a positive integer")

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """(P, ...), (P,) -> (...)."""
        points = messages.reshape(len(messages), -1).astype(float)
        found = geometric_median(points, weights / weights.sum(), self.precision, self.iterations)
        return np.asarray(found.reshape(messages.shape[1:]))

    def total(self, messages: np.ndarray, own: np.ndarray | None) -> np.ndarray:
        """As many times the geometric median as there are messages, plus the server's own."""
        found = len(messages) * self.combine(messages, np.full(len(messages), 1 / len(messages)))
        return np.asarray(found if own is None else found + own)


def geometric_median(
    points: np.ndarray, weights: np.ndarray, precision: float, iterations: int
) -> np.ndarray:
    """(d,) of points (P, d). A data point is optimal iff the pull of the others on it is at most its own weight; else
    Weiszfeld steps until norm(gradient) times the diameter, a bound on the excess of the value, is small enough."""
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    spread = float(apart.max())
    if spread == 0:
        return np.asarray(points[0])
    for index, row in enumerate(apart):
        away = row > 1e-15 * spread
        pull = ((weights[away] / row[away])[:, None] * (points[away] - points[index])).sum(axis=0)
        if np.linalg.norm(pull) <= weights[~away].sum() * (1 + 1e-12):
            return np.asarray(points[index])
    current = weights @ points
    for _ in range(iterations):
        distance = np.maximum(np.linalg.norm(points - current, axis=1), 1e-300)
        inverse = weights / distance
        gradient = (inverse[:, None] * (current - points)).sum(axis=0)
        if np.linalg.norm(gradient) * spread <= precision * spread:
            break
        current = (inverse @ points) / inverse.sum()
    return np.asarray(current)
