"""Round each number of a message at random to b bits so that its mean does not change.

The scale of a message is its largest absolute value, rounded up to single precision; it takes 32 more bits. Each
number is rounded up or down at random to one of 2^b levels. For b <= 20 the mean squared error of a message x of d
numbers is at most d/(2^b-1)^2 times norm(x)^2, the rounding of the scale included.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Encoder


@dataclass(frozen=True)
class Quantise(Encoder):
    """Encoder that rounds each number of a message at random, without bias. bits_each: the bits of each number, from 1
    to 52."""

    bits_each: int = 8
    name: ClassVar[str] = "quantise"

    def __post_init__(self) -> None:
        if not 1 <= self.bits_each <= 52:
            raise InputError("bits_each", self.bits_each, "must be an integer from 1 to 52")

    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        flat = np.asarray(messages, dtype=float).reshape(len(messages), -1)
        largest = np.abs(flat).max(axis=1, keepdims=True)
        single = largest.astype(np.float32)
        scale = np.nextafter(single, np.float32(np.inf), out=single, where=single < largest).astype(float)
        step = 2 * scale / (2**self.bits_each - 1)
        step[scale == 0] = 1.0
        place = (flat + scale) / step
        floor = np.floor(place)
        rounded = floor + (rng.random(flat.shape) < place - floor)
        return np.asarray((rounded * step - scale).reshape(np.shape(messages)))

    def bits(self, messages: np.ndarray) -> int:
        return int(messages.size * self.bits_each + 32 * len(messages))
