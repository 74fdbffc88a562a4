"""A clock of an agent that acts in bursts: several steps in a row, then a pause, and so on."""

from dataclasses import dataclass
from typing import ClassVar

from bounds.errors import InputError
from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Bursts(Clock):
    """Act in bursts of `burst` steps, then pause for `pause` time units. first: global time of the first step."""

    burst: int = 1
    pause: int = 1
    first: int = 1
    name: ClassVar[str] = "bursts"

    def __post_init__(self) -> None:
        self.check_positive("burst", "first")
        if self.pause < 0:
            raise InputError("pause", self.pause, "must be a non-negative integer")

    def count(self, time: int) -> int:
        whole, rest = divmod(max(0, time - self.first + 1), self.burst + self.pause)
        return whole * self.burst + min(rest, self.burst)
