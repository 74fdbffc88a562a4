"""Send only the k numbers of a message that are largest in absolute value, with their places.

In a message of d numbers each number sent takes 64 bits, and its place ceil(log2 d) bits.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Encoder


@dataclass(frozen=True)
class TopK(Encoder):
    """Encoder that sends the numbers of largest absolute value. keep: how many numbers are sent; a shorter message is
    sent whole."""

    keep: int = 1
    name: ClassVar[str] = "top_k"

    def __post_init__(self) -> None:
        self.check_positive("keep")

    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        flat = np.asarray(messages, dtype=float).reshape(len(messages), -1)
        if self.keep >= flat.shape[1]:
            return np.array(messages)
        order = np.argsort(-np.abs(flat), axis=1, kind="stable")[:, : self.keep]
        kept = np.zeros_like(flat)
        np.put_along_axis(kept, order, np.take_along_axis(flat, order, axis=1), axis=1)
        return kept.reshape(np.shape(messages))

    def bits(self, messages: np.ndarray) -> int:
        size = messages[0].size
        place = max(0, (size - 1).bit_length())
        sent = min(self.keep, size)
        return int(len(messages) * sent * (64 + (place if sent < size else 0)))
