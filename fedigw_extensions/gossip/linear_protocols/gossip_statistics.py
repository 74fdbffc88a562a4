"""Gossip of statistics: agents average Gram matrices and moments with their neighbours, then everyone solves at home.

No server. After tau rounds every agent holds the mean of all statistics up to rho^tau of the disagreement
(app:gossip_statistics). Per round every edge carries d(d+1)/2 + d numbers each way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, PerAgent, Setting
from fedigw.ledger import Traffic
from fedigw.network import GraphKeys
from fedigw_extensions.gossip import linear as gossip
from fedigw_extensions.gossip.bounds import app_gossip_statistics as theorem
from linear.model import Ridge, check_tolerance
from linear.ridge import RidgeProblem, solve_positive, unpacked


@dataclass(frozen=True)
class GossipStatistics(GraphKeys):
    """tolerance: delta, the model's by default. rounds: so many instead, and nothing is promised."""

    tolerance: float | None = None
    rounds: int | None = None
    name: ClassVar[str] = "gossip_statistics"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tolerance is not None:
            check_tolerance(self.tolerance)
        self.check_positive("rounds")

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        d, agents = problem.dimension, channel.agents
        network, messages = self.network(agents), problem.statistics(range(agents))
        rounds = self._rounds(gossip.target(problem, self.tolerance), agents, problem.effective_samples)
        channel.observe(np.zeros(d))
        totals = agents * channel.exchange("gram and moment", messages, messages[0].shape, network, rounds)
        found = []
        for m in range(agents):
            gram, moment = unpacked(totals[m], d)
            where = f"agent {m}, epoch {channel.epoch}, gossip of statistics"
            found.append(solve_positive(gram + problem.shrinkage * np.eye(d), moment, where))
        return Fitted(PerAgent(found))

    def _rounds(self, target: float, agents: int, n: float) -> int:
        if self.tolerance is None and self.rounds is not None:
            return self.rounds
        allowed = theorem.disagreement_allowed(math.sqrt(target), agents, n)
        return self.network(agents).rounds_for(allowed)

    def guarantee(self, setting: Setting) -> Guarantee:
        network = self.network(setting.agents)

        def cost(model: Ridge, delta: float, n: int) -> Traffic:
            d = model.dimension
            rounds = self._rounds(delta**2 * model.risk(n), setting.agents, n / model.regularisation)
            return gossip.traffic(network, rounds, d * (d + 1) // 2 + d)

        fixed = f"{self.rounds} rounds of gossip have no proved excess risk"
        missing = () if self.tolerance is not None or self.rounds is None else (fixed,)
        return gossip.gossip_guarantee(
            setting, "app:gossip_statistics", self.tolerance, cost, missing=missing
        )
