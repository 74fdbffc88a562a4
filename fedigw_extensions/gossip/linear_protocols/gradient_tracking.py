"""Gradient tracking: each agent mixes its point and its estimate of the mean gradient with those of its neighbours.

There is no server, and no bias however different the agents' data are (app:gradient_tracking). A step takes tau
rounds for the points and tau for the estimates. In each round every edge carries d numbers each way in d dimensions.
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
    """Return the largest rho^tau that the theorem allows at this condition number. rho: the second largest absolute
    eigenvalue of the mixing matrix. tau: the mixing rounds in each exchange."""
    return DISAGREEMENT / condition


def potential(distance: float, points: float, trackers: float, step: float) -> float:
    """Return V = D + (11/2) X + (9/2) eta Y. distance: D, of the agents' mean point from the minimiser. points,
    trackers: X and Y, the root mean squared disagreement of the agents' points and gradient trackers. step: eta."""
    return distance + POINTS * points + TRACKERS * step * trackers


def error(steps: int, condition: float, potential_: float) -> float:
    """Return the bound on the agents' root mean squared distance from the minimiser after `steps` steps. condition:
    beta/mu. potential_: the value of `potential` before the first step."""
    return remaining(SPEED / condition, steps) * potential_


def steps_for(target: float, mu: float, beta: float, start: float, slopes: float) -> int:
    """Return the number of steps that lead from 0 to within `target` of the minimiser w_S. start: a bound on
    norm(w_S)^2. slopes: a bound on mean norm(grad f_m(0))^2."""
    first = potential(math.sqrt(start), 0.0, math.sqrt(slopes), 1 / beta)
    return rounds_until(target / first, SPEED * mu / beta)


@dataclass(frozen=True)
class GradientTracking(gossip.GossipProtocol):
    """Gradient tracking. tolerance: delta; steps and mixing rounds are those proved to reach a mean squared distance of
    delta^2 (d/4 + 9/4)/n from the minimiser. By default it is the model's delta. steps, mixing: a number of steps, and
    of mixing rounds in each exchange, instead of those that are proved; then there is no guarantee."""

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
