"""A clock of an agent that drops out: it acts at the global times 1, 1 + period, ... up to `leave`.

The regret theorem requires a step of every agent in every epoch, so the agent should not leave before the last one.
Otherwise a bound is known only if all agents are alike (own:absent).
"""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Leaving(Clock):
    """Act every `period` time units, from time 1 up to the global time `leave`."""

    leave: int = 100
    period: int = 1
    name: ClassVar[str] = "leaving"

    def __post_init__(self) -> None:
        self.check_positive("leave", "period")

    def count(self, time: int) -> int:
        return max(0, (min(time, self.leave) - 1) // self.period + 1)
