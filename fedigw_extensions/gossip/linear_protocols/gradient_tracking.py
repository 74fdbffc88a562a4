"""Gradient tracking: each agent mixes its point, and its estimate of the mean gradient, with those of its neighbours.

There is no server, and the agents reach the minimiser however different their data are (app:gradient_tracking). A step
takes a number of mixing rounds for the points and as many for the estimates. In each round every edge carries d
numbers each way in d dimensions.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.compression import Known, remaining, rounds_until
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, PerAgent
from fedigw_extensions.gossip import linear as gossip
from linear.model import Ridge
from linear.ridge import RidgeProblem

POINTS, TRACKERS, SPEED = 11 / 2, 9 / 2, 1 / 2  # of V, and of the rate in 1/k
DISAGREEMENT = 1 / 9  # k s at most


def disagreement_allowed(condition: float) -> float:
    """Return the fraction of the agents' disagreement that the mixing rounds of one step of gradient tracking may
    leave. condition: the ratio of smoothness to strong convexity."""
    return DISAGREEMENT / condition


def potential(distance: float, points: float, trackers: float, step: float) -> float:
    """Return distance + (11/2) points + (9/2) step trackers, which every step of gradient tracking reduces. distance:
    of the agents' mean point from the minimiser. points, trackers: the agents' root mean squared disagreement about
    their points and about the mean gradient."""
    return distance + POINTS * points + TRACKERS * step * trackers


def error(steps: int, condition: float, potential_: float) -> float:
    """Return the bound on the agents' root mean squared distance from the minimiser after `steps` steps of gradient
    tracking. condition: the ratio of smoothness to strong convexity. potential_: `potential` before the first step."""
    return remaining(SPEED / condition, steps) * potential_


def steps_for(target: float, mu: float, beta: float, start: float, slopes: float) -> int:
    """Return the number of steps in which gradient tracking comes from 0 to within `target` of the minimiser. mu,
    beta: strong convexity and smoothness. start: a bound on the squared norm of the minimiser. slopes: a bound on the
    mean squared norm of the agents' gradients at 0."""
    first = potential(math.sqrt(start), 0.0, math.sqrt(slopes), 1 / beta)
    return rounds_until(target / first, SPEED * mu / beta)


@dataclass(frozen=True)
class GradientTracking(gossip.GossipProtocol):
    """Gradient descent without a server, by mixed points and mixed estimates of the mean gradient (gradient tracking).

    * tolerance: delta, by default the reward model's; steps and mixing rounds are those proved to reach a mean squared
      distance of delta^2 (d/4 + 9/4)/n from the minimiser on n samples in d dimensions
    * steps, mixing: a fixed number of steps, and of mixing rounds in each exchange, without a guarantee
    """

    steps: int | None = None
    mixing: int | None = None
    name: ClassVar[str] = "gradient_tracking"
    claim: ClassVar[str] = "app:gradient_tracking"
    counts: ClassVar[tuple[str, ...]] = ("steps", "mixing")
    needs: ClassVar[tuple[str, ...]] = ("local_gradients", "products")

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        problem.check_condition(self.name)
        shape, network = (problem.dimension,), self.network(channel.agents)
        steps, mixing = self._schedule(problem.known(), self.target(problem), channel.agents)
        size = 1 / gossip.smoothness(problem)
        points = np.zeros((channel.agents, problem.dimension))
        slopes = trackers = gossip.slopes(problem, points, rng)
        channel.observe(PerAgent(points))
        for number in range(1, steps + 1):
            points = channel.exchange("point", points - size * trackers, shape, network, mixing)
            channel.observe(PerAgent(points))
            if number < steps:
                before, slopes = slopes, gossip.slopes(problem, points, rng)
                trackers = channel.exchange("slope", trackers + slopes - before, shape, network, mixing)
        return self.finished(points, channel)

    def _schedule(self, known: Known, target: float, agents: int) -> tuple[int, int]:
        mixing = self.mixing
        if mixing is None:
            allowed = disagreement_allowed(known.beta / known.mu)
            mixing = self.network(agents).rounds_for(allowed)
        if self.steps is not None:
            return self.steps, mixing
        return steps_for(math.sqrt(target), known.mu, known.beta, known.start, known.slopes), mixing

    def sends(self, model: Ridge, target: float, n: int, agents: int) -> tuple[int, int]:
        steps, mixing = self._schedule(model.known(n, agents, True), target, agents)
        return (2 * steps - 1) * mixing, model.dimension

    def unproved(self) -> str:
        chosen = [key for key in self.counts if vars(self)[key] is not None]
        return f"no excess risk is proved for {' and '.join(chosen)} of one's own" if chosen else ""
