"""An agent that acts in bursts: `burst` steps in a row, then `pause` units of silence, again and again."""

from dataclasses import dataclass
from typing import ClassVar

from bounds.errors import InputError
from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Bursts(Clock):
    """first: the global time of its first step."""

    burst: int = 1
    pause: int = 1
    first: int = 1
    name: ClassVar[str] = "bursts"

    def __post_init__(self) -> None:
        self.check_positive("burst", "first")
        if self.pause < 0:
            raise InputError("pause", self.pause, "must be a non-negative integer")

    def count(self, time: int) -> int:
        """Return t_m(t): how many of its times are at most `time`."""
        whole, rest = divmod(max(0, time - self.first + 1), self.burst + self.pause)
        return whole * self.burst + min(rest, self.burst)
