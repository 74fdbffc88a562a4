"""DIANA (Mishchenko et al. 2019): what travels is the difference from a reference that agent and server both learn.

Differences vanish as the references learn the gradients at w_S, so rounding to b bits leaves no noise (app:diana).
Per call with k rounds: M k (d b + 32) bits up, 64 M d k down.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

from fedigw_extensions.compression.bounds import app_diana as theorem
from fedigw_extensions.compression.engine import Rounded


@dataclass(frozen=True)
class Diana(Rounded):
    """tolerance, rounds, step_size, bits_each."""

    bits_each: int = 4
    name: ClassVar[str] = "diana"
    claim: ClassVar[str] = "app:diana"
    theorem: ClassVar[ModuleType] = theorem

    def learning(self, width: int) -> float:
        return theorem.learning(self.quality(width))
