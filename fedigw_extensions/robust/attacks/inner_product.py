"""Lying agents, who have seen the honest messages, send the mean of these times -`scale`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class InnerProduct(Attack):
    """Attack with the mean of the honest messages times -scale. agents: which agents lie. scale: the factor."""

    agents: tuple[int, ...] = (0,)
    scale: float = 1.0
    name: ClassVar[str] = "inner_product"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        sent, seen = np.array(messages), messages[~bad] if not bad.all() else messages
        sent[bad] = np.broadcast_to(-self.scale * seen.mean(axis=0), messages[bad].shape)
        return sent
