"""Lying agents send their own message `scale` times as large."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class LargeNorm(Attack):
    """agents: who lies. scale: how much."""

    agents: tuple[int, ...] = (0,)
    scale: float = 1000.0
    name: ClassVar[str] = "large_norm"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """(P, ...): the messages that leave the agents; bad (P,): which rows belong to lying agents."""
        sent = np.array(messages)
        sent[bad] = self.scale * messages[bad]
        return sent
