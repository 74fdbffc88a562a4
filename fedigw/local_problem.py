"""What the engine of local methods (fedigw.local_steps) asks of the agents' side of a call."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fedigw.interfaces import Parameters, Problem


class LocalProblem(ABC):
    """The agents' own objectives f_m. Points are (P, D), row i belonging to agent who[i]."""

    continues: ClassVar[bool] = False  # a call goes on from where the last one ended
    walks: ClassVar[bool] = False  # offers `walk`

    if TYPE_CHECKING:  # fields or properties

        @property
        def weights(self) -> np.ndarray:
            """p_m (M,)."""

        @property
        def shared(self) -> int:
            """How many coordinates of a point travel."""

        @property
        def strong_convexity(self) -> float:
            """mu of F."""

    @property
    @abstractmethod
    def width(self) -> int:
        """D: coordinates of one agent's point, personal ones included."""

    @abstractmethod
    def smoothness(self, batch: int | None) -> float:
        """Return beta of every f_m, or of every single loss where minibatches are used."""

    @abstractmethod
    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        """Return (P, D): gradients of f_m, over all data or over `batch` samples drawn with replacement."""

    @abstractmethod
    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        """Return (P, D): argmin f_m(y) + (proximal/2) norm(y - anchor)^2."""

    def first(self, rng: np.random.Generator) -> np.ndarray:
        """Return the point (shared,) that a call starts from and all agents know."""
        return np.zeros(self.shared)

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
        """Return (P, shared): how far all local steps of a round move each participant, as the engine's own loop does;
        for problems whose gradients are sparse."""
        raise NotImplementedError


class ProblemWithLocal(Problem):
    """A problem that local methods can work on."""

    if TYPE_CHECKING:  # a field or a property

        @property
        def local(self) -> LocalProblem:
            """The agents' own objectives."""

    @abstractmethod
    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> Parameters:
        """Return the model's parameters of a shared block (shared,) and personal blocks (M, D - shared)."""
