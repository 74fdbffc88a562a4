"""Gradient tracking: agents keep a point and an estimate of the mean gradient each, and mix both with their neighbours.

No server, and no bias however the agents' data differ (app:gradient_tracking). A step takes tau rounds for the points
and tau for the estimates, every edge carrying d numbers each way in each.
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
    """Return s = rho^tau at most."""
    return DISAGREEMENT / condition


def potential(distance: float, points: float, trackers: float, step: float) -> float:
    """Return the potential V of the proof."""
    return distance + POINTS * points + TRACKERS * step * trackers


def error(steps: int, condition: float, potential_: float) -> float:
    """Return the bound on sqrt(mean norm(x_m - w_S)^2) after `steps` steps."""
    return remaining(SPEED / condition, steps) * potential_


def steps_for(target: float, mu: float, beta: float, start: float, slopes: float) -> int:
    """Steps for an error of at most `target` from 0. start: norm(w_S)^2, slopes: mean norm(grad f_m(0))^2, at most."""
    first = potential(math.sqrt(start), 0.0, math.sqrt(slopes), 1 / beta)
    return rounds_until(target / first, SPEED * mu / beta)


@dataclass(frozen=True)
class GradientTracking(gossip.GossipProtocol):
    """tolerance: delta, the model's by default. steps, mixing: so many steps, with so many rounds of mixing for each of
    the two exchanges, instead of those that are proved to suffice; then nothing is promised."""

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
        """(steps, rounds of mixing in each exchange)."""
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
