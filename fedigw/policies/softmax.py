"""Play by softmax: probabilities are proportional to exp(score/temperature)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from bounds.theorem import Theorem
from fedigw.interfaces import Number, Policy


@dataclass(frozen=True)
class Softmax(Policy):
    """Play by softmax: probabilities proportional to exp(score/temperature). The paper's temperature is 0.02."""

    temperature: float = 0.02
    name: ClassVar[str] = "softmax"
    theorem: ClassVar[Theorem | str] = "app:softmax"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.temperature) and self.temperature > 0):
            raise InputError("temperature", self.temperature, "must be a positive number")

    @property
    def fixed_temperature(self) -> float:
        return self.temperature

    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        weights = np.exp((scores - scores.max(axis=-1, keepdims=True)) / self.temperature)
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
