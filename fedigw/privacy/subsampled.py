"""Compute the differential privacy of Gaussian noise on sums over random batches, with the library dp-accounting (extra
`dp`). Random batches spend less privacy, because nobody knows whose samples are in a batch.

Batches are drawn without replacement, independently in every round; neighbouring data differ in one replaced sample.
The library's epsilon is an upper bound (by Renyi divergences). Without batches the package's own formula is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bounds.errors import InputError


def library(asked: int) -> Any:
    """Return the module dp_accounting, or raise InputError with the command that installs it. asked: the batch size
    that needs it, for the message."""
    try:
        import dp_accounting
    except ImportError:
        raise InputError("batch", asked, "needs dp-accounting: pip install '.[dp]'") from None
    return dp_accounting


@lru_cache(maxsize=1024)
def epsilon(multiplier: float, batch: int, samples: int, rounds: int, delta: float) -> float:
    """Return the epsilon of (epsilon, delta) privacy of `rounds` noisy sums, each over a random batch of the samples.
    multiplier: standard deviation of the noise divided by the sensitivity of a batch's sum."""
    dp = library(batch)
    event = dp.SampledWithoutReplacementDpEvent(samples, batch, dp.GaussianDpEvent(multiplier))
    accountant = dp.rdp.RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)
    accountant.compose(dp.SelfComposedDpEvent(event, rounds))
    return float(accountant.get_epsilon(delta))


@lru_cache(maxsize=1024)
def multiplier(epsilon_asked: float, delta: float, batch: int, samples: int, rounds: int) -> float:
    """Return the smallest noise for which `rounds` noisy sums over random batches meet the required epsilon and delta,
    as standard deviation divided by the sensitivity of a batch's sum. It is rounded up by at most 1 part in 1000."""
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
    """The differential privacy that `rounds` noisy sums spend, each over a random batch of `batch` out of `samples`
    samples. noise: standard deviation divided by the sensitivity of a batch's sum."""

    noise: float
    batch: int
    samples: int
    rounds: int

    def epsilon(self, delta: float) -> float:
        return epsilon(self.noise, self.batch, self.samples, self.rounds, delta)

    def uses(self, calls: int) -> Subsampled:
        return Subsampled(self.noise, self.batch, self.samples, self.rounds * calls)
