"""FedAvg exactly as the paper prints it (alg:fedavg), with a wrong sign: agents send how far they moved and the server
subtracts it, so the loss increases.

The check of this misprint (erratum E13) uses this file. The algorithm that was meant is in fedavg.py.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.local_steps import LocalMethod


@dataclass(frozen=True)
class FedAvgPrinted(LocalMethod):
    """FedAvg with the sign of the server's step as printed in the paper, which increases the loss."""

    rounds: int = 5
    name: ClassVar[str] = "fedavg_printed"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def advance(self, mean: np.ndarray, state: Any) -> tuple[np.ndarray, Any]:
        return -self.server_step * mean, state
