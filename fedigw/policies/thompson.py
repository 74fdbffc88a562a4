"""Play by Thompson sampling: each arm's score gets normal noise, and the arm with the largest sum is played.

The noise of different arms is independent. Its standard deviation is `scale` times the score's uncertainty, called its
width. So this policy needs a protocol that sends widths. Each arm's probability of having the largest sum is an
integral over one normal variable, computed by Gauss-Hermite quadrature.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Number, Policy

NODES = 64


@dataclass(frozen=True)
class Thompson(Policy):
    """Play the arm whose score plus random normal noise is largest. scale: standard deviation of the noise divided by
    the score's uncertainty; 1/2 is the largest standard deviation of rewards in [0,1]."""

    scale: float = 0.5
    name: ClassVar[str] = "thompson"
    needs: ClassVar[tuple[str, ...]] = ("widths",)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.scale) and self.scale > 0):
            raise InputError("scale", self.scale, "must be a positive number")

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        from scipy.special import ndtr

        assert widths is not None
        spread = np.maximum(self.scale * widths, 1e-12)
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        drawn = scores[..., None] + spread[..., None] * nodes  # (..., K, nodes)
        below = ndtr((drawn[..., :, None, :] - scores[..., None, :, None]) / spread[..., None, :, None])
        arms = np.arange(scores.shape[-1])
        below[..., arms, arms, :] = 1.0
        chances = (below.prod(axis=-2) * weights).sum(axis=-1)
        return np.asarray(chances / chances.sum(axis=-1, keepdims=True))
