"""Learn partly shared parameters by conjugate gradient on the shared coordinates only: every agent eliminates its own
coordinates (Schur complement).

So at most as many rounds are needed as there are shared coordinates. At the end every agent computes its own
coordinates from the shared estimate. With M agents and d shared coordinates k rounds send M d (k+1) numbers in each
direction.
"""

# Let V = sum phi phi' and b = sum r phi over an agent's samples of features phi and rewards r, with index a for the
# shared coordinates and o for its own, and B = V^oo + I. The agent answers a direction p with S p for S = V^aa - V^ao
# B^{-1} V^oa. At the end its own coordinates are B^{-1}(b^o - V^oa w^a) for the shared estimate w^a. The gradient of
# the joint objective is then zero in every personal coordinate, so the stopping rule of linear/protocols/cg.py applies.

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, Memory, PerAgent, Setting
from linear.model import Solver
from linear.personalised.model import BlockProblem, lifted_guarantee
from linear.protocols.cg import EXACT, solve
from linear.ridge import RidgeData, RidgeProblem, solve_positive


@dataclass(frozen=True)
class SchurConjugateGradient(Solver):
    """Conjugate gradient on the shared coordinates. tolerance: the result's squared distance from the minimiser is at
    most tolerance^2 times the minimiser's proved excess risk. The default makes this error negligible."""

    tolerance: float | None = EXACT
    name: ClassVar[str] = "cg"
    needs: ClassVar[tuple[str, ...]] = ("blocks",)
    adaptive: ClassVar[bool] = True  # ends when the gradient certifies the target

    def fit(
        self, problem: BlockProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        reduced, eliminate = [], []
        for m, block in enumerate(problem.blocks):
            where = f"agent {m}, epoch {channel.epoch}, personal block"
            right = np.column_stack([block.own_moment, block.cross.T])
            solved = (
                solve_positive(block.own_gram + np.eye(len(block.own_moment)), right, where)
                if len(block.own_moment)
                else np.zeros((0, 1 + problem.shared))
            )
            reduced.append(
                RidgeData(
                    block.count,
                    block.shared_gram - block.cross @ solved[:, 1:],
                    block.shared_moment - block.cross @ solved[:, 0],
                )
            )
            eliminate.append(solved)
        enough = 2 * math.sqrt(problem.target(self.tolerance)) / problem.samples

        def whole(common: np.ndarray) -> PerAgent:
            return PerAgent(np.concatenate([common, part[:, 0] - part[:, 1:] @ common]) for part in eliminate)

        return Fitted(whole(solve(RidgeProblem(reduced, channel.epoch), channel, enough, whole=whole)))

    def guarantee(self, setting: Setting) -> Guarantee:
        return lifted_guarantee(self.name, setting, self.tolerance)
