"""A clock of an agent that drops out: it acts at the global times 1, 1 + period, ... up to `leave`.

The regret theorem requires a step of every agent in every epoch, so the agent should leave in the last one. If it
leaves earlier, a bound is known only if the contexts of all agents have the same distribution (own:absent).
"""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Leaving(Clock):
    """Act every `period` time units from time 1 on. leave: the last global time at which the agent may act."""

    leave: int = 100
    period: int = 1
    name: ClassVar[str] = "leaving"

    def __post_init__(self) -> None:
        self.check_positive("leave", "period")

    def count(self, time: int) -> int:
        return max(0, (min(time, self.leave) - 1) // self.period + 1)
