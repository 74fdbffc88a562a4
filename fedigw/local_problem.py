"""Define the agents' objectives as the engine of local methods such as FedAvg (fedigw/local_steps.py) needs them.

The joint objective is F = sum_m p_m f_m, where agent m has the objective f_m and the weight p_m, its share of the
samples.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bounds.errors import InputError
from bounds.local_steps import OnAnyData
from fedigw.channel import Channel
from fedigw.interfaces import Parameters, Problem

NOTHING_DRAWN = np.random.default_rng(0)  # where gradients are over all data


class LocalProblem(ABC):
    """Base class of the agents' own objectives, on which they make local gradient steps. A point has D coordinates.
    Arrays of points are (P, D), one point for each of the P agents whose indices are in `who`."""

    continues: ClassVar[bool] = False  # a call goes on from where the last one ended
    walks: ClassVar[bool] = False  # offers `walk`
    affine: ClassVar[bool] = False  # gradients over all data are affine: many rounds may be computed at once

    if TYPE_CHECKING:  # fields or properties

        @property
        def weights(self) -> np.ndarray:
            """Return each agent's share of the samples, shape (M,): its weight in the joint objective."""

        @property
        def shared(self) -> int:
            """Return how many coordinates of a point all agents share. They come first, and only they are sent."""

        @property
        def strong_convexity(self) -> float:
            """Return a lower bound on the curvature of the joint objective."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Return D, the number of coordinates of one agent's point, shared and personal."""

    @abstractmethod
    def smoothness(self, batch: int | None) -> float:
        """Return an upper bound on the curvature of every agent's objective. batch: with minibatches the bound must
        hold for the loss of every sample; None for full gradients."""

    @abstractmethod
    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        """Return the gradient of each agent's own objective at its own point, shape (P, D). who: the agents' indices.
        batch: number of samples drawn with replacement for each gradient; None for all data."""

    @abstractmethod
    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        """Return, for each agent in `who`, the minimiser of its own objective plus (proximal/2) times the squared
        distance from its anchor, shape (P, D). anchors: (P, D)."""

    def curvatures(self) -> np.ndarray:
        """Return a lower bound on the curvature of each agent's objective, computed from its own data, shape (M,). By
        default it is the bound that is known before the data."""
        return np.full(len(self.weights), self.strong_convexity)

    def first(self, rng: np.random.Generator) -> np.ndarray:
        """Return the shared coordinates of a local method's first point, shape (shared,). They are not sent."""
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
        """Return how far all local steps of one round move each participant's point, shape (P, shared). Override it
        only if gradients are sparse; the result must agree with that of the engine's own loop. pull: weight of the
        proximal term. correction: (P, shared), added to every gradient."""
        raise NotImplementedError


class ProblemWithLocal(Problem):
    """Base class of learning problems that local methods such as FedAvg can solve. on_any_data: constants, such as
    curvatures, that hold for any data, if the number of rounds follows from them."""

    on_any_data: OnAnyData | None = None

    if TYPE_CHECKING:  # a field or a property

        @property
        def local(self) -> LocalProblem:
            """Return the agents' own objectives."""

    @property
    def coordinates(self) -> int:
        """Return the total number of shared and personal coordinates. Proved numbers of rounds may depend on it."""
        return self.local.width

    @abstractmethod
    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> Parameters:
        """Return the model's parameters for shared coordinates (shared,) and personal ones (M, D - shared)."""

    def points(self, parameters: Parameters) -> np.ndarray:
        """Return the point of each agent for these parameters, shape (M, D): the inverse of the method `parameters`."""
        point = np.asarray(parameters)
        if point.shape != (self.local.shared,):
            raise InputError(
                "stop", "certificate", "needs a protocol that ends with one estimate for all agents"
            )
        return np.broadcast_to(point, (len(self.local.weights), len(point)))

    # What a certificate asks of the agents: mu of F, and its gradient.
    def curvature(self, channel: Channel) -> float:
        """Return a lower bound on the curvature of the joint objective, for which each agent sends one number. With
        personal coordinates nothing is sent, and the result is the bound that is known before the data."""
        local = self.local
        if local.width > local.shared:
            return local.strong_convexity
        return float(channel.total("curvature", (local.weights * local.curvatures())[:, None], (1,))[0])

    def gradient(self, channel: Channel, parameters: Parameters) -> np.ndarray:
        """Return the gradient of the joint objective as the server learns it in one exchange: it sends the point, and
        each agent sends its weighted gradient. In personal coordinates an agent sends only the squared norm of its
        gradient; the root of the sum of these squared norms is then the last entry of the result."""
        local, points = self.local, self.points(parameters)
        a, who = local.shared, channel.begin_round()
        channel.broadcast("point", points[0, :a], (a,))
        slopes = local.weights[:, None] * local.local_gradients(points, who, None, NOTHING_DRAWN)
        if local.width == a:
            return channel.total("gradient", slopes, (a,))
        squares = (slopes[:, a:] ** 2).sum(axis=1, keepdims=True)
        total = channel.total("gradient", np.concatenate([slopes[:, :a], squares], axis=1), (a + 1,))
        return np.append(total[:a], np.sqrt(total[a]))
