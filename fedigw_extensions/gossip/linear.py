"""Define what the protocols without a server share. Their agents end with different models.

From the next epoch on, agents with different models choose arms by different rules. Their laws of features then
differ even if their contexts have one law. So the excess risk of the exact minimiser on n samples in d dimensions is
(d/4 + 9/4)/n instead of (d/4 + 1)/(n+1). At a root mean squared distance v from the minimiser, which includes the
disagreement of the agents, it is (sqrt((d/4 + 9/4)/n) + v)^2.
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
    """Return the same model with excess risk (d/4 + 9/4)/n, which holds for agents with different laws of features."""
    return replace(model, heterogeneous=True)


@dataclass(frozen=True)
class GossipProtocol(GraphKeys):
    """Base class of the protocols without a server. tolerance: delta, by default the model's. The guarantee is mean
    norm(w_m - w_S)^2 <= delta^2 C'/n for the agents' models w_m and the minimiser w_S on n samples, where C' = d/4 +
    9/4."""

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
        """Return the rounds of a call that reaches the squared distance `target`, and the size of a message in
        numbers."""

    @abstractmethod
    def unproved(self) -> str:
        """Return why these settings of the protocol have no guarantee, or "" if they have one."""

    def target(self, problem: RidgeProblem) -> float:
        """Return delta^2 C'/n with C' = d/4 + (9/4) norm(omega*)^2, the squared distance from the minimiser at which
        the excess risk is still at most (1+delta)^2 C'/n."""
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
        """Return the agents' models (M, d). Raise SolverError if they are not finite."""
        if not np.isfinite(points).all():
            name = self.name.replace("_", " ")
            raise SolverError(f"epoch {channel.epoch}, {name}: the iterates overflow")
        return Fitted(PerAgent(points))


def slopes(problem: RidgeProblem, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the gradients of M p_m f_m, M the number of agents, at the agents' own points, shape (M, d), where p_m
    is the weight of agent m and f_m its objective. If all points are equal, their mean is the gradient of F = sum
    p_m f_m."""
    local = problem.local
    found = local.local_gradients(points, np.arange(problem.count), None, rng)
    return np.asarray(found * (problem.count * local.weights)[:, None])


def smoothness(problem: RidgeProblem) -> float:
    """Return a smoothness constant beta that holds for all M p_m f_m, where M is the number of agents, p_m is the
    weight of agent m and f_m its objective."""
    return float(problem.known().beta * problem.count * problem.local.weights.max())
