"""Async-LinUCB with alternating minimisation (Li and Wang 2022, AISTATS, arXiv:2110.01463): partly shared parameters.

Rewards phi_g'w + phi_l'v_m: all agents share w, each has its own v_m. An agent alternates between v_m given w and
what its data say of w given v_m; only the latter travels: a covariance matrix and a vector of the d_g shared
coordinates, triggered agent by agent as in Async-LinUCB, by the determinant of the shared block.

The paper: regret O~(d_g sqrt(MT) + d_l M sqrt(T)), numbers O(M^{3/2} d_g^3 ln(MT)). Here, with constants: between two
uploads of an agent the determinant of its shared block grows by gamma, between two downloads that of what it was
sent, so at most d_g ln(1 + MT/d_g)/ln gamma of each for each agent, of d_g(d_g+1)/2 + d_g numbers. The confidence set
is that of ridge in all D = d_g + M d_l coordinates together, whose parameter has a norm of at most sqrt M.

Checked: both triggers, what travels and who may act when, against the authors' program (cyrilli/Async-LinUCB on
GitHub, lib/AsyncLinUCB_AM.py). As this paper's tables and the abstract have them: the orders; gamma = exp(M^{-1/2}) is
Async-LinUCB's.

Simplified: the alternation is run to its limit over all of an agent's data, which has a closed form (the agent's v_m
eliminated: a Schur complement); the authors' program alternates on the newest sample, keeps the split of older ones,
and adds the widths of two separate ellipsoids. What is sent in a step arrives before the next one.
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
    event: ClassVar[str] = "every confidence set held its agent's parameter at all times"
    needs: ClassVar[tuple[str, ...]] = ()
    clocks: ClassVar[bool] = True

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
        base = np.zeros((R, M))  # ln det of the shared block less the data that the server was not told of
        told = np.tile(np.eye(g), (R, M, 1, 1))  # the shared block of an agent's own data at its last upload
        server = np.zeros((R, M, packed_size(g)))  # the latest message of each agent
        sent = np.zeros((R, M))  # ln det of what an agent was last sent, with I
        for features, pull in game.steps():
            acting = game.acting
            held &= mine.holds(truth, reach).all(axis=1)
            arms = mine.optimistic(features, reach)
            rewards = pull(arms)
            phi = chosen(features, arms)
            mine.learn(phi, rewards)
            own.learn(phi, rewards)
            known = np.linalg.slogdet(mine.gram[..., :g, :g])[1]
            due = (known - base > threshold) & acting
            for r in map(int, np.flatnonzero(due.any(axis=1))):
                who, line = np.flatnonzero(due[r]), game.lines[r]
                line.with_agents(who)
                said = np.stack([profile(own.gram[r, m], own.moment[r, m], g) for m in who])
                server[r, who] = line.gather("profile", said, (packed_size(g),))
                base[r, who], told[r, who] = known[r, who], own.gram[r, who, :g, :g]
                self._download(game, r, threshold, server[r], sent[r], mine, own, told[r], base[r])
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
        told: np.ndarray,
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
            untold = own.gram[r, m, :g, :g] - told[m]
            sent[m], base[m] = known, np.linalg.slogdet(gram[:g, :g] - untold)[1]

    def _radius(self, sizes: Sizes) -> float:
        level = (self.delta or 1 / sizes.steps) / sizes.agents
        lifted = sizes.shared + sizes.agents * (sizes.dimension - sizes.shared)
        return math.sqrt(sizes.agents) + 0.5 * math.sqrt(
            most_log_det(lifted, sizes.steps) + 2 * math.log(1 / level)
        )

    def numbers_at_most(self, sizes: Sizes) -> float:
        """An agent uploads only in its own T_m steps, but is sent something whenever anybody acts."""
        each = most_log_det(sizes.shared, sizes.steps) * math.sqrt(sizes.agents)
        messages = min(each, sizes.horizon) + min(each, sizes.moments)
        return sizes.agents * packed_size(sizes.shared) * messages


def profile(gram: np.ndarray, moment: np.ndarray, shared: int) -> np.ndarray:
    """What an agent's data (gram with I) say of the shared coordinates, its own eliminated; without their I."""
    cross, local = gram[:shared, shared:], gram[shared:, shared:]
    weights = np.linalg.solve(local, cross.T).T if local.size else cross
    top = gram[:shared, :shared] - np.eye(shared)
    return packed(top - weights @ cross.T, moment[:shared] - weights @ moment[shared:])
