"""A clock of an agent that joins late: it acts at the global times join, join + period, ....

The regret theorem requires a step of every agent in every epoch. Otherwise a bound is known only if all agents are
alike (own:absent). By default the first epoch has only two steps; the agent is more likely to act in a longer one.
"""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Late(Clock):
    """Act every `period` time units from the global time `join` on."""

    join: int = 1
    period: int = 1
    name: ClassVar[str] = "late"

    def __post_init__(self) -> None:
        self.check_positive("join", "period")

    def count(self, time: int) -> int:
        return max(0, (time - self.join) // self.period + 1)
