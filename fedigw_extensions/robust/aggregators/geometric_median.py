"""Weighted geometric median, computed by Weiszfeld's iteration with a certificate.

The median minimises g(y) = sum_m w_m norm(y - x_m) with sum w_m = 1; if a whole segment is minimal, its middle is
returned. If f of M agents lie, the median's squared distance from the mean of the honest messages is at most
floor(M/2)/(ceil(M/2)-f) times their variance for equal weights, and 1/(1-2 phi) times if the lying agents have the
total weight phi (app:robust_mean).

The certificate is the residual, the norm of the smallest subgradient of g at y: then g(y) - min g <= residual x
diameter of the messages, and the constant above holds with floor(M/2) + residual M in place of floor(M/2). A point
with a residual above `precision` is never returned.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Aggregator
from fedigw.running import SolverError
from fedigw_extensions.robust.bounds import app_robust_mean


@dataclass(frozen=True)
class GeometricMedian(Aggregator):
    """Weighted geometric median. precision: the largest accepted norm of the smallest subgradient, which is 0 at the
    median. iterations: the largest number of steps before the aggregation fails."""

    precision: float = 1e-9
    iterations: int = 2000
    name: ClassVar[str] = "geometric_median"
    coordinatewise: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 < self.precision < 1:
            raise InputError("precision", self.precision, "must be a number between 0 and 1")
        if self.iterations < 1:
            raise InputError("iterations", self.iterations, "must be a positive integer")

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        points = messages.reshape(len(messages), -1).astype(float)
        found = geometric_median(points, weights / weights.sum(), self.precision, self.iterations)
        if found.residual > self.precision:
            raise SolverError(
                f"geometric median: residual {found.residual:.3g} after {self.iterations} iterations,"
                f" above the precision {self.precision:g}"
            )
        return np.asarray(found.point.reshape(messages.shape[1:]))

    def constant(self, agents: int, lying: int) -> Fraction | None:
        return app_robust_mean.geometric_median(agents, lying)


@dataclass(frozen=True)
class Certified:
    """An approximate geometric median `point` (d,), with bounds on its error. residual: the norm of the smallest
    subgradient there, 0 at the median. excess: how far, at most, the weighted sum of distances lies above its minimum.
    """

    point: np.ndarray
    residual: float
    excess: float


def geometric_median(points: np.ndarray, weights: np.ndarray, precision: float, iterations: int) -> Certified:
    """Return the geometric median of P points (P, d) with weights of sum 1, and bounds on its error. Its residual
    exceeds `precision` only if `iterations` steps are not enough."""
    # a point is the median if the pull of the others is at most its own weight; else Newton steps are taken where
    # they decrease the sum of distances enough, and Weiszfeld's steps elsewhere
    nearest = int(np.argmin(_sums(points, weights)))
    middle = points[nearest]  # as origin: messages far away must not cost those close by their digits
    points = points - middle
    spread = 2 * float(np.linalg.norm(points, axis=1).max())
    if spread == 0:
        return Certified(middle, 0.0, 0.0)
    excess = _excess_pulls(points, weights, spread)
    best = int(np.argmin(excess))
    if excess[best] <= precision:
        least = np.unique(points[excess <= max(excess[best], 1e-12)], axis=0)
        found = least.mean(axis=0) if len(least) == 2 else points[best]
        residual = max(0.0, float(excess[best]))
        return Certified(found + middle, residual, residual * spread)
    current = _step_off(points, weights, nearest)
    slope, curvature = _gradient(points, weights, current)
    for _ in range(iterations):
        residual = float(np.linalg.norm(slope))
        if residual <= precision:
            break
        newton = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        for share in (1.0, 0.5, 0.25, 0.1, 0.02):
            tried = current - share * newton
            after = _gradient(points, weights, tried)
            shorter = np.linalg.norm(after[0]) <= (1 - share / 2) * residual
            if shorter or _gain(points, weights, current, tried) >= 0.1 * share * (slope @ newton) > 0:
                break
        else:
            inverse = weights / _distances(points, current)
            tried = (inverse @ points) / inverse.sum()
            after = _gradient(points, weights, tried)
        current, (slope, curvature) = tried, after
    residual = float(np.linalg.norm(slope))
    if excess[best] < residual:
        current, residual = points[best], float(excess[best])
    return Certified(current + middle, residual, residual * spread)


def _distances(points: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.maximum(np.linalg.norm(points - y, axis=1), 1e-300)


def _gain(points: np.ndarray, weights: np.ndarray, before: np.ndarray, after: np.ndarray) -> float:
    twice = (before - points) + (after - points)
    return float(
        weights @ (twice @ (before - after) / (_distances(points, before) + _distances(points, after)))
    )


def _sums(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(points[None] - points[:, None], axis=2) @ weights)


def _step_off(points: np.ndarray, weights: np.ndarray, index: int) -> np.ndarray:
    others = np.linalg.norm(points - points[index], axis=1) > 0
    inverse = weights[others] / _distances(points[others], points[index])
    pull = float(np.linalg.norm(inverse @ (points[others] - points[index])))
    stay = min(1.0, float(weights[~others].sum()) / max(pull, 1e-300))
    return np.asarray((1 - stay) * (inverse @ points[others]) / inverse.sum() + stay * points[index])


def _gradient(points: np.ndarray, weights: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    distance = _distances(points, y)
    units = (y - points) / distance[:, None]
    pull = weights / distance
    return weights @ units, pull.sum() * np.eye(len(y)) - (units * pull[:, None]).T @ units


def _excess_pulls(points: np.ndarray, weights: np.ndarray, spread: float) -> np.ndarray:
    apart = points[None] - points[:, None]  # (P, P, d): from the first to the second
    length = np.linalg.norm(apart, axis=2)
    away = length > 1e-15 * spread
    inverse = np.where(away, weights / np.where(away, length, 1.0), 0.0)
    pull = np.linalg.norm(np.einsum("pq,pqd->pd", inverse, apart), axis=1)
    return np.asarray(pull - (~away) @ weights)
