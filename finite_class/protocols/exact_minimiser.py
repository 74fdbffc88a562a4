"""The exact minimiser of the pooled squared loss, in one round.

Every agent uploads the losses of all |F| functions on its own data; the server adds them, picks the least
(ties as the instance says) and sends its index back. Per call: M |F| numbers up, M down, one round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedigw.interfaces import FLRoutine
from fedigw.ledger import Channel
from finite_class.environment import CellCounts
from finite_class.instance import FiniteClassInstance
from finite_class.losses import LossTable, choose_minimiser, loss_table


@dataclass(frozen=True)
class ExactMinimiser:
    table: LossTable
    truth: int  # only an adversarial tie-breaker looks at it
    ties: str
    name: str = "exact_minimiser"

    def fit(self, datasets: list[CellCounts], channel: Channel, rng: np.random.Generator) -> int:
        functions = self.table.numerators.shape[0]
        channel.begin_round()
        total: np.ndarray = np.zeros(functions, dtype=object)
        for agent, data in enumerate(datasets):
            losses = self.table.losses(data.counts, data.sums)
            total = total + channel.upload(agent, "losses", losses, (functions,))
        minimal = np.asarray(total == np.min(total))[None, :]
        chosen = choose_minimiser(minimal, self.truth, self.ties, rng)
        return int(channel.broadcast("index", chosen, (1,))[0])


def build(instance: FiniteClassInstance) -> FLRoutine:
    return ExactMinimiser(loss_table(instance), instance.truth, instance.ties)
