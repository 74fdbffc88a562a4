"""Conjugate gradient on the Schur complement: every agent eliminates its own block, at most d^a rounds remain.

With B_m = V^bb_m + I, agent m answers S_m p for S_m = V^aa - V^ab B^{-1} V^ba and reads its own block off the shared
estimate at the end: omega^b_m = B^{-1}(b^b - V^ba omega^a). Per call: M d^a (k+1) numbers each way, k <= d^a.
The gradient of the lifted loss is then zero in every personal block, so the certificate of cg holds as it stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import col_linear_per
from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from linear.personalised.lifted import split
from linear.protocols.cg import EXACT, solve
from linear.ridge import Agents, RidgeData, solve_positive


@dataclass(frozen=True)
class SchurConjugateGradient:
    shared: int
    accuracy: float = EXACT
    name: str = "cg"

    def fit(
        self, datasets: list[RidgeData], channel: Channel, rng: np.random.Generator
    ) -> tuple[np.ndarray, ...]:
        blocks = split(datasets, self.shared, channel.epoch)
        reduced, eliminate = [], []
        for m, block in enumerate(blocks):
            where = f"agent {m}, epoch {channel.epoch}, personal block"
            right = np.column_stack([block.own_moment, block.cross.T])
            solved = (
                solve_positive(block.own_gram + np.eye(len(block.own_moment)), right, where)
                if len(block.own_moment)
                else np.zeros((0, 1 + self.shared))
            )
            reduced.append(
                RidgeData(
                    block.count,
                    block.shared_gram - block.cross @ solved[:, 1:],
                    block.shared_moment - block.cross @ solved[:, 0],
                )
            )
            eliminate.append(solved)
        n = sum(block.count for block in blocks)
        lifted_dimension = self.shared + sum(len(block.own_moment) for block in blocks)
        target = self.accuracy**2 * col_linear_per.excess_risk(lifted_dimension, len(blocks), n)
        common = solve(Agents(reduced, channel.epoch), channel, 2 * math.sqrt(target) / n)
        return tuple(np.concatenate([common, part[:, 0] - part[:, 1:] @ common]) for part in eliminate)


def build(instance: Any) -> FLRoutine:
    return SchurConjugateGradient(instance.shared)
