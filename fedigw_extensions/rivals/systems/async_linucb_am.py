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

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.game import Game, Sizes
from fedigw_extensions.rivals import optimism
from fedigw_extensions.rivals.systems.async_linucb import Apart, numbers_apart


class Profiles(Apart):
    """An exchange in which an agent sends what its data say about the shared coordinates after its own coordinates have
    been eliminated (a Schur complement)."""

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
        """Return ln det of I plus the sum of the matrices that all agents have uploaded in replication r."""
        gram = np.eye(self.g) + optimism.unpacked(self.server[r].sum(axis=0), self.g)[0]
        return float(np.linalg.slogdet(gram)[1])


@dataclass(frozen=True)
class AsyncLinUCBAM(optimism.Optimist):
    """Async-LinUCB for partly shared parameters. delta: the probability that any confidence set ever fails, by default
    1/(MT). The triggers use gamma = exp(M^{-1/2})."""

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
    """Return an agent's message: Gram matrix and moments of the `shared` first coordinates, with its own coordinates
    eliminated (a Schur complement) and the regulariser I subtracted."""
    cross, local = gram[:shared, shared:], gram[shared:, shared:]
    weights = np.linalg.solve(local, cross.T).T if local.size else cross
    top = gram[:shared, :shared] - np.eye(shared)
    return optimism.packed(top - weights @ cross.T, moment[:shared] - weights @ moment[shared:])
