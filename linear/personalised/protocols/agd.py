"""Accelerated gradient descent on the lifted problem: the shared block travels, personal blocks move at home.

Each round the server sends the shared point and every agent answers with its gradient there, while it takes the same
accelerated step on its own block. Per call with k rounds: M d^a k numbers up, M d^a (k+1) down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import col_linear_per, linear_communication, own_agd_rate
from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.personalised.lifted import split
from linear.ridge import RidgeData, SolverError


@dataclass(frozen=True)
class SharedAcceleratedGradient:
    shared: int
    accuracy: float = linear_communication.DEFAULT_ACCURACY
    name: str = "agd"

    def fit(
        self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator
    ) -> tuple[np.ndarray, ...]:
        blocks = split(datasets, self.shared, channel.epoch)
        n = float(sum(block.count for block in blocks))
        lifted_dimension = self.shared + sum(len(block.own_moment) for block in blocks)
        target = self.accuracy**2 * col_linear_per.excess_risk(lifted_dimension, len(blocks), n)
        step, momentum = 1 / own_agd_rate.smoothness(n), own_agd_rate.momentum(n)
        shape = (self.shared,)
        common = point = np.zeros(self.shared)
        own = [np.zeros(len(block.own_moment)) for block in blocks]
        own_point = list(own)
        for _ in range(own_agd_rate.rounds_for_distance(n, target)):
            channel.begin_round()
            asked = channel.broadcast("point", point, shape)
            answers = np.empty((len(blocks), self.shared))
            for m, block in enumerate(blocks):
                answers[m] = block.shared_gram @ asked + block.cross @ own_point[m] - block.shared_moment
                slope = (
                    block.cross.T @ asked + block.own_gram @ own_point[m] - block.own_moment + own_point[m]
                )
                moved = own_point[m] - step * (2 / n) * slope
                own_point[m], own[m] = moved + momentum * (moved - own[m]), moved
            received = channel.upload_all("gradient", answers * (2 / n), shape)
            following = point - step * (received.sum(axis=0) + (2 / n) * point)
            point, common = following + momentum * (following - common), following
        moved_blocks = {"shared": common} | {f"agent {m}'s": mine for m, mine in enumerate(own)}
        for name, iterate in moved_blocks.items():
            if not np.isfinite(iterate).all():
                raise SolverError(f"epoch {channel.epoch}, agd: the iterates of the {name} block overflow")
        common = channel.broadcast("estimate", common, shape)
        return tuple(np.concatenate([common, mine]) for mine in own)


def build(instance: Any) -> FLRoutine:
    return SharedAcceleratedGradient(instance.shared, instance.accuracy)
