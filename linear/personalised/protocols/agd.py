"""Learn partly shared parameters by accelerated gradient descent: only the shared coordinates are sent.

In each round the server sends the shared coordinates of a point. Every agent answers with its gradient there, and makes
the same accelerated step in its own coordinates. With M agents and d shared coordinates k rounds send M d k numbers to
the server and M d (k+1) back.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds import own_agd_rate
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, Memory, Setting
from linear.model import Solver
from linear.personalised.model import BlockProblem, PersonalisedRidge, lifted_guarantee
from linear.ridge import SolverError


@dataclass(frozen=True)
class SharedAcceleratedGradient(Solver):
    """Accelerated gradient descent on shared and personal coordinates. tolerance: the result's squared distance from
    the minimiser is at most tolerance^2 times the minimiser's proved excess risk; if not set, the model's tolerance is
    used."""

    name: ClassVar[str] = "agd"
    needs: ClassVar[tuple[str, ...]] = ("blocks",)

    def fit(
        self, problem: BlockProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        blocks, n = problem.blocks, float(problem.samples)
        step, momentum = 1 / own_agd_rate.smoothness(n), own_agd_rate.momentum(n)
        a, shape, sizes = problem.shared, (problem.shared,), [len(block.own_moment) for block in blocks]
        # the agents' systems side by side; where a personal block is shorter the rest of its row stays 0
        system = np.zeros((len(blocks), a + max(sizes), a + max(sizes)))
        right = np.zeros(system.shape[:2])
        for m, (block, own_size) in enumerate(zip(blocks, sizes, strict=True)):
            end = a + own_size
            system[m, :a, :end] = np.hstack([block.shared_gram, block.cross])
            system[m, a:end, :end] = np.hstack([block.cross.T, block.own_gram + np.eye(own_size)])
            right[m, :end] = np.concatenate([block.shared_moment, block.own_moment])
        common = point = np.zeros(a)
        own, asked_of = np.zeros((len(blocks), max(sizes))), np.zeros(right.shape)
        channel.observe(problem.parameters(common, own))
        for _ in range(own_agd_rate.AGD.rounds(n, problem.target(self.tolerance))):
            who = channel.begin_round()
            asked_of[:, :a] = channel.broadcast("point", point, shape)
            slopes = (2 / n) * ((system[who] @ asked_of[who, :, None])[..., 0] - right[who])
            moved = asked_of[who, a:] - step * slopes[:, a:]
            asked_of[who, a:], own[who] = moved + momentum * (moved - own[who]), moved
            total = channel.total("gradient", slopes[:, :a], shape)
            following = point - step * (total + (2 / n) * point)
            point, common = following + momentum * (following - common), following
            channel.observe(problem.parameters(common, own))
        moved_blocks = {"shared": common} | {f"agent {m}'s": mine for m, mine in enumerate(own)}
        for name, iterate in moved_blocks.items():
            if not np.isfinite(iterate).all():
                raise SolverError(f"epoch {channel.epoch}, agd: the iterates of the {name} block overflow")
        common = channel.broadcast("estimate", common, shape)
        return Fitted(problem.parameters(common, own))

    def guarantee(self, setting: Setting) -> Guarantee:
        return lifted_guarantee(self.name, setting, self.tolerance)

    def asked(self, setting: Setting, samples: int, tolerance: float) -> int | None:
        return own_agd_rate.AGD.rounds(samples, tolerance**2 * PersonalisedRidge.of(setting).risk(samples))
