"""DELB (Wang, Hu, Chen and Wang 2019, section 4, arXiv:1904.06309): elimination on one fixed set of arms in R^d.

In phase l the arms of an optimal design are pulled until every arm's mean is known to within 2^-l. The pulls are
divided among the M agents; each sends the sums of the rewards of its arms, and the server sends back the estimate (d
numbers). All agents then drop the arms that are worse than the best by more than 2 times 2^-l.

The paper proves regret O~(d sqrt(MT)) after T steps, and O((dM + d ln ln d) ln T) numbers sent.

Simplified: there are K listed arms. The design is computed by the multiplicative rule and may use any number of
arms, where the paper has a core set of O(d ln ln d). Which arms an agent must pull is not counted as a message,
because each agent can compute it.
"""

# Proved for this program: rewards in [0,1] are 1/2-sub-Gaussian. Let g be the largest leverage phi'V^{-1}phi of an arm
# under the design's mean Gram matrix V. Then g ln(2KP/delta)/(2 4^-l) pulls in phase l are enough for all K arms in all
# P phases with probability 1 - delta, and the best arm is never dropped. A phase has at least 4^l/2 pulls, so at most P
# = log4(2MT) + 1 phases end before the horizon; each sends at most min(K, MT) + M - 1 sums and M d numbers.
#
# Checked: the phases of error 2^-l, what is dropped, that sums are sent up and the estimate down, against the program
# of a later comparison (DELB, Fed-PE, DisBE-LUCB and PLS in a repository `distributed_bandits` on GitHub); the numbers
# O((dM + d ln ln d) ln T) against the abstract of the first version on arXiv. There a phase has C 4^l d^2 ln(MT) pulls,
# because there may be infinitely many arms; here d ln K takes the place of d^2.

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.designs import information, leverage, optimal_design
from fedigw.game import Confident, Game, Sizes, best_stay


@dataclass(frozen=True)
class DELB(Confident):
    """Phased elimination of one fixed set of arms, by optimal designs (DELB). delta: the probability that the best
    arm is ever dropped, by default 1 over the steps of all agents."""

    name: ClassVar[str] = "delb"
    paper: ClassVar[str] = "Wang et al. 2019"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    event: ClassVar[str] = "the best arm was never dropped"
    needs: ClassVar[tuple[str, ...]] = ("one parameter", "fixed contexts", "same arms")
    alone: ClassVar[bool] = True

    def play(self, game: Game) -> np.ndarray:
        M, arms = game.agents, game.world.agents[0].features[0]
        active = np.ones(len(arms), dtype=bool)
        level = math.log(2 * len(arms) * phases(game.sizes) * (1 / self.failure(game.sizes)))
        phase = 0
        while game.left:
            phase += 1
            if active.sum() == 1:
                game.runs(np.tile(active * game.left, (M, 1)))
                break
            counts = self.counts(arms, active, level * 4**phase / 2)
            pulls = shared_out(counts, M)
            sums = game.runs(pulls)
            if not game.left:
                break
            scores = np.where(active, self.scores(game.lines[0], arms, counts, pulls, sums), -np.inf)
            active &= scores >= scores.max() - 2 * 2.0**-phase
        return best_stay(active, arms @ game.world.truth(0))

    def counts(self, arms: np.ndarray, active: np.ndarray, needed: float) -> np.ndarray:
        """Return how often each arm is pulled, shape (K,), so that the least-squares estimate of every arm's mean is
        at least as precise as an average of `needed` pulls of that arm."""
        shares = optimal_design(arms[None], active[None], np.ones(1))[0]
        largest = leverage(arms[active], information(arms, shares)).max()
        return np.asarray(np.ceil(shares * largest * needed).astype(np.int64))

    def scores(
        self, line: Any, arms: np.ndarray, counts: np.ndarray, pulls: np.ndarray, sums: np.ndarray
    ) -> np.ndarray:
        """Return least-squares estimates of the arms' means, shape (K,). counts (K,), pulls (M, K): how often each arm
        is pulled, in all and by each agent. sums (M, K): sums of rewards; agents send those of the arms they pulled."""
        own = [np.flatnonzero(row) for row in pulls]
        received = line.collect("sums of rewards", [row[mine] for row, mine in zip(sums, own, strict=True)])
        total = np.zeros(len(arms))
        for mine, values in zip(own, received, strict=True):
            np.add.at(total, mine, values)
        estimate = np.linalg.pinv(information(arms, counts), hermitian=True) @ (total @ arms)
        return np.asarray(arms @ line.broadcast("estimate", estimate, estimate.shape))

    def numbers_at_most(self, sizes: Sizes) -> float:
        each = sizes.arms + sizes.agents - 1 + sizes.agents * sizes.dimension
        return phases(sizes) * each


def phases(sizes: Sizes) -> int:
    """Return the most elimination phases that can end before the horizon; the l-th has at least 4^l/2 pulls."""
    return math.floor(math.log(2 * sizes.steps, 4)) + 1


def shared_out(counts: np.ndarray, agents: int) -> np.ndarray:
    """Return how often each of M agents pulls each arm, shape (M, K). All pulls are ordered by arm and cut into M
    stretches of equal length, of which the last may be shorter."""
    ends = counts.cumsum()
    length = -(-int(ends[-1]) // agents)
    starts = length * np.arange(agents)[:, None]
    return np.asarray(np.clip(np.minimum(ends, starts + length) - np.maximum(ends - counts, starts), 0, None))
