"""A linear world for the federation loop. Models are estimates of omega*: arrays (d,)."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedigw.interfaces import Experience
from linear.instance import LinearInstance


class LinearEnvironment:
    def __init__(self, instance: LinearInstance) -> None:
        self.instance = instance

    @property
    def arms(self) -> tuple[int, ...]:
        return self.instance.arms

    def initial_model(self) -> np.ndarray:
        return np.zeros(self.instance.dimension)

    def describe(self, model: np.ndarray) -> Any:
        return [float(value) for value in model]

    def play(
        self,
        agent: int,
        model: np.ndarray,
        learning_rate: float,
        full: int,
        played: int,
        rng: np.random.Generator,
    ) -> Experience:
        contexts = self.instance.agents[agent]
        return contexts.play(
            model, learning_rate, full, played, self.instance.parameter, self.instance.rewards, rng
        )
