"""FedAvg exactly as the paper prints it (alg:fedavg), with a wrong sign: agents send their move and the server
subtracts it, so the loss increases.

The check of this misprint (erratum E13) uses it. fedavg.py is the algorithm that was meant.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.local_steps import LocalMethod


@dataclass(frozen=True)
class FedAvgPrinted(LocalMethod):
    """FedAvg with the server's sign as printed, which increases the loss."""

    rounds: int = 5
    name: ClassVar[str] = "fedavg_printed"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def advance(self, mean: np.ndarray, state: Any) -> tuple[np.ndarray, Any]:
        return -self.server_step * mean, state
