"""Lying agents all send the same number in every coordinate."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class ConstantLie(Attack):
    """Attack in which lying agents send the number `scale` in every coordinate. agents: which agents lie."""

    agents: tuple[int, ...] = (0,)
    scale: float = 1.0
    name: ClassVar[str] = "constant_lie"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        sent = np.array(messages)
        sent[bad] = np.full_like(messages[bad], self.scale)
        return sent
