"""Secure aggregation simulated by pairwise masks: they cancel in the sum, and one message alone is noise.

Agents m < j share a secret s_mj in every round; m adds it to its message and j subtracts it. (Masks here are Gaussian
floats, not field elements: a simulation of what the server can and cannot learn, not the cryptography.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np


@dataclass(frozen=True)
class Masks:
    """scale: standard deviation of a mask; messages of ridge regression have norm at most 2."""

    scale: float = 10.0
    name: ClassVar[str] = "masks"
    lossless: ClassVar[bool] = True  # in the sum, to rounding
    hides: ClassVar[bool] = True  # one message alone is noise: only sums can be made of them

    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.asarray(messages + pairwise_masks(len(messages), messages.shape[1:], rng, self.scale))

    def bits(self, messages: np.ndarray) -> int:
        return 64 * messages.size


def pairwise_masks(
    agents: int, shape: tuple[int, ...], rng: np.random.Generator, scale: float = 10.0
) -> np.ndarray:
    """(M, *shape): what each agent adds; the sum over agents is 0 to rounding."""
    total = np.zeros((agents, *shape))
    for first in range(agents):
        for second in range(first + 1, agents):
            secret = scale * rng.standard_normal(shape)
            total[first] += secret
            total[second] -= secret
    return total
