"""DisBE-LUCB (Amani, Lattimore, Gyorgy and Yang 2022, arXiv:2205.13170): batched elimination of arms, with a known
law of contexts.

M agents play T steps in d dimensions. The first two batches have 2 sqrt(dT/M) steps of each agent, and a batch after
one of E steps has 2 sqrt(T E), until the horizon. So all batches have the same worst-case regret, of the order of a
batch's length divided by the square root of the length of the one before. In each context a batch plays a design
over the arms that no earlier batch has excluded. The law of contexts is known, and so is the expected covariance
matrix. So only reward vectors are sent: d numbers up and, with the estimate, d down, for each agent and batch.

The paper: regret O~(sqrt(dMT)), O(dM ln ln(MT)) numbers.

Simplified: the design maximises ln det of the expected covariance matrix over the surviving arms (the paper mixes a
design per context with one from a core set), there is no ridge regulariser, and rewards are centred at 1/2.
"""

# Proved for this program: the estimate of a batch is Lambda^+ (mean of phi (r - 1/2) + E phi/2) with Lambda = E phi
# phi'. By Bernstein's inequality its prediction is within w/2 sqrt(2L) + w w_max L/3 of the mean phi'omega*, where w =
# norm(phi) in (n Lambda)^+, w_max is the largest such norm of a pulled arm and L = ln(2 |X| K B/delta), for all |X|
# contexts, K arms and B batches with probability 1 - delta; n is the number of samples of the batch. Then no best arm
# is dropped. There are B = O(ln ln(MT/d)) batches, with 2dM numbers in each but the last.
#
# Checked: the regret O~(sqrt(dMT)) and the communication O~(dM) with a known law against the abstract (arXiv), and the
# batch lengths, the elimination by confidence bounds and what is sent against the program of a later comparison (DELB,
# Fed-PE, DisBE-LUCB and PLS in a repository `distributed_bandits` on GitHub), whose factor (MT/d)^{1/log2(MT/d)} is the
# 2 here.

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.designs import information, leverage, optimal_design
from fedigw.game import Confident, Game, Sizes, best_stay, left_after


@dataclass(frozen=True)
class DisBELUCB(Confident):
    """Batched elimination of arms, with a known law of contexts (DisBE-LUCB). delta: the probability that the best
    arm of some context is ever dropped, by default 1 over the steps of all agents."""

    name: ClassVar[str] = "disbe_lucb"
    paper: ClassVar[str] = "Amani et al. 2022"
    regret_order: ClassVar[str] = "sqrt(dMT)"
    event: ClassVar[str] = "no context's best arm was ever dropped"
    needs: ClassVar[tuple[str, ...]] = ("one parameter", "known law")
    alone: ClassVar[bool] = True

    def play(self, game: Game) -> np.ndarray:
        features, law = game.world.agents[0].features, game.world.agents[0].law
        means = features @ game.world.truth(0)
        gap = means.max(axis=1, keepdims=True) - means
        active = np.ones(means.shape, dtype=bool)
        ends = batch_ends(game.sizes)
        level = math.log(2 * means.size * len(ends) / self.failure(game.sizes))
        for end in ends:
            steps = end - game.step
            shares = optimal_design(features, active, law)
            chances = shares * law[:, None]
            counts, sums = game.mixed(chances.ravel(), means.ravel(), gap.ravel(), steps)
            moment = (sums - counts / 2) @ features.reshape(-1, features.shape[-1])
            if not game.left:
                break
            n, line, d = steps * game.agents, game.lines[0], game.dimension
            line.begin_round()
            total = line.total("moments", moment, (d,))
            gram = n * information(features, chances)
            middle = n * np.einsum("xk,xkd->d", chances, features) / 2
            estimate = np.linalg.pinv(gram, hermitian=True) @ (total + middle)
            estimate = line.broadcast("estimate", estimate, (d,))
            width = np.sqrt(leverage(features, gram))
            largest = width[chances > 0].max()
            reach = width * (math.sqrt(2 * level) / 2 + largest * level / 3)
            active = left_after(active, features @ estimate, reach)
        return best_stay(active, means)

    def numbers_at_most(self, sizes: Sizes) -> float:
        return 2 * sizes.dimension * sizes.agents * (len(batch_ends(sizes)) - 1)


def batch_ends(sizes: Sizes) -> list[int]:
    """Return the last step of every batch of DisBE-LUCB, counted per agent; the last one is the horizon."""
    length = math.ceil(2 * math.sqrt(sizes.dimension * sizes.horizon / sizes.agents))
    ends = [length]
    while ends[-1] < sizes.horizon:
        ends.append(ends[-1] + length)
        length = math.floor(2 * math.sqrt(sizes.horizon * length))
    return [*ends[:-1], sizes.horizon]
