"""Gossip of statistics: agents average their Gram matrices and moments with their neighbours, then each solves its own
ridge regression.

There is no server. After tau rounds every agent has the mean of all statistics, up to rho^tau times the initial
disagreement, where rho is the second largest absolute eigenvalue of the mixing matrix (app:gossip_statistics). In each
round every edge carries d(d+1)/2 + d numbers each way in d dimensions.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, PerAgent
from fedigw_extensions.gossip import linear as gossip
from linear.model import Ridge
from linear.ridge import RidgeProblem, solve_positive, unpacked


def error(rho: float, rounds: int, agents: int, n: float, norm: float | None = None) -> float:
    """Return the bound on the distance between an agent's estimate and the one from all data, after `rounds` rounds of
    gossip. rho: the second largest absolute eigenvalue of the mixing matrix. n: the number of samples, divided by the
    regulariser. norm: the norm of the estimate from all data; by default its upper bound sqrt(n)/2."""
    length = math.sqrt(n) / 2 if norm is None else norm
    return math.sqrt(agents - 1) * rho**rounds * n * (1 + length)


def disagreement_allowed(target: float, agents: int, n: float) -> float:
    """Return the fraction of the agents' initial disagreement about the sums of data that may be left if every estimate
    must be within `target` of the one from all data. n: the number of samples, divided by the regulariser."""
    if agents == 1:
        return 1.0
    return target / (math.sqrt(agents - 1) * n * (1 + math.sqrt(n) / 2))


@dataclass(frozen=True)
class GossipStatistics(gossip.GossipProtocol):
    """Ridge regression without a server, by gossip of Gram matrices and sums of reward x feature.

    * tolerance: delta, by default the reward model's; the rounds are those proved to reach a mean squared distance of
      delta^2 (d/4 + 9/4)/n from the estimate from all n samples in d dimensions
    * rounds: a fixed number of rounds instead, without a guarantee
    """

    rounds: int | None = None
    name: ClassVar[str] = "gossip_statistics"
    claim: ClassVar[str] = "app:gossip_statistics"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments")

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        d, agents = problem.dimension, channel.agents
        network, messages = self.network(agents), problem.statistics(range(agents))
        rounds = self._rounds(self.target(problem), agents, problem.effective_samples)
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
        allowed = disagreement_allowed(math.sqrt(target), agents, n)
        return self.network(agents).rounds_for(allowed)

    def sends(self, model: Ridge, target: float, n: int, agents: int) -> tuple[int, int]:
        d = model.dimension
        return self._rounds(target, agents, n / model.regularisation), d * (d + 1) // 2 + d

    def unproved(self) -> str:
        fixed = f"{self.rounds} rounds of gossip have no proved excess risk"
        return "" if self.tolerance is not None or self.rounds is None else fixed
