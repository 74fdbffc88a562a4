"""Mean averaging with elimination (Wang, Hu, Chen and Wang 2019, section 3, arXiv:1904.06309): K arms without
features.

In phase l every surviving arm is pulled until its mean is known to within 2^-l, the pulls shared out among the agents;
they send the sums of their rewards by arm, the server sends back the averages, and arms that are worse by more than
2 times 2^-l are dropped.

The paper (DEMAB): regret O(sqrt(MKT ln T)), O(M ln(MK)) numbers. Here, with constants: ln(2KP/delta)/(2 4^-l) pulls
of an arm suffice for all arms in all P phases with probability 1 - delta (Hoeffding), and then the best arm is never
dropped. At most P = log4(2MT) + 1 phases end before the horizon, each with at most 2MK numbers.

Checked: regret O(sqrt(MKT ln T)) and O(M ln(MK)) numbers against the paper's two abstracts on arXiv; no public program
was found.

Simplified: DEMAB's first stage, in which every agent eliminates alone, and the random sharing out of arms are left
out; they are what makes M ln(MK) out of MK ln(MT).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.game import Game, Sizes
from fedigw.optimism import check_delta
from fedigw.rivals.delb import phases, shared_out


@dataclass(frozen=True)
class MeanAveraging:
    """delta: the chance that the best arm is ever dropped; None: 1/(MT)."""

    delta: float | None = None
    name: ClassVar[str] = "mean_averaging"
    paper: ClassVar[str] = "Wang et al. 2019, tabular"
    regret_order: ClassVar[str] = "sqrt(KMT)"
    event: ClassVar[str] = "the best arm was never dropped"
    needs: ClassVar[tuple[str, ...]] = ("one parameter", "fixed contexts", "same arms")
    alone: ClassVar[bool] = True
    tabular: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.delta is not None:
            check_delta(self.delta)

    def play(self, game: Game) -> np.ndarray:
        """(1,): whether the best arm was never dropped."""
        M, K = game.agents, game.arms
        means = game.world.agents[0].features[0] @ game.world.truth(0)
        active = np.ones(K, dtype=bool)
        level = math.log(2 * K * phases(game.sizes) / (self.delta or 1 / game.sizes.steps))
        phase = 0
        while game.left:
            phase += 1
            if active.sum() == 1:
                game.runs(np.tile(active * game.left, (M, 1)))
                break
            each = math.ceil(level * 4**phase / 2)
            sums = game.runs(shared_out(np.where(active, each, 0), M))
            if not game.left:
                break
            survivors = np.flatnonzero(active)
            line, shape = game.lines[0], (len(survivors),)
            line.begin_round()
            average = line.broadcast("averages", line.total("sums", sums[:, active], shape) / each, shape)
            active[survivors] = average >= average.max() - 2 * 2.0**-phase
        return np.array([bool(active[means >= means.max() - 1e-12].any())])

    def numbers_at_most(self, sizes: Sizes) -> float:
        return 2 * sizes.agents * sizes.arms * phases(sizes)
