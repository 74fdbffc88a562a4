"""Fed-PE (Huang, Wu, Yang and Shen 2021, arXiv:2110.14177): phased elimination, each agent with its own fixed arms.

Phase p has 2^p steps for each agent. The server computes a design over all agents' active arms, which minimises the
sum over agents of their largest leverage, and sends each agent its part. Agents send their reward vectors, and the
server sends estimate and covariance. Each agent drops the arms whose upper confidence bound is below the lower bound
of another arm.

The paper (M agents, T steps, K arms, d dimensions): regret O~(sqrt(dMT)) with O((d^2 + dK) M ln T) numbers.

Simplified: the paper's case of one parameter for all arms, and the server knows the agents' features. Agents may
have different numbers of arms.
"""

# Proved for this program: the estimate of a phase uses only its own rewards, so the error of each mean is at most
# norm(phi)_{V^{-1}} sqrt(ln(2MKP/delta)/2), V the covariance matrix, for all agents, arms and P phases at once with
# probability 1 - delta. Then no agent drops its best arm. At most P = log2(T + 1) phases begin, each with M(K + d + d +
# d(d+1)/2) numbers.
#
# Checked: phases of 2^p steps, the design over all agents at once, the two-sided elimination, against the authors'
# program (Ruiquan5514/Federated-Linear-Contextual-Bandits on GitHub, code/main.py); logarithmic communication against
# the abstract. The orders are as this paper's tab:linear prints them.

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.designs import information, leverage, optimal_design, whole_counts
from fedigw.game import Confident, Game, Sizes, best_stay, left_after
from fedigw_extensions.rivals.optimism import packed, packed_size


@dataclass(frozen=True)
class FedPE(Confident):
    """Phased elimination, each agent with its own fixed arms (Fed-PE). delta: the probability that an agent ever
    drops its best arm, by default 1 over the steps of all agents."""

    name: ClassVar[str] = "fed_pe"
    paper: ClassVar[str] = "Huang et al. 2021"
    regret_order: ClassVar[str] = "sqrt(dMT)"
    event: ClassVar[str] = "no agent ever dropped its best arm"
    needs: ClassVar[tuple[str, ...]] = ("one parameter", "fixed contexts")
    alone: ClassVar[bool] = True

    def play(self, game: Game) -> np.ndarray:
        M, K, line = game.agents, game.arms, game.lines[0]
        met = game.world.meet(1, 1, game.rng)  # the same contexts in every step
        features, means = met.features[0, :, 0], met.means[0, :, 0]  # (M, K, d), (M, K)
        active = np.arange(K) < game.arms_of[:, None]
        count = M * K * most_phases(game.sizes)
        reach = math.sqrt(0.5 * math.log(2 * count / self.failure(game.sizes)))
        phase = 0
        while game.left:
            phase += 1
            line.begin_round()
            shares = line.deliver("design", optimal_design(features, active, np.ones(M)), (K,))
            counts = whole_counts(shares, 2**phase)
            sums = game.runs(counts)
            if not game.left:
                break
            moment = line.total("moments", np.einsum("mk,mkd->md", sums, features), features.shape[2:])
            gram = information(features, counts)
            estimate = np.linalg.pinv(gram, hermitian=True) @ moment
            line.broadcast("estimate", packed(gram, estimate), (packed_size(game.dimension),))
            scores, width = features @ estimate, reach * np.sqrt(leverage(features, gram))
            active = left_after(active, scores, width)
        return best_stay(active, means)

    def numbers_at_most(self, sizes: Sizes) -> float:
        each = sizes.arms + sizes.dimension + packed_size(sizes.dimension)
        return sizes.agents * each * most_phases(sizes)


def most_phases(sizes: Sizes) -> int:
    return math.floor(math.log2(sizes.horizon + 1))
