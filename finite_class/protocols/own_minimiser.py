"""Let every agent take the function with the least squared loss on its own data.

This is for agents with different true functions. Nothing is sent, because others' data say nothing about them.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, Memory, PerAgent, Setting
from fedigw.ledger import one_call
from finite_class.losses import choose_minimiser
from finite_class.personal import PersonalClass, PersonalLosses
from finite_class.protocols.exact_minimiser import ExactMinimiser, of_class


@dataclass(frozen=True)
class OwnMinimiser(ExactMinimiser):
    """Let every agent take the function with the least squared loss on its own data. ties: which of several such
    functions: "first", "adversarial" (not the true one, if possible) or "uniform"."""

    name: ClassVar[str] = "own_minimiser"
    needs: ClassVar[tuple[str, ...]] = ("own losses",)
    pools: ClassVar[bool] = False
    informs: ClassVar[bool] = False

    def fit(self, problem: Any, channel: Channel, memory: Memory, rng: np.random.Generator) -> Fitted:
        assert isinstance(problem, PersonalLosses)
        chosen = []
        for own in problem.own:
            total = own.losses().sum(axis=0)[None]
            chosen.append(int(choose_minimiser(total == total.min(), own.model.truth, self.ties, rng)[0]))
        return Fitted(PerAgent(chosen))

    def guarantee(self, setting: Setting) -> Guarantee:
        nothing = one_call(setting.agents, 0, (0, 0), (0, 0))
        return of_class(PersonalClass.of(setting).size, nothing, self.ties)
