"""An agent that acts at the global times offset, offset + period, offset + 2 period, ..."""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Periodic(Clock):
    """period 1, offset 1: every step of a synchronous system."""

    period: int = 1
    offset: int = 1
    name: ClassVar[str] = "periodic"

    def __post_init__(self) -> None:
        self.check_positive("period", "offset")

    def count(self, time: int) -> int:
        """Return t_m(t): how many of its times are at most `time`."""
        return max(0, (time - self.offset) // self.period + 1)
