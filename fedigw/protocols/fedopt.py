"""Learn by FedOpt (Reddi et al. 2021): the server treats the mean of the agents' moves as a gradient, and makes a step
of Adam, Yogi or Adagrad.

With server = "plain" and server_step = 1 this is FedAvg.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError, choose
from fedigw.local_steps import LocalMethod

SERVERS = ("plain", "adam", "yogi", "adagrad")


@dataclass(frozen=True)
class FedOpt(LocalMethod):
    """FedAvg with an adaptive optimiser at the server. beta1, beta2: decay of the running means of the moves and of
    their squares. floor: added to the root of the second mean."""

    server: str = "adam"
    server_step: float = 0.1
    beta1: float = 0.9
    beta2: float = 0.99
    floor: float = 1e-3
    name: ClassVar[str] = "fedopt"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("server", self.server, SERVERS)
        for key, value in (("beta1", self.beta1), ("beta2", self.beta2)):
            if not 0 <= value < 1:
                raise InputError(key, value, "must be a number in [0,1)")
        if not self.floor > 0:
            raise InputError("floor", self.floor, "must be a positive number")

    def advance(self, mean: np.ndarray, state: Any) -> tuple[np.ndarray, Any]:
        if self.server == "plain":
            return self.server_step * mean, state
        momentum, squares = state or (np.zeros_like(mean), np.full_like(mean, self.floor**2))
        momentum = self.beta1 * momentum + (1 - self.beta1) * mean
        squares = self.squares(squares, mean**2)
        return self.server_step * momentum / (np.sqrt(squares) + self.floor), (momentum, squares)

    def squares(self, kept: np.ndarray, fresh: np.ndarray) -> np.ndarray:
        """Return the optimiser's running mean (for Adagrad sum) of squared moves, shape (shared,). kept: the previous
        one. fresh: the squared mean move of this round."""
        if self.server == "adagrad":
            return kept + fresh
        if self.server == "yogi":
            return kept - (1 - self.beta2) * fresh * np.sign(kept - fresh)
        return self.beta2 * kept + (1 - self.beta2) * fresh
