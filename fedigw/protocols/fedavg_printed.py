"""alg:fedavg as the paper prints it: agents send omega' - omega and the server subtracts it, so the loss goes up.

Erratum E13 runs through this file; fedavg.py is the algorithm that was meant.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.local_steps import LocalMethod


@dataclass(frozen=True)
class FedAvgPrinted(LocalMethod):
    """The sign as printed."""

    rounds: int = 5
    name: ClassVar[str] = "fedavg_printed"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def advance(self, mean: np.ndarray, state: Any) -> tuple[np.ndarray, Any]:
        return -self.server_step * mean, state
