"""Gradient tracking: agents keep a point and an estimate of the mean gradient each, and mix both with their neighbours.

No server, and no bias however the agents' data differ (app:gradient_tracking). A step takes tau rounds for the points
and tau for the estimates, every edge carrying d numbers each way in each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.compression import Known
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, PerAgent, Setting
from fedigw.ledger import Traffic
from fedigw.network import GraphKeys
from fedigw.running import SolverError
from fedigw_extensions.gossip import linear as gossip
from fedigw_extensions.gossip.bounds import app_gradient_tracking as theorem
from linear.model import Ridge, check_tolerance
from linear.ridge import RidgeProblem


@dataclass(frozen=True)
class GradientTracking(GraphKeys):
    """tolerance: delta, the model's by default. steps, mixing: so many steps, with so many rounds of mixing for each of
    the two exchanges, instead of those that are proved to suffice; then nothing is promised."""

    tolerance: float | None = None
    steps: int | None = None
    mixing: int | None = None
    name: ClassVar[str] = "gradient_tracking"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tolerance is not None:
            check_tolerance(self.tolerance)
        self.check_positive("steps", "mixing")

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        problem.check_condition(self.name)
        shape, network = (problem.dimension,), self.network(channel.agents)
        steps, mixing = self._schedule(
            problem.known(), gossip.target(problem, self.tolerance), channel.agents
        )
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
        if not np.isfinite(points).all():
            raise SolverError(f"epoch {channel.epoch}, gradient tracking: the iterates overflow")
        return Fitted(PerAgent(points))

    def _schedule(self, known: Known, target: float, agents: int) -> tuple[int, int]:
        """(steps, rounds of mixing in each exchange)."""
        mixing = self.mixing
        if mixing is None:
            allowed = theorem.disagreement_allowed(known.beta / known.mu)
            mixing = self.network(agents).rounds_for(allowed)
        if self.steps is not None:
            return self.steps, mixing
        return theorem.steps_for(math.sqrt(target), known.mu, known.beta, known.start, known.slopes), mixing

    def guarantee(self, setting: Setting) -> Guarantee:
        network = self.network(setting.agents)

        def cost(model: Ridge, delta: float, n: int) -> Traffic:
            known = model.known(n, setting.agents, True)
            steps, mixing = self._schedule(known, delta**2 * model.risk(n), setting.agents)
            return gossip.traffic(network, (2 * steps - 1) * mixing, model.dimension)

        chosen = [key for key in ("steps", "mixing") if vars(self)[key] is not None]
        missing = (f"no excess risk is proved for {' and '.join(chosen)} of one's own",) if chosen else ()
        return gossip.gossip_guarantee(
            setting, "app:gradient_tracking", self.tolerance, cost, missing=missing
        )
