"""What the engine of local methods (fedigw.local_steps) asks of the agents' side of a call."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np


class LocalProblem(Protocol):
    """What the engine asks of the agents' side. Points are (P, D), row i belonging to agent who[i].

    A problem whose training must not start at 0 also offers `first(rng)`, the point (shared,) that all agents know, and
    says by `continues` whether a call goes on from where the last one ended. One whose gradients are sparse may offer
    `walk`, all local steps of a round at once (P, shared), which must be what the engine's own loop gives:

        walk(point, who, steps, step_size, pull, correction, batch, rng) -> how far each participant moves
    """

    @property
    def weights(self) -> np.ndarray:
        """p_m (M,)."""
        ...

    @property
    def width(self) -> int:
        """D: coordinates of one agent's point, personal ones included."""
        ...

    @property
    def shared(self) -> int:
        """How many of them travel."""
        ...

    @property
    def strong_convexity(self) -> float:
        """mu of F."""
        ...

    def smoothness(self, batch: int | None) -> float:
        """beta of every f_m, or of every single loss where minibatches are used."""
        ...

    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        """(P, D): gradients of f_m, over all data or over `batch` samples drawn with replacement."""
        ...

    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        """(P, D): argmin f_m(y) + (proximal/2) norm(y - anchor)^2."""
        ...


class ProblemWithLocal(Protocol):
    """A problem that local methods can work on."""

    @property
    def local(self) -> LocalProblem: ...

    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> Any:
        """The model's parameters of a shared block (shared,) and personal blocks (M, D - shared)."""
        ...
