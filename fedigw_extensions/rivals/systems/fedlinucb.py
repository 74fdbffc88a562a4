"""FedLinUCB (He, Wang, Min and Gu 2022, arXiv:2207.03106): LinUCB whose agents each decide when to contact the server.

An agent chooses arms by the data that it downloaded last, with covariance matrix Sigma_m. When its own new data,
with matrix Sigma_loc, raise det(Sigma_m + Sigma_loc) above (1 + alpha) det Sigma_m, only this agent uploads them and
downloads the server's sums. Contexts may be chosen by an adversary.

The paper (M agents, T steps, d dimensions, alpha = 1/M^2): regret O~(d sqrt(MT)), O(d M^2 ln(MT)) uploads, so O(d^3
M^2 ln(MT)) numbers.

Agents act at the times of their clocks, in any order, as in the paper. Agents that act at the same time decide at
once; this changes nothing, because an agent's model changes only by its own upload.

Simplified: nothing else.
"""

# Proved for this program: consider a period in which the server's determinant doubles. Each upload of an agent that has
# downloaded in this period adds alpha times the determinant at its beginning. So the period has at most M first
# uploads, 1/alpha further ones, and one that completes the doubling. There are at most d log2(1 + MT/d) + 1 periods. An
# upload is followed by a download, each of d(d+1)/2 + d numbers.
#
# Checked: the trigger, and that an agent chooses arms by its last download only, against the authors' program
# (uclaml/FedLinUCB on GitHub, M-15/Federated.py, which uses alpha = 1); regret O~(d sqrt(sum_m T_m)) and O~(d M^2)
# communications against the abstract (NeurIPS 2022). From memory of the paper: alpha = 1/M^2 and its beta.

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw_extensions.rivals import optimism


class Alone(optimism.Exchange):
    """An exchange in which a single agent uploads its new data and downloads the server's sums, when its new data
    raise the determinant by a factor above 1 + alpha."""

    def __init__(self, system: Any, game: Game) -> None:
        super().__init__(system, game)
        self.whole = self.start()  # the beliefs, as downloaded, with the new data
        self.limit = math.log1p(system.usual(game.sizes))

    def learn(self, features: np.ndarray, rewards: np.ndarray, acting: np.ndarray) -> None:
        used, whole = self.beliefs, self.whole
        whole.learn(features, rewards)
        for r, m in np.argwhere(whole.log_det > used.log_det + self.limit):
            line, size = self.game.lines[r], self.server.shape[1:]
            line.with_agents([m])
            news = optimism.packed(whole.gram[r, m] - used.gram[r, m], whole.moment[r, m] - used.moment[r, m])
            self.server[r] += line.total("news", news[None], size)
            gram, moment = optimism.unpacked(line.broadcast("sums", self.server[r], size), self.width)
            used.put((r, m), gram, moment)
            whole.put((r, m), gram, moment)


@dataclass(frozen=True)
class FedLinUCB(optimism.Optimist):
    """LinUCB whose agents each decide when to contact the server (FedLinUCB). delta: the failure probability in the
    paper's confidence radius, by default 1 over the steps of all agents. alpha: an agent uploads when its new data
    raise the determinant by a factor above 1 + alpha; by default 1/M^2 for M agents."""

    alpha: float | None = None
    name: ClassVar[str] = "fedlinucb"
    paper: ClassVar[str] = "He et al. 2022"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    clocks: ClassVar[bool] = True
    exchange: ClassVar[type[optimism.Exchange]] = Alone

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alpha is not None and not 0 < self.alpha < math.inf:
            raise InputError("alpha", self.alpha, "must be a positive number")

    def usual(self, sizes: Sizes) -> float:
        return 1 / sizes.agents**2 if self.alpha is None else self.alpha

    def reach(self, beliefs: optimism.Beliefs, sizes: Sizes) -> np.ndarray:
        """Return the paper's confidence radius, the same for all agents, shape (R, M)."""
        alpha, M, d = self.usual(sizes), sizes.agents, sizes.dimension
        spread = math.sqrt(d * math.log((1 + sizes.steps / min(alpha, 1)) / self.failure(sizes)))
        beta = 1 + 0.5 * (math.sqrt(1 + M * alpha) + M * math.sqrt(2 * alpha)) * spread
        return np.full(beliefs.log_det.shape, beta)

    def numbers_at_most(self, sizes: Sizes) -> float:
        doublings = optimism.most_log_det(sizes.dimension, sizes.steps) / math.log(2) + 1
        uploads = min((sizes.agents + 1 / self.usual(sizes) + 1) * doublings, sizes.steps)
        return 2 * optimism.packed_size(sizes.dimension) * uploads
