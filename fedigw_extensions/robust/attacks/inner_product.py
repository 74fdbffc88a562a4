"""Lying agents send -`scale` times the mean of the honest messages, which they have seen."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class InnerProduct(Attack):
    """agents: who lies. scale: how much."""

    agents: tuple[int, ...] = (0,)
    scale: float = 1.0
    name: ClassVar[str] = "inner_product"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """(P, ...): the messages that leave the agents; bad (P,): which rows belong to lying agents."""
        sent, seen = np.array(messages), messages[~bad] if not bad.all() else messages
        sent[bad] = np.broadcast_to(-self.scale * seen.mean(axis=0), messages[bad].shape)
        return sent
