"""What protocols without a server share: agents end with models of their own, so the constant of different laws holds.

From the next epoch on agents with different models choose arms by different rules, so even agents with one law of
contexts have different laws of features: the excess risk of the exact minimiser is (d/4 + 9/4)/n, not (d/4 + 1)/(n+1),
and with a root mean squared distance of v from it, (sqrt((d/4 + 9/4)/n) + v)^2. The consensus error is part of v.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, PerAgent, Setting
from fedigw.ledger import Traffic
from fedigw.network import GraphKeys
from fedigw.running import SolverError
from linear.model import Ridge, check_tolerance
from linear.ridge import RidgeProblem


def different_laws(model: Ridge) -> Ridge:
    """Return the same model with the constant C' = d/4 + 9/4."""
    return replace(model, heterogeneous=True)


@dataclass(frozen=True)
class GossipProtocol(GraphKeys):
    """tolerance: delta, the model's unless given. It promises mean norm(w_m - w_S)^2 <= delta^2 C'/n."""

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
        """Return the rounds of a call that reaches the squared distance `target`, and the numbers of a message."""

    @abstractmethod
    def unproved(self) -> str:
        """Return why nothing is promised for its keys; "" where something is."""

    def target(self, problem: RidgeProblem) -> float:
        """delta^2 C'/n: the mean squared distance from w_S that keeps the excess risk within (1+delta)^2 C'/n."""
        chosen = problem.tolerance if self.tolerance is None else self.tolerance
        return chosen**2 * different_laws(Ridge(problem.dimension)).risk(problem.samples)

    def guarantee(self, setting: Setting) -> Guarantee:
        model, network = different_laws(Ridge.of(setting)), self.network(setting.agents)
        delta = model.tolerance if self.tolerance is None else self.tolerance
        missing = [*model.unproved, *filter(None, [self.unproved()])]
        if not setting.equal:
            missing.append("agents have different numbers of samples: gossip is proved for equal ones")

        def cost(n: int) -> Traffic:
            """One message each way over every edge in every round."""
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
        """Return the agents' models (M, d); iterates that overflow are an error."""
        if not np.isfinite(points).all():
            name = self.name.replace("_", " ")
            raise SolverError(f"epoch {channel.epoch}, {name}: the iterates overflow")
        return Fitted(PerAgent(points))


def slopes(problem: RidgeProblem, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return gradients of M p_m f_m at the agents' own points, whose mean is that of F, shape (M, d)."""
    local = problem.local
    found = local.local_gradients(points, np.arange(problem.count), None, rng)
    return np.asarray(found * (problem.count * local.weights)[:, None])


def smoothness(problem: RidgeProblem) -> float:
    """Return beta of the M p_m f_m."""
    return float(problem.known().beta * problem.count * problem.local.weights.max())
