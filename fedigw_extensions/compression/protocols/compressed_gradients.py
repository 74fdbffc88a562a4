"""Compressed gradient descent: gradients travel rounded to b bits at random. Unbiased, but heterogeneity leaves noise.

E norm(x_k - w_S)^2 <= (1 - eta mu)^k d_0 + 2 eta om p_max zeta*^2/mu (app:compressed_gradients), om = d/(2^b-1)^2.
Per call with k rounds: M k (d b + 32) bits up, 64 M d k down.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

from fedigw_extensions.compression.bounds import app_compressed_gradients as theorem
from fedigw_extensions.compression.engine import Rounded


@dataclass(frozen=True)
class CompressedGradients(Rounded):
    """tolerance, rounds, step_size, bits_each."""

    name: ClassVar[str] = "compressed_gradients"
    claim: ClassVar[str] = "app:compressed_gradients"
    theorem: ClassVar[ModuleType] = theorem
