"""Lying agents send their message times -`scale`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class SignFlip(Attack):
    """Attack with the agent's true message times -scale. agents: which agents lie. scale: the factor."""

    agents: tuple[int, ...] = (0,)
    scale: float = 1.0
    name: ClassVar[str] = "sign_flip"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        sent = np.array(messages)
        sent[bad] = -self.scale * messages[bad]
        return sent
