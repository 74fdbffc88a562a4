"""A clock of an agent that acts at listed global times."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from bounds.errors import InputError
from fedigw.interfaces import Clock


@dataclass(frozen=True)
class Listed(Clock):
    """Act at the global times `times`, increasing positive integers."""

    times: tuple[int, ...] = (1,)
    name: ClassVar[str] = "listed"

    def __post_init__(self) -> None:
        if not self.times or self.times[0] < 1:
            raise InputError("times", list(self.times[:1]), "must be increasing positive integers")
        for before, after in pairwise(self.times):
            if after <= before:
                said = "ticks twice at once" if after == before else "goes back"
                raise InputError("times", after, f"must increase: more than {before} ({said})")

    def count(self, time: int) -> int:
        return bisect_right(self.times, time)
