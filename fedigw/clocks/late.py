"""An agent that joins late: it acts at the global times join, join + period, ...

The theorem asks for a step in every epoch (H2), so the first epoch must be long enough for it: a list of epoch ends
whose first is not before `join`, where doubling begins with two steps.
"""

from dataclasses import dataclass
from typing import ClassVar

from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Late(Clock):
    """join: the global time of its first step."""

    join: int = 1
    period: int = 1
    name: ClassVar[str] = "late"

    def __post_init__(self) -> None:
        self.check_positive("join", "period")

    def count(self, time: int) -> int:
        """Return t_m(t): how many of its times are at most `time`."""
        return max(0, (time - self.join) // self.period + 1)
