"""FedAvg (McMahan et al. 2017): local gradient steps, then the weighted mean of the models.

With several local steps and different agents its limit is not the minimiser (app:lemma_L gives where it ends).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fedigw.local_steps import LocalMethod


@dataclass(frozen=True)
class FedAvg(LocalMethod):
    """Plain local steps, plain server."""

    name: ClassVar[str] = "fedavg"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)
