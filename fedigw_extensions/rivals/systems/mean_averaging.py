"""Mean averaging with elimination (Wang, Hu, Chen and Wang 2019, section 3, arXiv:1904.06309): K arms without
features.

In phase l every surviving arm is pulled until its mean is known to within 2^-l. The pulls are divided among the
agents, who send the sums of their rewards by arm. The server sends back the averages, and arms that are worse than
the best by more than 2 times 2^-l are dropped.

The paper (DEMAB; M agents, K arms, T steps): regret O(sqrt(MKT ln T)), O(M ln(MK)) numbers.

Simplified: DEMAB's first stage, in which every agent eliminates arms by itself, and the random division of arms among
agents are left out. These two parts reduce the numbers from MK ln(MT) to M ln(MK).
"""

# Proved for this program: ln(2KP/delta)/(2 4^-l) pulls of an arm suffice for all arms in all P phases with probability
# 1 - delta (Hoeffding), and then the best arm is never dropped. At most P = log4(2MT) + 1 phases end before the
# horizon, each with at most 2MK numbers.
#
# Checked: regret O(sqrt(MKT ln T)) and O(M ln(MK)) numbers against the paper's two abstracts on arXiv; no public
# program was found.

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.game import Sizes
from fedigw_extensions.rivals.systems.delb import DELB, phases


@dataclass(frozen=True)
class MeanAveraging(DELB):
    """Elimination of arms by their averaged rewards (DEMAB). delta: the probability that the best arm is ever
    dropped, by default 1 over the steps of all agents."""

    name: ClassVar[str] = "mean_averaging"
    paper: ClassVar[str] = "Wang et al. 2019, tabular"
    regret_order: ClassVar[str] = "sqrt(KMT)"
    tabular: ClassVar[bool] = True

    def counts(self, arms: np.ndarray, active: np.ndarray, needed: float) -> np.ndarray:
        return np.where(active, math.ceil(needed), 0)

    def scores(
        self, line: Any, arms: np.ndarray, counts: np.ndarray, pulls: np.ndarray, sums: np.ndarray
    ) -> np.ndarray:
        left, averages = counts > 0, np.zeros(len(arms))
        shape = (int(left.sum()),)
        line.begin_round()
        total = line.total("sums", sums[:, left], shape) / counts.max()
        averages[left] = line.broadcast("averages", total, shape)
        return averages

    def numbers_at_most(self, sizes: Sizes) -> float:
        return 2 * sizes.agents * sizes.arms * phases(sizes)
