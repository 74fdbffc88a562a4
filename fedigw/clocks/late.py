"""Define a clock of an agent that joins late: it acts at the global times join, join + period, ....

The theorem requires a step in every epoch (H2). If the first epoch ends before `join`, a bound is known only if all
agents have one law of contexts (own:absent). Else give a list of epoch ends, as doubling begins with two steps.
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
