"""What an environment and an FL routine must offer to be joined by the federation loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fedigw.ledger import Channel


@dataclass(frozen=True)
class Experience:
    """What an agent brings home from an epoch.

    data: its local dataset, in whatever form the environment and the FL routine agree on.
    regret: expected regret of the steps before the horizon, given the model in use (no action noise).
    """

    data: Any
    regret: float


class Environment(Protocol):
    """M agents in a world where f* is known to the simulator and to nobody else."""

    @property
    def arms(self) -> tuple[int, ...]:
        """K_m of every agent."""
        ...

    def initial_model(self) -> Any:
        """The zero function of epoch 1."""
        ...

    def play(
        self, agent: int, model: Any, learning_rate: float, full: int, played: int, rng: np.random.Generator
    ) -> Experience:
        """Agent plays an epoch of `full` steps with inverse gap weighting on `model`; regret is counted over the
        first `played`."""
        ...

    def describe(self, model: Any) -> Any:
        """The model as JSON: an index, a list of parameters."""
        ...


class FLRoutine(Protocol):
    """FLroutine(.) of alg:FedIGW_agent: any federated protocol that learns a model from the agents' datasets.

    Agents' data may be touched only to prepare that agent's own messages; the server sees what comes through the
    channel.
    """

    @property
    def name(self) -> str: ...

    def fit(self, datasets: list[Any], channel: Channel, rng: np.random.Generator) -> Any:
        """The model learned from one epoch's data."""
        ...
