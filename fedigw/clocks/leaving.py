"""A straggler that drops out: it acts at the global times 1, 1 + period, ... up to `leave`, and never again.

The theorem asks for a step in every epoch (H2), so it must leave in the last one: later epochs name it and end the run.
"""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Leaving(Clock):
    """leave: last global time the agent may act."""

    leave: int = 100
    period: int = 1
    name: ClassVar[str] = "leaving"

    def __post_init__(self) -> None:
        self.check_positive("leave", "period")

    def count(self, time: int) -> int:
        """Return t_m(t): how many of its times are at most `time`."""
        return max(0, (min(time, self.leave) - 1) // self.period + 1)
