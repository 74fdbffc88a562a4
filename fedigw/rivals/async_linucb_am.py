"""Async-LinUCB with alternating minimisation (Li and Wang 2022, AISTATS, arXiv:2110.01463): partly shared parameters.

Rewards phi_g'w + phi_l'v_m: all agents share w, each has its own v_m. An agent alternates between v_m given w and
what its data say of w given v_m; only the latter travels: a covariance matrix and a vector of the d_g shared
coordinates, triggered agent by agent as in Async-LinUCB.

The paper: regret O~(d_g sqrt(MT) + d_l M sqrt(T)), numbers O(M^{3/2} d_g^3 ln(MT)). Here, with constants: between two
uploads of an agent the determinant of all it knows (d = d_g + d_l coordinates) grows by gamma, between two downloads
that of what it was sent, so at most d ln(1 + MT/d)/ln gamma uploads and d_g ln(1 + MT/d_g)/ln gamma downloads for
each agent, of d_g(d_g+1)/2 + d_g numbers. The confidence set is that of ridge in all D = d_g + M d_l coordinates
together, whose parameter has a norm of at most sqrt M.

Simplified: the alternation is run to its limit, which has a closed form (the agent's v_m eliminated: a Schur
complement). Agents act in step; what is sent in a step arrives before the next one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.game import Game, Sizes
from fedigw.optimism import Beliefs, check_delta, chosen, most_log_det, packed, packed_size, unpacked


@dataclass(frozen=True)
class AsyncLinUCBAM:
    """delta: the chance that some confidence set ever fails; None: 1/(MT). Triggers: gamma = exp(M^{-1/2})."""

    delta: float | None = None
    name: ClassVar[str] = "async_linucb_am"
    paper: ClassVar[str] = "Li and Wang 2022a, partly shared"
    regret_order: ClassVar[str] = "d_g sqrt(MT) + d_l M sqrt(T)"
    needs: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if self.delta is not None:
            check_delta(self.delta)

    def play(self, game: Game) -> np.ndarray:
        """(R,): whether every confidence set of the replication always held the agents' parameters."""
        R, M, d, g = game.replications, game.agents, game.dimension, game.sizes.shared
        reach, threshold = np.full((R, M), self._radius(game.sizes)), M**-0.5
        truth = np.stack([game.world.truth(m) for m in range(M)])
        held = np.ones(R, dtype=bool)
        mine, own = Beliefs.start(R, M, d), Beliefs.start(R, M, d)  # all that an agent knows; its own data
        base = np.zeros((R, M))
        server = np.zeros((R, M, packed_size(g)))  # the latest message of each agent
        sent = np.zeros((R, M))  # ln det of what an agent was last sent, with I
        for features, pull in game.steps():
            held &= mine.holds(truth, reach).all(axis=1)
            arms = mine.optimistic(features, reach)
            rewards = pull(arms)
            phi = chosen(features, arms)
            mine.learn(phi, rewards)
            own.learn(phi, rewards)
            for r in map(int, np.flatnonzero((mine.log_det - base > threshold).any(axis=1))):
                who = np.flatnonzero(mine.log_det[r] - base[r] > threshold)
                line = game.lines[r]
                line.with_agents(who)
                said = np.stack([profile(own.gram[r, m], own.moment[r, m], g) for m in who])
                server[r, who] = line.gather("profile", said, (packed_size(g),))
                base[r, who] = mine.log_det[r, who]
                self._download(game, r, threshold, server[r], sent[r], mine, own, base[r])
        return held

    def _download(
        self,
        game: Game,
        r: int,
        threshold: float,
        server: np.ndarray,
        sent: np.ndarray,
        mine: Beliefs,
        own: Beliefs,
        base: np.ndarray,
    ) -> None:
        g, line = game.sizes.shared, game.lines[r]
        known = np.linalg.slogdet(np.eye(g) + unpacked(server.sum(axis=0), g)[0])[1]
        for m in map(int, np.flatnonzero(known - sent > threshold)):
            line.with_agents([m])
            news = line.broadcast("others", server.sum(axis=0) - server[m], server.shape[1:])
            gram, moment = own.gram[r, m].copy(), own.moment[r, m].copy()
            others = unpacked(news, g)
            gram[:g, :g] += others[0]
            moment[:g] += others[1]
            mine.put((r, m), gram, moment)
            sent[m], base[m] = known, max(base[m], mine.log_det[r, m])

    def _radius(self, sizes: Sizes) -> float:
        level = (self.delta or 1 / sizes.steps) / sizes.agents
        lifted = sizes.shared + sizes.agents * (sizes.dimension - sizes.shared)
        return math.sqrt(sizes.agents) + 0.5 * math.sqrt(
            most_log_det(lifted, sizes.steps) + 2 * math.log(1 / level)
        )

    def numbers_at_most(self, sizes: Sizes) -> float:
        growth = most_log_det(sizes.dimension, sizes.steps) + most_log_det(sizes.shared, sizes.steps)
        messages = min(growth * math.sqrt(sizes.agents), 2 * sizes.horizon)
        return sizes.agents * packed_size(sizes.shared) * messages


def profile(gram: np.ndarray, moment: np.ndarray, shared: int) -> np.ndarray:
    """What an agent's data (gram with I) say of the shared coordinates, its own eliminated; without their I."""
    cross, local = gram[:shared, shared:], gram[shared:, shared:]
    weights = np.linalg.solve(local, cross.T).T if local.size else cross
    top = gram[:shared, :shared] - np.eye(shared)
    return packed(top - weights @ cross.T, moment[:shared] - weights @ moment[shared:])
