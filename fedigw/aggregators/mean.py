"""Combine messages by the weighted mean or the plain sum, as every theorem of the paper assumes."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Aggregator


@dataclass(frozen=True)
class Mean(Aggregator):
    """Combine messages x_m with weights w_m by the weighted mean sum_m w_m x_m."""

    name: ClassVar[str] = "mean"
    exact: ClassVar[bool] = True
    coordinatewise: ClassVar[bool] = True

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        if messages.dtype == np.float32:  # without a copy of all messages in double precision
            weights = np.asarray(weights, dtype=np.float32)
        # one product of a row and a matrix: tensordot does the same, and takes longer to prepare it
        rows = messages.reshape(len(messages), -1)
        return np.asarray(np.dot(np.asarray(weights)[None], rows).reshape(messages.shape[1:]))

    def total(self, messages: np.ndarray, own: np.ndarray | None) -> np.ndarray:
        return np.asarray((messages if own is None else np.concatenate([own[None], messages])).sum(axis=0))

    def constant(self, agents: int, lying: int) -> Fraction | None:
        return Fraction(0) if lying == 0 else None
