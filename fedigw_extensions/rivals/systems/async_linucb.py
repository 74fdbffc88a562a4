"""Async-LinUCB (Li and Wang 2022, AISTATS, arXiv:2110.01463): uploads and downloads triggered agent by agent.

An agent chooses arms by its own data and those it has downloaded; A_i is their Gram matrix. It uploads its new data
when they have increased det A_i by more than a factor gamma. The server sends an agent the data of others when these
would increase the determinant of the data that the agent has sent or received by more than a factor gamma.

The paper (M agents, T steps, d dimensions, gamma = exp(M^{-1/2})): regret O(d sqrt(MT) ln(MT)), O(M^{3/2} d^3
ln(MT)) numbers.

Agents act at the times of their clocks. Only an agent that acts uploads; the server may send to any agent.

Simplified: what is sent in a step arrives before the next one; agents that act at the same time upload together.
"""

# Proved for this program: between two uploads of an agent its determinant grows by the factor gamma, and so does,
# between two downloads, that of what it was sent. So each agent has at most d ln(1 + MT/d)/ln gamma uploads and as many
# downloads, each of d(d+1)/2 + d numbers. An agent also has at most one upload per step of its own, and at most one
# download per time at which any agent acts.
#
# Checked: both triggers, who is sent what, and the radius (theirs bounds ln det by d ln(1 + n/d)), against the authors'
# program (cyrilli/Async-LinUCB on GitHub, lib/AsyncLinUCB.py). From memory of the paper: gamma = exp(M^{-1/2}) and the
# orders; their experiments use gamma = 1 to 8.

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw_extensions.rivals import optimism


class Apart(optimism.Exchange):
    """An exchange in which each agent uploads its new data when they raise the determinant of its Gram matrix by the
    factor gamma, and the server sends an agent the data of others by the same rule.

    base (R, M): ln det of an agent's statistics without the data that it has not uploaded.
    """

    def __init__(self, system: Any, game: Game) -> None:
        super().__init__(system, game)
        self.threshold, self.base = system.log_gamma(game.sizes), np.zeros(self.shape)
        self.new = np.zeros((*self.shape, optimism.packed_size(self.width)))
        self.sent = np.tile(
            self.server[:, None], (1, game.agents, 1)
        )  # what each agent has of the server's sums

    def learn(self, features: np.ndarray, rewards: np.ndarray, acting: np.ndarray) -> None:
        self.beliefs.learn(features, rewards)
        self.note(features, rewards)
        known = self.known()
        due = (known - self.base > self.threshold) & acting
        for r in map(int, np.flatnonzero(due.any(axis=1))):
            who = np.flatnonzero(due[r])
            self.game.lines[r].with_agents(who)
            self.upload(r, who)
            self.base[r, who] = known[r, who]
            for m in map(int, np.flatnonzero(self.news(r) > self.threshold)):
                self.game.lines[r].with_agents([m])
                self.download(r, m)

    def note(self, features: np.ndarray, rewards: np.ndarray) -> None:
        self.new += optimism.samples(features, rewards)

    def known(self) -> np.ndarray:
        return self.beliefs.log_det

    def upload(self, r: int, who: np.ndarray) -> None:
        received = self.game.lines[r].gather("news", self.new[r, who], self.new.shape[2:])
        self.server[r] += received.sum(axis=0)
        self.sent[r, who] += received  # nobody is sent back what it taught
        self.new[r, who] = 0

    def news(self, r: int) -> np.ndarray:
        """Return ln det of the server's Gram matrix minus ln det of that of the data which each agent has sent or
        received, in replication r; shape (M,)."""
        return np.asarray(self._log_det(self.server[r]) - self._log_det(self.sent[r]))

    def download(self, r: int, m: int) -> None:
        self.game.lines[r].broadcast("news", self.server[r] - self.sent[r, m], self.server.shape[1:])
        self.sent[r, m] = self.server[r]
        self.beliefs.put((r, m), *optimism.unpacked(self.server[r] + self.new[r, m], self.width))
        self.base[r, m] = self._log_det(self.server[r])

    def _log_det(self, message: np.ndarray) -> np.ndarray:
        return np.linalg.slogdet(optimism.unpacked(message, self.width)[0])[1]


@dataclass(frozen=True)
class AsyncLinUCB(optimism.Optimist):
    """LinUCB whose agents exchange data with the server one by one (Async-LinUCB). delta: the probability that any
    confidence set ever fails, by default 1 over the steps of all agents. gamma: the factor by which a determinant
    must grow before an upload or a download, by default exp(1/sqrt(M)) for M agents, as in the paper."""

    gamma: float | None = None
    name: ClassVar[str] = "async_linucb"
    paper: ClassVar[str] = "Li and Wang 2022a"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    clocks: ClassVar[bool] = True
    exchange: ClassVar[type[optimism.Exchange]] = Apart

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gamma is not None and not 1 < self.gamma < math.inf:
            raise InputError("gamma", self.gamma, "must be a number above 1")

    def log_gamma(self, sizes: Sizes) -> float:
        return sizes.agents**-0.5 if self.gamma is None else math.log(self.gamma)

    def numbers_at_most(self, sizes: Sizes) -> float:
        return numbers_apart(sizes.dimension, sizes, self.log_gamma(sizes))


def numbers_apart(width: int, sizes: Sizes, log_gamma: float) -> float:
    """Return an upper bound on the numbers sent in a run. width: the dimension of the matrices that are sent.
    log_gamma: ln of the factor by which a determinant must grow before a message."""
    each = optimism.most_log_det(width, sizes.steps) / log_gamma
    messages = min(each, sizes.horizon) + min(each, sizes.moments)
    return sizes.agents * optimism.packed_size(width) * messages
