"""An estimate (d,) that carries the inverse of its regularised Gram matrix, and so the uncertainty of its scores."""

from __future__ import annotations

from typing import Any

import numpy as np


class Ellipsoid(np.ndarray):
    """An estimate (d,) of ridge regression together with the inverse (d, d) of its regularised Gram matrix. Results of
    arithmetic on it do not carry the matrix."""

    inverse: np.ndarray | None

    @classmethod
    def of(cls, estimate: np.ndarray, inverse: np.ndarray) -> Ellipsoid:
        made = np.asarray(estimate).view(cls)
        made.inverse = inverse
        return made

    def __array_finalize__(self, source: Any) -> None:
        self.inverse = None

    def widths(self, features: np.ndarray) -> np.ndarray:
        """Return the uncertainty of the score of each feature vector in (n, K, d), shape (n, K). For the vector phi and
        the regularised Gram matrix V it is sqrt(phi'V^{-1} phi)."""
        assert self.inverse is not None
        return np.sqrt(np.maximum(((features @ self.inverse) * features).sum(axis=-1), 0.0))
