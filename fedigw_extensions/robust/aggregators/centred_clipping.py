"""Centred clipping: a mean to which no message contributes more than a fixed distance. Nothing is proved about its
robustness here.

The iteration starts at the coordinate-wise median and repeats v <- v + sum_m w_m (x_m - v) min(1, radius/norm(x_m - v))
for messages x_m with weights w_m. Karimireddy et al. (2021) start at the aggregate of the previous round, but an
aggregator has no memory here.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Aggregator
from fedigw_extensions.robust.aggregators.median import Median


@dataclass(frozen=True)
class CentredClipping(Aggregator):
    """Centred clipping. radius: the length to which a message's difference from the current point is shortened; by
    default the median distance of the messages from that point. iterations: how often the update is repeated."""

    radius: float | None = None
    iterations: int = 3
    name: ClassVar[str] = "centred_clipping"
    coordinatewise: ClassVar[bool] = False
    reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.radius is not None and not 0 < self.radius < np.inf:
            raise InputError("radius", self.radius, "must be a positive number")
        if not 1 <= self.iterations <= 1000:
            raise InputError("iterations", self.iterations, "must be an integer from 1 to 1000")

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        points, share = messages.reshape(len(messages), -1).astype(float), weights / weights.sum()
        current = Median().combine(points, share)
        for _ in range(self.iterations):
            away = points - current
            length = np.linalg.norm(away, axis=1)
            radius = float(np.median(length)) if self.radius is None else self.radius
            kept = np.minimum(1.0, radius / np.maximum(length, 1e-300))
            current = current + (share * kept) @ away
        return np.asarray(current.reshape(messages.shape[1:]))
