"""Account for Gaussian noise on sums over random batches if it is hidden whose sample took part, by the library
dp-accounting (extra `dp`).

Batches are drawn without replacement, independently in every round; neighbouring data differ in one replaced sample.
The library's epsilon is an upper bound (Renyi divergences). Without batches the package's own formula is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bounds.errors import InputError


def library(asked: int) -> Any:
    """Return the module dp_accounting, or raise InputError with the command that installs it. `asked`: the batch
    size, for the message."""
    try:
        import dp_accounting
    except ImportError:
        raise InputError("batch", asked, "needs dp-accounting: pip install '.[dp]'") from None
    return dp_accounting


@lru_cache(maxsize=1024)
def epsilon(multiplier: float, batch: int, samples: int, rounds: int, delta: float) -> float:
    """Return the epsilon of `rounds` noisy sums over random batches, at this delta. `multiplier`: standard deviation
    of the noise divided by the sensitivity of a batch's sum."""
    dp = library(batch)
    event = dp.SampledWithoutReplacementDpEvent(samples, batch, dp.GaussianDpEvent(multiplier))
    accountant = dp.rdp.RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)
    accountant.compose(dp.SelfComposedDpEvent(event, rounds))
    return float(accountant.get_epsilon(delta))


@lru_cache(maxsize=1024)
def multiplier(epsilon_asked: float, delta: float, batch: int, samples: int, rounds: int) -> float:
    """Return the least noise with which all rounds meet the epsilon and delta asked for, rounded up by at most 1 part
    in 1000. It is the standard deviation divided by the sensitivity of a batch's sum."""
    low, high = 0.0, 1.0
    while epsilon(high, batch, samples, rounds, delta) > epsilon_asked:
        low, high = high, 2 * high
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        enough = epsilon(middle, batch, samples, rounds, delta) <= epsilon_asked
        low, high = (low, middle) if enough else (middle, high)
    return high


@dataclass(frozen=True)
class Subsampled:
    """The privacy of `rounds` rounds, each of which releases a noisy sum over a random batch of `batch` out of
    `samples` samples."""

    noise: float
    batch: int
    samples: int
    rounds: int

    def epsilon(self, delta: float) -> float:
        return epsilon(self.noise, self.batch, self.samples, self.rounds, delta)

    def uses(self, calls: int) -> Subsampled:
        return Subsampled(self.noise, self.batch, self.samples, self.rounds * calls)
