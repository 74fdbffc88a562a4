"""A clock of an agent that acts at random times, drawn before the run from a seed.

Arrivals are a Poisson process with `poisson` arrivals per unit of global time on average. The agent acts at the end of
every unit with an arrival, so at each global time with probability 1 - exp(-poisson), and never twice at once. The
times do not depend on the data.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.interfaces import Clock

RARE = 1e-9  # arrivals so rare that their times may be no integers
MOST_TICKS = 50_000_000  # held at once: 400 MB


@dataclass(frozen=True)
class Poisson(Clock):
    """Act at random times. poisson: the mean number of arrivals per unit of time. seed: agents with the same seed act
    at the same times."""

    poisson: float = 1.0
    seed: int = 0
    name: ClassVar[str] = "poisson"

    def __post_init__(self) -> None:
        if not 0 < self.poisson < math.inf:
            said = "must be a positive number of arrivals per unit of time"
            raise InputError("poisson", self.poisson, said)
        if self.seed < 0:
            raise InputError("seed", self.seed, "must be a non-negative integer")

    def count(self, time: int) -> int:
        until = 1 << max(0, time - 1).bit_length()  # the same for all times of a doubling epoch
        return int(np.searchsorted(_times(self.poisson, self.seed, until), time, side="right"))


@lru_cache(maxsize=2)  # a run asks one clock after another
def _times(rate: float, seed: int, until: int) -> np.ndarray:
    """Return the increasing times (N,) at which the agent acts, up to the first one beyond `until`. Each time has an
    arrival with probability 1 - exp(-rate). A larger `until` only adds later times."""
    chance = -math.expm1(-rate)
    expected = chance * until
    if expected > MOST_TICKS:
        size = f"{8 * expected / 2**30:.1f} GB"
        raise InputError(
            "poisson",
            rate,
            f"draws {expected:.3g} times up to global time {until}, {size}; at most {MOST_TICKS:.0e} are held: use a"
            " period at such horizons",
        )
    number = int(expected + 6 * math.sqrt(expected)) + 64
    while True:
        gaps = np.random.default_rng(seed).geometric(chance, size=number)
        held = number if chance > RARE else int(np.searchsorted(np.cumsum(gaps, dtype=float), 2.0**62))
        times = gaps[:held].cumsum()
        if held < number:  # no integer holds the rest, and nobody asks when they come
            return np.append(times, max(until, *times) + 1 if held else until + 1)
        if times[-1] > until:
            return times
        number *= 2
