"""Lying agents learn from falsified data, every reward r reported as 1 - r, and follow the protocol from there on."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class LabelFlip(Attack):
    """agents: who lies."""

    agents: tuple[int, ...] = (0,)
    name: ClassVar[str] = "label_flip"
    falsifies: ClassVar[bool] = True

    def falsify(self, data: Any) -> Any:
        """Return the dataset that a lying agent pretends to have; the datasets of every kind know how to be flipped."""
        return data.flipped()

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """(P, ...): as they are: the lie is in the data."""
        return messages
