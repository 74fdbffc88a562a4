"""Many estimates, one prediction: the value at a feature is the aggregate of the estimates' values there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fedigw.interfaces import Aggregator


@dataclass(frozen=True, eq=False)
class Ensemble:
    """estimates (P, d), all of equal weight; aggregator: one that combines every coordinate by itself."""

    estimates: np.ndarray
    aggregator: Aggregator

    def scores(self, features: np.ndarray) -> np.ndarray:
        """(n, K) at features (n, K, d)."""
        votes = np.einsum("xkd,pd->pxk", features, self.estimates)
        return self.aggregator.combine(votes, np.full(len(votes), 1 / len(votes)))

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.estimates, dtype=dtype)
