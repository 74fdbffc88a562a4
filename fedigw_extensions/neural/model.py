"""Define a network as the reward model of a federation. Its parameters are a flat vector (D,). Its scores, one per
arm, are the network's values at rows of a data table.

Nothing is proved about what a network learns, so no protocol has a guarantee here and no bound is printed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError, choose
from fedigw.interfaces import Model
from fedigw.local_problem import ProblemWithLocal
from fedigw.running import DataError
from fedigw_extensions.neural.local import LocalNetworks
from fedigw_extensions.neural.network import (
    Interactions,
    Network,
    Perceptron,
    Released,
    available,
)

MODELS = ("perceptron", "released")
PRECISIONS = {"single": np.float32, "double": np.float64}
ENGINES = ("numpy", "numba")
MOST = 50_000_000  # parameters: 0.2 GB for one agent


@dataclass(frozen=True)
class NeuralModel(Model):
    """A network as reward model. model: perceptron or released. width: hidden units. precision: of weights, single or
    double. engine: numpy, or numba (optional package `fast`); results differ in the last digits."""

    dimension: int
    arms: int
    model: str = "perceptron"
    width: int = 256
    precision: str = "single"
    engine: str = "numpy"
    usual_protocol: ClassVar[str] = "fedavg"

    def __post_init__(self) -> None:
        choose("model", self.model, MODELS)
        choose("precision", self.precision, PRECISIONS)
        choose("engine", self.engine, ENGINES)
        if self.engine == "numba" and not available():
            raise InputError("engine", "numba", "needs the extra `fast`: pip install -e '.[fast]'")
        if not (self.width >= 1 and self.network.size <= MOST):
            raise InputError("width", self.width, f"must be positive, and all parameters at most {MOST:.0e}")

    @cached_property
    def network(self) -> Network:
        return (Released if self.model == "released" else Perceptron)(self.dimension, self.arms, self.width)

    @property
    def kind(self) -> Any:
        return PRECISIONS[self.precision]

    @property
    def shared_width(self) -> int:
        return self.network.size

    def initial(self) -> np.ndarray:
        """Return zeros (D,): the parameters of the zero function, by which arms are chosen before the first training.
        Training itself starts elsewhere, because a network of zeros has no gradient."""
        return np.zeros(self.network.size, dtype=self.kind)

    def scores(self, parameters: Any, contexts: Any) -> np.ndarray:
        """Return the arms' scores (n, K) in double precision for sparse features (n, d). parameters: weights (D,)."""
        return self.network.scores(parameters, contexts).astype(float)

    def offers(self, need: str) -> bool:
        return need == "local_gradients"

    def problem(self, datasets: Sequence[Interactions], epoch: int) -> NetworkProblem:
        for agent, data in enumerate(datasets):
            if not len(data):
                raise DataError(f"agent {agent}, epoch {epoch}: no samples")
        return NetworkProblem(LocalNetworks(self.network, tuple(datasets), self.kind, self.engine == "numba"))

    def describe(self, parameters: Any) -> dict[str, Any]:
        """Return a digest and the norm of the weights, because there may be too many weights to print."""
        found = hashlib.sha256(np.ascontiguousarray(parameters).tobytes()).hexdigest()[:16]
        return {"sha256": found, "norm": float(np.linalg.norm(np.asarray(parameters, dtype=float)))}

    def settings(self) -> dict[str, Any]:
        usual = {"model": "perceptron", "width": 256, "precision": "single", "engine": "numpy"}
        return {key: vars(self)[key] for key in usual if vars(self)[key] != usual[key]}


@dataclass(frozen=True)
class NetworkProblem(ProblemWithLocal):
    """The learning problem of one execution of the federated protocol: the agents' datasets and gradients of their
    losses."""

    local: LocalNetworks

    @property
    def samples(self) -> int:
        return sum(len(data) for data in self.local.datasets)

    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> np.ndarray:
        return np.asarray(shared, dtype=self.local.kind)

    def distance(self, parameters: np.ndarray) -> float:
        """Return nan, because the distance from the minimiser of a network's loss is unknown."""
        return float("nan")
