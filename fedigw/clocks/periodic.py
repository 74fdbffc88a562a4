"""A clock of an agent that acts at the global times offset, offset + period, offset + 2 period, and so on."""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Periodic(Clock):
    """Act every `period` time units, first at the global time `offset`. By default all agents act at every time."""

    period: int = 1
    offset: int = 1
    name: ClassVar[str] = "periodic"

    def __post_init__(self) -> None:
        self.check_positive("period", "offset")

    def count(self, time: int) -> int:
        return max(0, (time - self.offset) // self.period + 1)
