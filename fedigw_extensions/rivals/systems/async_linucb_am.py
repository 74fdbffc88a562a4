"""Async-LinUCB with alternating minimisation (Li and Wang 2022, AISTATS, arXiv:2110.01463): partly shared parameters.

Rewards have the mean phi_g'w + phi_l'v_m: all agents share w, and each agent m has its own v_m. An agent estimates v_m
given w and w given v_m in turn. It sends only what its data say about w: a covariance matrix and a vector of the d_g
shared coordinates. Messages are triggered agent by agent as in Async-LinUCB, by the determinant of the shared block.

The paper (M agents, T steps, d_g shared and d_l own coordinates): regret O~(d_g sqrt(MT) + d_l M sqrt(T)), numbers
O(M^{3/2} d_g^3 ln(MT)).

Simplified: the alternation is carried to its limit over all of an agent's data, which has a closed form (the agent's
v_m is eliminated: a Schur complement). The authors' program alternates on the newest sample only, and adds the
widths of two separate ellipsoids. What is sent in a step arrives before the next one.
"""

# Proved for this program: between two uploads of an agent the determinant of its shared block grows by the factor
# gamma, and so does, between two downloads, that of what it was sent. So each agent has at most d_g ln(1 + MT/d_g)/ln
# gamma uploads and as many downloads, each of d_g(d_g+1)/2 + d_g numbers. The confidence set is that of ridge
# regression in all D = d_g + M d_l coordinates together, whose parameter has a norm of at most sqrt M.
#
# Checked: both triggers, what is sent and who may act when, against the authors' program (cyrilli/Async-LinUCB on
# GitHub, lib/AsyncLinUCB_AM.py). The orders are as in this paper's tables and the abstract; gamma = exp(M^{-1/2}) is
# that of Async-LinUCB.

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.game import Game, Sizes
from fedigw_extensions.rivals import optimism
from fedigw_extensions.rivals.systems.async_linucb import Apart, numbers_apart


class Profiles(Apart):
    """An exchange in which an agent sends what its data say about the shared coordinates only. Its own coordinates
    are eliminated first, by a Schur complement."""

    def __init__(self, system: Any, game: Game) -> None:
        super().__init__(system, game)
        self.g = g = game.sizes.shared
        self.own = self.start()  # an agent's own data
        self.told = np.tile(np.eye(g), (*self.shape, 1, 1))  # the shared block of these at its last upload
        self.server = np.zeros((*self.shape, optimism.packed_size(g)))  # the latest message of each agent
        self.sent = np.zeros(self.shape)  # ln det of what an agent was last sent, with I

    def note(self, features: np.ndarray, rewards: np.ndarray) -> None:
        self.own.learn(features, rewards)

    def known(self) -> np.ndarray:
        return np.asarray(np.linalg.slogdet(self.beliefs.gram[..., : self.g, : self.g])[1])

    def upload(self, r: int, who: np.ndarray) -> None:
        said = np.stack([profile(self.own.gram[r, m], self.own.moment[r, m], self.g) for m in who])
        self.server[r, who] = self.game.lines[r].gather("profile", said, self.server.shape[2:])
        self.told[r, who] = self.own.gram[r, who, : self.g, : self.g]

    def news(self, r: int) -> np.ndarray:
        return np.asarray(self._together(r) - self.sent[r])

    def download(self, r: int, m: int) -> None:
        g, server = self.g, self.server[r]
        others = self.game.lines[r].broadcast("others", server.sum(axis=0) - server[m], server.shape[1:])
        gram, moment = self.own.gram[r, m].copy(), self.own.moment[r, m].copy()
        untold = gram[:g, :g] - self.told[r, m]
        more = optimism.unpacked(others, g)
        gram[:g, :g] += more[0]
        moment[:g] += more[1]
        self.beliefs.put((r, m), gram, moment)
        self.sent[r, m], self.base[r, m] = self._together(r), np.linalg.slogdet(gram[:g, :g] - untold)[1]

    def _together(self, r: int) -> float:
        gram = np.eye(self.g) + optimism.unpacked(self.server[r].sum(axis=0), self.g)[0]
        return float(np.linalg.slogdet(gram)[1])


@dataclass(frozen=True)
class AsyncLinUCBAM(optimism.Optimist):
    """Async-LinUCB for partly shared parameters. delta: the probability that any confidence set ever fails, by default
    1 over the steps of all agents. With M agents, messages are sent when a determinant has grown by the factor
    exp(1/sqrt(M))."""

    name: ClassVar[str] = "async_linucb_am"
    paper: ClassVar[str] = "Li and Wang 2022a, partly shared"
    regret_order: ClassVar[str] = "d_g sqrt(MT) + d_l M sqrt(T)"
    event: ClassVar[str] = "every confidence set held its agent's parameter at all times"
    needs: ClassVar[tuple[str, ...]] = ()
    clocks: ClassVar[bool] = True
    exchange: ClassVar[type[optimism.Exchange]] = Profiles

    def log_gamma(self, sizes: Sizes) -> float:
        return float(sizes.agents**-0.5)

    def reach(self, beliefs: optimism.Beliefs, sizes: Sizes) -> np.ndarray:
        lifted = sizes.shared + sizes.agents * (sizes.dimension - sizes.shared)
        inner = optimism.most_log_det(lifted, sizes.steps) + 2 * math.log(1 / self.level(sizes))
        return np.full(beliefs.log_det.shape, math.sqrt(sizes.agents) + 0.5 * math.sqrt(inner))

    def numbers_at_most(self, sizes: Sizes) -> float:
        return numbers_apart(sizes.shared, sizes, self.log_gamma(sizes))


def profile(gram: np.ndarray, moment: np.ndarray, shared: int) -> np.ndarray:
    """Return an agent's message about its first `shared` coordinates: its `gram` (d, d) and its sum of reward x feature
    (d,), after the other coordinates are eliminated (Schur complement) and the regulariser I is subtracted."""
    cross, local = gram[:shared, shared:], gram[shared:, shared:]
    weights = np.linalg.solve(local, cross.T).T if local.size else cross
    top = gram[:shared, :shared] - np.eye(shared)
    return optimism.packed(top - weights @ cross.T, moment[:shared] - weights @ moment[shared:])
