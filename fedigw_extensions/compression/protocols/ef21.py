"""EF21 (Richtarik et al. 2021): the k largest coordinates of the difference from a reference travel, with their places.

Deterministic, and the limit is w_S for every heterogeneity (app:ef21). Per call with K rounds:
M K k (64 + ceil(log2 d)) bits up, 64 M d K down.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

from fedigw_extensions.compression.bounds import app_ef21 as theorem
from fedigw_extensions.compression.engine import Sparse


@dataclass(frozen=True)
class Ef21(Sparse):
    """tolerance, rounds, step_size, keep."""

    name: ClassVar[str] = "ef21"
    claim: ClassVar[str] = "app:ef21"
    theorem: ClassVar[ModuleType] = theorem
    in_the_mean: ClassVar[bool] = False

    def learning(self, width: int) -> float:
        return 1.0
