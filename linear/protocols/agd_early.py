"""Accelerated gradient descent that stops when the gradient certifies the target: norm(w - w_S) <= n norm(grad F)/2.

No communication beyond AGD's own, and never more rounds than its schedule.
"""

from __future__ import annotations

from typing import Any

from fedigw.interfaces import FLRoutine
from linear.protocols.agd import AcceleratedGradient


def build(instance: Any) -> FLRoutine:
    return AcceleratedGradient(
        instance.accuracy, instance.heterogeneous, instance.regularisation, True, "agd_early"
    )
