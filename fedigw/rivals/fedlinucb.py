"""FedLinUCB (He, Wang, Min and Gu 2022, arXiv:2207.03106): LinUCB whose agents each decide when to talk to the server.

An agent plays with what it last downloaded. When its own new data raise det(Sigma_m + Sigma_loc) above
(1 + alpha) det Sigma_m, it alone uploads them and downloads the server's sums. Contexts may be chosen by an adversary.

The paper (alpha = 1/M^2): regret O~(d sqrt(MT)), O(d M^2 ln(MT)) uploads, so O(d^3 M^2 ln(MT)) numbers.
Here, with constants: while the server's determinant doubles, an agent that has downloaded since the doubling began
adds alpha times the determinant of that time with each upload; so there are at most M first uploads, 1/alpha further
ones and the one that completes the doubling, and at most d log2(1 + MT/d) + 1 doublings. An upload is followed by a
download, each of d(d+1)/2 + d numbers.

Agents act when their clocks say, in any order, as in the paper, and those of one moment in turn. As an agent's model
changes only by its own upload, deciding for all of them at once is the same.

Checked: the trigger and that an agent plays with its last download alone, against the authors' program
(uclaml/FedLinUCB on GitHub, M-15/Federated.py, which runs alpha = 1); regret O~(d sqrt(sum_m T_m)) and O~(d M^2)
communications against the abstract (NeurIPS 2022). From memory of the paper: alpha = 1/M^2 and its beta.

Simplified: nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw.optimism import Beliefs, check_delta, chosen, most_log_det, packed, packed_size, unpacked


@dataclass(frozen=True)
class FedLinUCB:
    """delta: as in the paper; None: 1/(MT). alpha: how much new data makes an agent talk; None: 1/M^2."""

    delta: float | None = None
    alpha: float | None = None
    name: ClassVar[str] = "fedlinucb"
    paper: ClassVar[str] = "He et al. 2022"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    event: ClassVar[str] = "every confidence set held the parameter at all times"
    needs: ClassVar[tuple[str, ...]] = ("one parameter",)
    clocks: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.delta is not None:
            check_delta(self.delta)
        if self.alpha is not None and not 0 < self.alpha < math.inf:
            raise InputError("alpha", self.alpha, "must be a positive number")

    def play(self, game: Game) -> np.ndarray:
        """(R,): whether every confidence set of the replication always held omega*."""
        R, M, d = game.replications, game.agents, game.dimension
        alpha, reach = self._alpha(game.sizes), np.full((R, M), self._radius(game.sizes))
        held = np.ones(R, dtype=bool)
        used, whole = Beliefs.start(R, M, d), Beliefs.start(R, M, d)  # as downloaded; with the new data
        server_gram, server_moment = np.tile(np.eye(d), (R, 1, 1)), np.zeros((R, d))
        for features, pull in game.steps():
            held &= used.holds(game.world.truth(0), reach).all(axis=1)
            arms = used.optimistic(features, reach)
            rewards = pull(arms)
            whole.learn(chosen(features, arms), rewards)
            for r, m in np.argwhere(whole.log_det > used.log_det + math.log1p(alpha)):
                line, size = game.lines[r], packed_size(d)
                line.with_agents([m])
                news = packed(whole.gram[r, m] - used.gram[r, m], whole.moment[r, m] - used.moment[r, m])
                gram, moment = unpacked(line.total("news", news[None], (size,)), d)
                server_gram[r] += gram
                server_moment[r] += moment
                sums = line.broadcast("sums", packed(server_gram[r], server_moment[r]), (size,))
                gram, moment = unpacked(sums, d)
                used.put((r, m), gram, moment)
                whole.put((r, m), gram, moment)
        return held

    def _alpha(self, sizes: Sizes) -> float:
        return 1 / sizes.agents**2 if self.alpha is None else self.alpha

    def _radius(self, sizes: Sizes) -> float:
        """The paper's beta with noise 1/2, lambda = 1, norm(omega*) <= 1."""
        alpha, M, d = self._alpha(sizes), sizes.agents, sizes.dimension
        delta = self.delta or 1 / sizes.steps
        spread = math.sqrt(d * math.log((1 + sizes.steps / min(alpha, 1)) / delta))
        return 1 + 0.5 * (math.sqrt(1 + M * alpha) + M * math.sqrt(2 * alpha)) * spread

    def numbers_at_most(self, sizes: Sizes) -> float:
        doublings = most_log_det(sizes.dimension, sizes.steps) / math.log(2) + 1
        uploads = min((sizes.agents + 1 / self._alpha(sizes) + 1) * doublings, sizes.steps)
        return 2 * packed_size(sizes.dimension) * uploads
