"""DIANA (Mishchenko et al. 2019): what travels is the difference from a reference that agent and server both learn.

Differences vanish as the references learn the gradients at w_S, so rounding to b bits leaves no noise (app:diana).
Per call with k rounds: M k (d b + 32) bits up, 64 M d k down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bounds.compression import Known, Schedule
from fedigw_extensions.compression.bounds import app_diana as theorem
from fedigw_extensions.compression.engine import Rounded


@dataclass(frozen=True)
class Diana(Rounded):
    """tolerance, rounds, step_size, bits_each."""

    bits_each: int = 4
    name: ClassVar[str] = "diana"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients", "known_curvature")
    claim: ClassVar[str] = "app:diana"

    def learning(self, width: int) -> float:
        return theorem.learning(self.variance(width))

    def planned(self, known: Known, width: int, target: float) -> Schedule:
        return theorem.schedule(known, self.variance(width), target)

    def largest_step(self, known: Known, width: int) -> float:
        return theorem.largest_step(known.beta, self.variance(width), known.largest_share)
