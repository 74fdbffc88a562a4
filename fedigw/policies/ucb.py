"""Upper confidence: the arm with the largest score plus scale times its width (ties: lowest index)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.policies.greedy import greedy_arm


@dataclass(frozen=True)
class UpperConfidence:
    """scale: how many widths above its score an arm is hoped to be."""

    scale: float = 1.0
    name: ClassVar[str] = "ucb"
    rational: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("widths",)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.scale) and self.scale >= 0):
            raise InputError("scale", self.scale, "must be a number of at least 0")

    def probabilities(self, scores: np.ndarray, rate: Any, widths: np.ndarray | None = None) -> np.ndarray:
        """(..., K): 1 at the most promising arm; the rate is not used. Before widths are known it is greedy."""
        return greedy_arm(scores if widths is None else scores + self.scale * widths)
