"""Decentralised gradient descent: every round an agent mixes its point with its neighbours' and follows its gradient.

No server, one exchange a round, and a bias of order sqrt(step) (app:decentralised_gradients), so a small tolerance
takes of the order of n^2 rounds. The weights are (I + W)/2. Every edge carries d numbers each way in each round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.compression import Known, Schedule
from bounds.errors import InputError
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, PerAgent, Setting
from fedigw.ledger import Traffic
from fedigw.network import GraphKeys
from fedigw.running import SolverError
from fedigw_extensions.gossip import linear as gossip
from fedigw_extensions.gossip.bounds import app_decentralised_gradients as theorem
from linear.model import Ridge, check_tolerance
from linear.ridge import RidgeProblem


@dataclass(frozen=True)
class DecentralisedGradients(GraphKeys):
    """rounds, step_size: the largest step that is proved if left out; nothing is promised for them. tolerance: delta;
    if given, rounds and step are those that are proved to come within delta^2 C'/n in the mean over the data."""

    rounds: int = 100
    step_size: float | None = None
    tolerance: float | None = None
    name: ClassVar[str] = "decentralised_gradients"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tolerance is not None:
            check_tolerance(self.tolerance)
        self.check_positive("rounds")
        if self.step_size is not None and not 0 < self.step_size < math.inf:
            raise InputError("step_size", self.step_size, "must be a positive number")

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        problem.check_condition(self.name)
        shape, network = (problem.dimension,), self.network(channel.agents).lazy
        plan = self._schedule(problem.known(), gossip.target(problem, self.tolerance), channel.agents)
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
        if not np.isfinite(points).all():
            raise SolverError(f"epoch {channel.epoch}, decentralised gradients: the iterates overflow")
        return Fitted(PerAgent(points))

    def _schedule(self, known: Known, target: float, agents: int) -> Schedule:
        second = self.network(agents).lazy.second
        if self.tolerance is not None:
            return theorem.schedule(known, second, target)
        step = theorem.largest_step(known.beta, second) if self.step_size is None else self.step_size
        return Schedule(step, self.rounds)

    def guarantee(self, setting: Setting) -> Guarantee:
        network = self.network(setting.agents)

        def cost(model: Ridge, delta: float, n: int) -> Traffic:
            plan = self._schedule(
                model.known(n, setting.agents, True), delta**2 * model.risk(n), setting.agents
            )
            return gossip.traffic(network, plan.rounds, model.dimension)

        fixed = f"{self.rounds} rounds of decentralised gradients have no proved excess risk"
        missing = () if self.tolerance is not None else (fixed,)
        return gossip.gossip_guarantee(
            setting, "app:decentralised_gradients", self.tolerance, cost, surely=False, missing=missing
        )
