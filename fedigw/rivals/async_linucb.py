"""Async-LinUCB (Li and Wang 2022, AISTATS, arXiv:2110.01463): uploads and downloads triggered agent by agent.

An agent plays with what it has downloaded and its own data, A_i. It uploads its new data when det A_i > gamma det(A_i
less the new data). The server sends an agent what others have taught it when det A_g > gamma det(A_g less that news).

The paper (gamma = exp(M^{-1/2})): regret O(d sqrt(MT) ln(MT)), O(M^{3/2} d^3 ln(MT)) numbers. Here, with
constants: between two uploads of an agent its determinant grows by the factor gamma, and likewise what it has been
sent between two downloads, so there are at most d ln(1 + MT/d)/ln gamma of each for each agent, of d(d+1)/2 + d
numbers. Nor are there more uploads of an agent than steps of its own, or more downloads than times at which anybody
acts: the server sends only after an upload, once to each agent.

Agents act when their clocks say; only one that acts uploads, and the server may send to anybody.

Checked: both triggers, who is sent what, and the radius (theirs bounds ln det by d ln(1 + n/d)), against the authors'
program (cyrilli/Async-LinUCB on GitHub, lib/AsyncLinUCB.py). From memory of the paper: gamma = exp(M^{-1/2}) and the
orders; their experiments run gamma = 1 to 8.

Simplified: what is sent in a step arrives before the next one; agents that act at the same moment upload together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw.optimism import (
    Beliefs,
    check_delta,
    chosen,
    most_log_det,
    packed,
    packed_size,
    radius,
    unpacked,
)


@dataclass(frozen=True)
class AsyncLinUCB:
    """delta: the chance that some confidence set ever fails; None: 1/(MT). gamma: of both triggers; None: the
    paper's."""

    delta: float | None = None
    gamma: float | None = None
    name: ClassVar[str] = "async_linucb"
    paper: ClassVar[str] = "Li and Wang 2022a"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    event: ClassVar[str] = "every confidence set held the parameter at all times"
    needs: ClassVar[tuple[str, ...]] = ("one parameter",)
    clocks: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.delta is not None:
            check_delta(self.delta)
        if self.gamma is not None and not 1 < self.gamma < math.inf:
            raise InputError("gamma", self.gamma, "must be a number above 1")

    def play(self, game: Game) -> np.ndarray:
        """(R,): whether every confidence set of the replication always held omega*."""
        R, M, d = game.replications, game.agents, game.dimension
        level = (self.delta or 1 / game.sizes.steps) / M
        threshold = self._log_gamma(game.sizes)
        held = np.ones(R, dtype=bool)
        mine = Beliefs.start(R, M, d)
        base = np.zeros((R, M))  # ln det of A_i less the new data
        new = np.zeros((R, M, packed_size(d)))
        server = np.tile(packed(np.eye(d), np.zeros(d)), (R, 1))
        sent = np.tile(server[:, None], (1, M, 1))  # what each agent has of the server's sums
        for features, pull in game.steps():
            acting = game.acting
            reach = radius(mine.log_det, level)
            held &= mine.holds(game.world.truth(0), reach).all(axis=1)
            arms = mine.optimistic(features, reach)
            rewards = pull(arms)
            phi = chosen(features, arms)
            mine.learn(phi, rewards)
            new += packed(phi[..., :, None] * phi[..., None, :], phi * rewards[..., None])
            due = (mine.log_det - base > threshold) & acting
            for r in map(int, np.flatnonzero(due.any(axis=1))):
                who = np.flatnonzero(due[r])
                self._upload(game, r, who, new, server, sent)
                base[r, who] = mine.log_det[r, who]
                self._download(game, r, threshold, mine, new, server, sent, base)
        return held

    def _upload(
        self, game: Game, r: int, who: np.ndarray, new: np.ndarray, server: np.ndarray, sent: np.ndarray
    ) -> None:
        line = game.lines[r]
        line.with_agents(who)
        received = line.gather("news", new[r, who], new.shape[2:])
        server[r] += received.sum(axis=0)
        sent[r, who] += received  # nobody is sent back what it taught
        new[r, who] = 0

    def _download(
        self,
        game: Game,
        r: int,
        threshold: float,
        mine: Beliefs,
        new: np.ndarray,
        server: np.ndarray,
        sent: np.ndarray,
        base: np.ndarray,
    ) -> None:
        line, d = game.lines[r], game.dimension
        known = np.linalg.slogdet(unpacked(sent[r], d)[0])[1]
        for m in np.flatnonzero(np.linalg.slogdet(unpacked(server[r], d)[0])[1] - known > threshold):
            line.with_agents([int(m)])
            line.broadcast("news", server[r] - sent[r, m], server.shape[1:])
            sent[r, m] = server[r]
            gram, moment = unpacked(server[r] + new[r, m], d)
            mine.put((r, m), gram, moment)
            base[r, m] = np.linalg.slogdet(unpacked(server[r], d)[0])[1]

    def _log_gamma(self, sizes: Sizes) -> float:
        return sizes.agents**-0.5 if self.gamma is None else math.log(self.gamma)

    def numbers_at_most(self, sizes: Sizes) -> float:
        """An agent uploads only in its own T_m steps, but is sent something whenever anybody acts."""
        each = most_log_det(sizes.dimension, sizes.steps) / self._log_gamma(sizes)
        messages = min(each, sizes.horizon) + min(each, sizes.moments)
        return sizes.agents * packed_size(sizes.dimension) * messages
