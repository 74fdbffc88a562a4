"""DisLinUCB (Wang, Hu, Chen and Wang 2019, section 5, arXiv:1904.06309): LinUCB with synchronised covariance matrices.

Every agent plays LinUCB with all shared data and its own. When for some agent (t - t_last) ln(det V_now/det V_last) >
D, all upload what is new (covariance matrix and reward vector) and download the sum. Contexts may be chosen by an
adversary.

The paper: regret O~(d sqrt(MT)) with D = T ln(MT)/(dM), and O(M^{3/2} d^3) numbers. Here, with constants: let
R = d ln(1 + MT/d). At most T/a epochs are longer than a; in the others some agent's ln det grew by more than D/a, and
these growths add up to at most R. With a = sqrt(DT/R) there are at most 2 sqrt(TR/D) + 1 synchronisations, each of
2M(d(d+1)/2 + d) numbers.

Checked: the trigger, what travels and the radius against a program of later authors (cyrilli/FedGLB-UCB on GitHub,
lib/DisLinUCB.py), O(M^{3/2} d^3) numbers against the abstract of the first version on arXiv. From memory of the paper:
D; it is the one that takes the logarithms out of M^{3/2} d^3. Later authors run it with T/(dM ln T), T the steps of
all.

Simplified: nothing. Agents act in step; a synchronisation takes no time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.game import Game, Sizes
from fedigw.optimism import (
    Beliefs,
    check_delta,
    check_positive,
    chosen,
    most_log_det,
    packed,
    packed_size,
    radius,
    unpacked,
)


@dataclass(frozen=True)
class DisLinUCB:
    """delta: the chance that some confidence set ever fails; None: 1/(MT). threshold: D; None: the paper's."""

    delta: float | None = None
    threshold: float | None = None
    name: ClassVar[str] = "dislinucb"
    paper: ClassVar[str] = "Wang et al. 2019"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    event: ClassVar[str] = "every confidence set held the parameter at all times"
    needs: ClassVar[tuple[str, ...]] = ("one parameter",)

    def __post_init__(self) -> None:
        if self.delta is not None:
            check_delta(self.delta)
        if self.threshold is not None:
            check_positive("threshold", self.threshold)

    def play(self, game: Game) -> np.ndarray:
        """(R,): whether every confidence set of the replication always held omega*."""
        R, M, d = game.replications, game.agents, game.dimension
        level = (self.delta or 1 / game.sizes.steps) / M  # each agent sees data of its own: a union over them
        limit = self._limit(game.sizes)
        mine = Beliefs.start(R, M, d)
        fresh_gram, fresh_moment = np.zeros((R, M, d, d)), np.zeros((R, M, d))
        base = np.zeros((R, M))  # ln det at the last synchronisation
        since = np.zeros(R)
        held = np.ones(R, dtype=bool)
        for features, pull in game.steps():
            reach = radius(mine.log_det, level)
            held &= mine.holds(game.world.truth(0), reach).all(axis=1)
            arms = mine.optimistic(features, reach)
            rewards = pull(arms)
            phi = chosen(features, arms)
            mine.learn(phi, rewards)
            fresh_gram += phi[..., :, None] * phi[..., None, :]
            fresh_moment += phi * rewards[..., None]
            since += 1
            for r in np.flatnonzero((since[:, None] * (mine.log_det - base) > limit).any(axis=1)):
                line, size = game.lines[r], packed_size(d)
                line.begin_round()
                # what was shared before, from any agent: its own statistics less what is new to it
                known = packed(mine.gram[r, 0] - fresh_gram[r, 0], mine.moment[r, 0] - fresh_moment[r, 0])
                news = line.total("statistics", packed(fresh_gram[r], fresh_moment[r]), (size,))
                gram, moment = unpacked(known + line.broadcast("statistics", news, (size,)), d)
                mine.put(r, np.broadcast_to(gram, (M, d, d)), np.broadcast_to(moment, (M, d)))
                fresh_gram[r], fresh_moment[r], base[r], since[r] = 0, 0, mine.log_det[r], 0
        return held

    def _limit(self, sizes: Sizes) -> float:
        usual = sizes.horizon * math.log(max(sizes.steps, 2)) / (sizes.dimension * sizes.agents)
        return usual if self.threshold is None else self.threshold

    def numbers_at_most(self, sizes: Sizes) -> float:
        growth = most_log_det(sizes.dimension, sizes.steps)
        rounds = min(2 * math.sqrt(sizes.horizon * growth / self._limit(sizes)) + 1, sizes.horizon)
        return 2 * sizes.agents * packed_size(sizes.dimension) * rounds
