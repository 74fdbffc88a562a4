"""Lying agents send their message times `scale`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class LargeNorm(Attack):
    """Attack with the agent's true message times scale. agents: which agents lie. scale: the factor."""

    agents: tuple[int, ...] = (0,)
    scale: float = 1000.0
    name: ClassVar[str] = "large_norm"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        sent = np.array(messages)
        sent[bad] = self.scale * messages[bad]
        return sent
