"""Decentralised gradient descent: in each round agents mix their points with their neighbours' and follow their own
gradients.

There is no server and one exchange per round. The points end at a distance of order sqrt(step) from the minimiser
(app:decentralised_gradients), so a small tolerance takes of the order of n^2 rounds for n samples. The mixing matrix
is (I + W)/2, where W is that of the graph. Every edge carries d numbers each way in d dimensions.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.compression import Known, Schedule, remaining, rounds_until
from bounds.errors import InputError
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, PerAgent
from fedigw_extensions.gossip import linear as gossip
from linear.model import Ridge
from linear.ridge import RidgeProblem


def largest_step(beta: float, second: float) -> float:
    return (1 - second) / (1.5 * beta)


def bias(step: float, mu: float, second: float, heterogeneity: float) -> float:
    """Return the bound on the distance between the fixed point of decentralised gradient descent and the minimiser.
    mu: the strong convexity of the mean objective. second: the second largest eigenvalue of the mixing matrix.
    heterogeneity: the mean squared norm of the agents' gradients at the minimiser."""
    return math.sqrt(2 * step * heterogeneity / (mu * (1 - second)))


def error(rounds: int, step: float, mu: float, second: float, heterogeneity: float, start: float) -> float:
    """Return the bound on the agents' root mean squared distance from the minimiser after `rounds` rounds. start: this
    distance before the first round. second: the second largest eigenvalue of the mixing matrix. heterogeneity: the
    mean squared norm of the agents' gradients at the minimiser."""
    left = bias(step, mu, second, heterogeneity)
    return remaining(step * mu / 2, rounds) * (start + left) + left


def schedule(known: Known, second: float, target: float) -> Schedule:
    """Return the step and the number of rounds for which decentralised gradient descent has a mean squared distance of
    at most `target` from the minimiser. second: the second largest eigenvalue of the mixing matrix."""
    half = math.sqrt(target) / 2
    step = min(
        largest_step(known.beta, second), half**2 * known.mu * (1 - second) / (2 * known.heterogeneity)
    )
    left = bias(step, known.mu, second, known.heterogeneity)
    return Schedule(step, rounds_until(half / (math.sqrt(known.start) + left), step * known.mu / 2))


@dataclass(frozen=True)
class DecentralisedGradients(gossip.GossipProtocol):
    """Decentralised gradient descent.

    * tolerance: delta; step and rounds are then those proved to reach the mean squared distance delta^2 (d/4 + 9/4)/n
      from the minimiser on n samples in d dimensions
    * rounds, step_size: fixed values instead, without a guarantee; by default the step is the largest that is proved
    """

    rounds: int = 100
    step_size: float | None = None
    name: ClassVar[str] = "decentralised_gradients"
    claim: ClassVar[str] = "app:decentralised_gradients"
    surely: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("local_gradients", "products")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.step_size is not None and not 0 < self.step_size < math.inf:
            raise InputError("step_size", self.step_size, "must be a positive number")

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        problem.check_condition(self.name)
        shape, network = (problem.dimension,), self.network(channel.agents).lazy
        plan = self._schedule(problem.known(), self.target(problem), channel.agents)
        # without a schedule agents with more samples than others have steeper objectives M p_m f_m
        steeper = 1.0 if self.tolerance is not None else problem.known().beta / gossip.smoothness(problem)
        step = plan.step if self.step_size is not None else plan.step * steeper
        points = np.zeros((channel.agents, problem.dimension))
        channel.observe(PerAgent(points))
        with np.errstate(over="ignore", invalid="ignore"):  # the channel refuses what is not finite
            for _ in range(plan.rounds):
                slopes = gossip.slopes(problem, points, rng)
                points = channel.exchange("point", points, shape, network) - step * slopes
                channel.observe(PerAgent(points))
        return self.finished(points, channel)

    def _schedule(self, known: Known, target: float, agents: int) -> Schedule:
        second = self.network(agents).lazy.second
        if self.tolerance is not None:
            return schedule(known, second, target)
        step = largest_step(known.beta, second) if self.step_size is None else self.step_size
        return Schedule(step, self.rounds)

    def sends(self, model: Ridge, target: float, n: int, agents: int) -> tuple[int, int]:
        return self._schedule(model.known(n, agents, True), target, agents).rounds, model.dimension

    def unproved(self) -> str:
        fixed = f"{self.rounds} rounds of decentralised gradients have no proved excess risk"
        return "" if self.tolerance is not None else fixed
