"""Error feedback (Seide et al. 2014): the k largest coordinates of the step travel, what is dropped is sent later.

The estimate is the weighted average of the points, which the server forms by itself. Heterogeneity leaves a gap of
order eta^2 (app:error_feedback). Per call with K rounds: M K k (64 + ceil(log2 d)) bits up, 64 M d K down.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

import numpy as np

from fedigw_extensions.compression.bounds import app_error_feedback as theorem
from fedigw_extensions.compression.engine import Sparse, State


@dataclass(frozen=True)
class ErrorFeedback(Sparse):
    """tolerance (its schedule is long: it decides the rounds only if given), rounds, step_size, keep."""

    rounds: int | None = 100
    name: ClassVar[str] = "error_feedback"
    claim: ClassVar[str] = "app:error_feedback"
    theorem: ClassVar[ModuleType] = theorem
    average: ClassVar[bool] = True

    def decay(self, step: float, mu: float) -> float:
        return theorem.decay(step, mu)

    def exchange(self, slopes: np.ndarray, weights: np.ndarray, state: State, who: np.ndarray) -> np.ndarray:
        """state.own: what every agent still owes."""
        width = slopes.shape[1]
        compressor = self.compressor(width)
        owed = state.own[who] + state.step * slopes
        sent = compressor.encode(owed, state.rng)
        state.own[who] = owed - sent
        return state.channel.mean("step", sent, (width,), weights, packed=compressor)
