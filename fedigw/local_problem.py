"""Define what the engine of local methods (fedigw.local_steps) requires of the agents' objectives. The objective is
F = sum_m p_m f_m, where agent m has weight p_m, its share of the samples, and objective f_m; its minimiser is w_S."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from bounds.errors import InputError
from bounds.local_steps import OnAnyData
from fedigw.channel import Channel
from fedigw.interfaces import Parameters, Problem

NOTHING_DRAWN = np.random.default_rng(0)  # where gradients are over all data


class LocalProblem(ABC):
    """The agents' own objectives f_m. Points are (P, D), and row i belongs to agent who[i]."""

    continues: ClassVar[bool] = False  # a call goes on from where the last one ended
    walks: ClassVar[bool] = False  # offers `walk`
    affine: ClassVar[bool] = False  # gradients over all data are affine: many rounds may be computed at once

    if TYPE_CHECKING:  # fields or properties

        @property
        def weights(self) -> np.ndarray:
            """Return the weights p_m of the agents, shape (M,)."""

        @property
        def shared(self) -> int:
            """Return how many coordinates of a point all agents share; only these are sent."""

        @property
        def strong_convexity(self) -> float:
            """Return mu, the strong convexity of F."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Return D, the number of coordinates of one agent's point, including personal ones."""

    @abstractmethod
    def smoothness(self, batch: int | None) -> float:
        """Return a smoothness constant beta of every f_m; if minibatches of `batch` samples are used, that of every
        single sample's loss."""

    @abstractmethod
    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        """Return the gradient of f_m at one point for each agent m in `who`, over all data or over `batch` samples
        drawn with replacement, shape (P, D)."""

    @abstractmethod
    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        """Return argmin over y of f_m(y) + (proximal/2) norm(y - anchor)^2 for each agent m in `who`, shape (P, D)."""

    def curvatures(self) -> np.ndarray:
        """Return the strong convexity mu_m of each f_m computed from the agent's own data, shape (M,); by default the
        lower bound known beforehand."""
        return np.full(len(self.weights), self.strong_convexity)

    def first(self, rng: np.random.Generator) -> np.ndarray:
        """Return the point, shape (shared,), at which a call starts. All agents know it, so it is not sent."""
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
        """Return how far all local steps of a round move each participant's point, shape (P, shared). Override it if
        gradients are sparse; the result must agree with the engine's own loop. pull: weight of the proximal term.
        correction: added to every gradient."""
        raise NotImplementedError


class ProblemWithLocal(Problem):
    """A learning problem that local methods can solve. on_any_data: constants that hold for any data, if a number of
    rounds is proved by them."""

    on_any_data: OnAnyData | None = None

    if TYPE_CHECKING:  # a field or a property

        @property
        def local(self) -> LocalProblem:
            """Return the agents' own objectives."""

    @property
    def coordinates(self) -> int:
        """Return the number of shared and personal coordinates of all agents, on which the number of rounds
        may depend."""
        return self.local.width

    @abstractmethod
    def parameters(self, shared: np.ndarray, personal: np.ndarray) -> Parameters:
        """Return the model's parameters for a shared block (shared,) and personal blocks (M, D - shared)."""

    def points(self, parameters: Parameters) -> np.ndarray:
        """Return the point of each agent that these parameters mean, shape (M, D): the inverse of `parameters`."""
        point = np.asarray(parameters)
        if point.shape != (self.local.shared,):
            raise InputError(
                "stop", "certificate", "needs a protocol that ends with one estimate for all agents"
            )
        return np.broadcast_to(point, (len(self.local.weights), len(point)))

    # What a certificate asks of the agents: mu of F, and its gradient.
    def curvature(self, channel: Channel) -> float:
        """Return the strong convexity mu = sum_m p_m mu_m of F, for which each agent sends the number mu_m. With
        personal coordinates nothing is sent, and it is the bound known beforehand."""
        local = self.local
        if local.width > local.shared:
            return local.strong_convexity
        return float(channel.total("curvature", (local.weights * local.curvatures())[:, None], (1,))[0])

    def gradient(self, channel: Channel, parameters: Parameters) -> np.ndarray:
        """Return the gradient of F as the server learns it in one exchange: it sends the point, and agents send p_m
        grad f_m. Of the gradient in its personal coordinates an agent sends only the squared norm; the root of the
        sum of these is then the last coordinate of the result."""
        local, points = self.local, self.points(parameters)
        a, who = local.shared, channel.begin_round()
        channel.broadcast("point", points[0, :a], (a,))
        slopes = local.weights[:, None] * local.local_gradients(points, who, None, NOTHING_DRAWN)
        if local.width == a:
            return channel.total("gradient", slopes, (a,))
        squares = (slopes[:, a:] ** 2).sum(axis=1, keepdims=True)
        total = channel.total("gradient", np.concatenate([slopes[:, :a], squares], axis=1), (a + 1,))
        return np.append(total[:a], np.sqrt(total[a]))
