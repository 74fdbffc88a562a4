"""Lying agents report every reward r as 1 - r and otherwise follow the protocol."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.interfaces import Attack


@dataclass(frozen=True)
class LabelFlip(Attack):
    """Attack in which every reward r is reported as 1 - r. agents: which agents lie."""

    agents: tuple[int, ...] = (0,)
    name: ClassVar[str] = "label_flip"
    falsifies: ClassVar[bool] = True

    def falsify(self, data: Any) -> Any:
        return data.flipped()

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return messages
