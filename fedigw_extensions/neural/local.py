"""Compute the agents' part of local methods on networks: gradients of their mean losses, and sequences of local
gradient steps ("walks").

A walk takes the same steps on the same samples as the loop in fedigw.local_steps, but changes the weights in place,
without a new vector for each step. A test compares the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.local_problem import LocalProblem
from fedigw_extensions.neural.network import Interactions, Network, Perceptron


@dataclass(frozen=True)
class LocalNetworks(LocalProblem):
    """The agents' datasets and the local gradients of a network's loss. kind: single or double precision. compiled:
    whether numba runs the local steps."""

    network: Network
    datasets: Sequence[Interactions]
    kind: Any
    compiled: bool
    strong_convexity: ClassVar[float] = 0.0
    continues: ClassVar[bool] = True
    walks: ClassVar[bool] = True

    @property
    def weights(self) -> np.ndarray:
        sizes = np.array([len(data) for data in self.datasets], dtype=float)
        return np.asarray(sizes / sizes.sum())

    @property
    def width(self) -> int:
        return self.network.size

    @property
    def shared(self) -> int:
        return self.network.size

    def smoothness(self, batch: int | None) -> float:
        """Return nan, because no smoothness constant is known for a network. So no step size is refused."""
        return float("nan")

    def first(self, rng: np.random.Generator) -> np.ndarray:
        return self.network.first(rng, self.kind)

    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        drawn = [self._draw(agent, 1, batch, rng)[0] for agent in who]
        return np.stack(
            [
                self.network.gradient(np.asarray(point, self.kind), self.datasets[agent].at(places))
                for point, agent, places in zip(points, who, drawn, strict=True)
            ]
        )

    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        raise NotImplementedError("a model that does not offer local_minimisers is refused before")

    def walk(
        self,
        point: np.ndarray,
        who: np.ndarray,
        steps: int,
        step_size: float,
        pull: float,
        correction: np.ndarray | None,
        batch: int | None,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Return how far the weights of each of the P agents `who` move from the server's weights `point` by local
        gradient steps, shape (P, D).

        pull: the strength of FedProx's pull towards `point`. correction: vectors added to the gradients, as in
        SCAFFOLD, or None. batch: samples of a step, None for all.
        """
        start = np.ascontiguousarray(point, dtype=self.kind)
        moves = self._space[: len(who)]
        for i, agent in enumerate(who):
            extra = None if correction is None else correction[i]
            places = self._draw(agent, steps, batch, rng)
            moves[i] = start  # agent by agent, while its weights are in the processor's cache
            keys = (places, step_size, pull, extra)
            move(self.network, self.compiled, start, moves[i], self.datasets[agent], *keys)
            moves[i] -= start
        return moves

    @cached_property
    def _space(self) -> np.ndarray:
        """Return the array (M, D) in which local steps are computed. It is reused, because its allocation takes as
        long as two steps."""
        return np.empty((len(self.datasets), self.width), dtype=self.kind)

    def _draw(self, agent: int, steps: int, batch: int | None, rng: np.random.Generator) -> np.ndarray:
        size = len(self.datasets[agent])
        if batch is None:
            return np.tile(np.arange(size), (steps, 1))
        if batch > size:
            raise InputError("protocol.batch", batch, f"is larger than agent {agent}'s data, {size} samples")
        return rng.integers(0, size, (steps, batch))


def move(
    network: Network,
    compiled: bool,
    start: np.ndarray,
    y: np.ndarray,
    data: Interactions,
    places: np.ndarray,
    step_size: float,
    pull: float,
    correction: np.ndarray | None,
) -> None:
    """Change the weights y (D,) in place by one gradient step on each batch of samples. start: the server's weights.
    places (steps, batch): the samples of each step. pull: the strength of FedProx's pull towards `start`. correction:
    a vector added to every gradient, as in SCAFFOLD, or None. compiled: whether numba runs the loop."""
    if compiled and isinstance(network, Perceptron):
        from fedigw_extensions.neural.fast import walk

        walk(network, start, y, data, places, step_size, pull, correction)
        return
    kind = start.dtype.type
    for picked in places:
        if not pull and correction is None:
            network.add_gradient(y, data.at(picked), -step_size, y)
            continue
        slope = network.gradient(y, data.at(picked))
        if pull:
            slope += kind(pull) * (y - start)
        if correction is not None:
            slope += correction
        slope *= kind(step_size)
        y -= slope
