"""Define the base class of protocols without a server, at whose end each agent has a model of its own.

From the next epoch on, the agents choose arms by different models, so their laws of features differ. The excess risk
of the exact minimiser on n samples in d dimensions is then at most (d/4 + 9/4)/n, instead of (d/4 + 1)/(n+1). For
models at a root mean squared distance v from the minimiser it is at most (sqrt((d/4 + 9/4)/n) + v)^2.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from bounds.own_ridge_excess_risk import mean
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, PerAgent, Setting
from fedigw.ledger import Traffic
from fedigw.network import GraphKeys
from fedigw.running import SolverError
from linear.model import Ridge, check_tolerance
from linear.ridge import RidgeProblem


def different_laws(model: Ridge) -> Ridge:
    """Return the model for agents with different laws of features: its bound on the excess risk from n samples in d
    dimensions is (d/4 + 9/4)/n."""
    return replace(model, heterogeneous=True)


@dataclass(frozen=True)
class GossipProtocol(GraphKeys):
    """Base class of the protocols without a server.

    tolerance: delta, by default the reward model's. The guarantee on n samples in d dimensions is that the agents'
    mean squared distance from the minimiser is at most delta^2 (d/4 + 9/4)/n.
    """

    tolerance: float | None = None
    claim: ClassVar[str]
    surely: ClassVar[bool] = True  # in every run, not in the mean over the data
    counts: ClassVar[tuple[str, ...]] = ("rounds",)  # its keys that count something

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tolerance is not None:
            check_tolerance(self.tolerance)
        self.check_positive(*self.counts)

    @abstractmethod
    def sends(self, model: Ridge, target: float, n: int, agents: int) -> tuple[int, int]:
        """Return the number of rounds in which the protocol comes within a squared distance `target` of the minimiser,
        and the size of a message in numbers. n: all agents' samples."""

    @abstractmethod
    def unproved(self) -> str:
        """Return why these settings of the protocol have no guarantee, or "" if they have one."""

    def target(self, problem: RidgeProblem) -> float:
        """Return the squared distance from the minimiser that the agents have to reach, delta^2 (d/4 + 9/4)/n for the
        tolerance delta and n samples in d dimensions."""
        chosen = problem.tolerance if self.tolerance is None else self.tolerance
        return chosen**2 * float(mean(float(problem.dimension), problem.samples, True, problem.norm**2))

    def guarantee(self, setting: Setting) -> Guarantee:
        model, network = different_laws(Ridge.of(setting)), self.network(setting.agents)
        delta = model.tolerance if self.tolerance is None else self.tolerance
        missing = [*model.unproved, *filter(None, [self.unproved()])]
        if not setting.equal:
            missing.append("agents have different numbers of samples: gossip is proved for equal ones")

        def cost(n: int) -> Traffic:
            rounds, size = self.sends(model, delta**2 * model.risk(n), n, setting.agents)
            many = rounds * len(network.edges)
            return Traffic(
                1, rounds, many, many, many * size, many * size, 64 * many * size, 64 * many * size
            )

        return Guarantee(
            claim=self.claim,
            risk=lambda variant, n: (1 + delta) ** 2 * model.risk(n),
            distance=lambda n: delta**2 * model.risk(n) if self.surely and not missing else math.inf,
            cost=cost,
            missing=tuple(missing),
        )

    def finished(self, points: np.ndarray, channel: Channel) -> Fitted:
        """Return the fitted models of agents that end at `points` (M, d). Raise SolverError if these are not finite."""
        if not np.isfinite(points).all():
            name = self.name.replace("_", " ")
            raise SolverError(f"epoch {channel.epoch}, {name}: the iterates overflow")
        return Fitted(PerAgent(points))


def slopes(problem: RidgeProblem, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return each agent's gradient at its own point, multiplied by M p, shape (M, d), where p is the agent's weight. At
    equal points the mean over the M agents is then the gradient of the joint objective."""
    local = problem.local
    found = local.local_gradients(points, np.arange(problem.count), None, rng)
    return np.asarray(found * (problem.count * local.weights)[:, None])


def smoothness(problem: RidgeProblem) -> float:
    """Return a smoothness constant that holds for every agent's objective times M p, where p is the agent's weight and
    M the number of agents."""
    return float(problem.known().beta * problem.count * problem.local.weights.max())
