"""Accelerated gradient descent on the lifted problem: the shared block is sent, personal blocks stay with their
agents.

In each round the server sends the shared point. Every agent answers with its gradient there, and takes the same
accelerated step on its own block. A call with k rounds sends M d^a k numbers up and M d^a (k+1) down.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds import own_agd_rate
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, Memory, PerAgent, Setting
from linear.model import Solver
from linear.personalised.model import BlockProblem, lifted_guarantee
from linear.ridge import SolverError


@dataclass(frozen=True)
class SharedAcceleratedGradient(Solver):
    """Accelerated gradient descent on the shared and personal blocks. tolerance: delta; if not set, the model's."""

    name: ClassVar[str] = "agd"
    needs: ClassVar[tuple[str, ...]] = ("blocks",)

    def fit(
        self, problem: BlockProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        blocks, n = problem.blocks, float(problem.samples)
        step, momentum = 1 / own_agd_rate.smoothness(n), own_agd_rate.momentum(n)
        shape = (problem.shared,)
        common = point = np.zeros(problem.shared)
        own = [np.zeros(len(block.own_moment)) for block in blocks]
        own_point = list(own)
        for _ in range(own_agd_rate.AGD.rounds(n, problem.target(self.tolerance))):
            who = channel.begin_round()
            asked = channel.broadcast("point", point, shape)
            answers = np.empty((len(who), problem.shared))
            for row, m in enumerate(who):
                block = blocks[m]
                answers[row] = block.shared_gram @ asked + block.cross @ own_point[m] - block.shared_moment
                slope = (
                    block.cross.T @ asked + block.own_gram @ own_point[m] - block.own_moment + own_point[m]
                )
                moved = own_point[m] - step * (2 / n) * slope
                own_point[m], own[m] = moved + momentum * (moved - own[m]), moved
            total = channel.total("gradient", answers * (2 / n), shape)
            following = point - step * (total + (2 / n) * point)
            point, common = following + momentum * (following - common), following
        moved_blocks = {"shared": common} | {f"agent {m}'s": mine for m, mine in enumerate(own)}
        for name, iterate in moved_blocks.items():
            if not np.isfinite(iterate).all():
                raise SolverError(f"epoch {channel.epoch}, agd: the iterates of the {name} block overflow")
        common = channel.broadcast("estimate", common, shape)
        return Fitted(PerAgent(np.concatenate([common, mine]) for mine in own))

    def guarantee(self, setting: Setting) -> Guarantee:
        return lifted_guarantee(self.name, setting, self.tolerance)
