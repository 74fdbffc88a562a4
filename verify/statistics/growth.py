"""A fitted growth exponent against a stated one: within it, beyond it, or not decided."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.statistics.confidence import slope_interval, within
from verify.verdict import Verdict

# Arms not yet resolved bend a curve by a hundredth or two where it is fitted. More is another exponent, not a bend: the
# closed form knows the program's own learning rate, and a wrong one must not explain itself away.
MOST_BEND = 0.03


@dataclass(frozen=True)
class Fit:
    """text: the exponent, its interval and what it was held against; figures: the same as JSON values."""

    verdict: Verdict
    text: str
    figures: dict[str, Any]


def fit(
    x: np.ndarray, samples: np.ndarray, level: float, stated: float, bend: float, allowance: float
) -> Fit:
    """The slope of log mean against x, samples (len(x), R), against stated + min(bend, MOST_BEND) + allowance.

    The interval is asymptotic, and so outside the campaign's error level. `slope_bounds` hold for every law on the
    range of the regret, but that range is of order M T and the mean of order sqrt(M T): for growth in K at T = 2^22
    they reach 0.15 to either side with 4000 replications, and at T = 2^40 the mean is 10^-5 of the range.
    The interval is about the worlds that were drawn, not about a law of worlds.
    """
    slope, low, high = slope_interval(x, samples, level)
    used = min(bend, MOST_BEND)
    limit = stated + used + allowance
    text = (
        f"{slope:.3f} in worlds drawn once (asymptotic interval [{low:.3f}, {high:.3f}]); permitted"
        f" {limit:.3f} = exponent {stated} + closed-form bend {used:.3f} + allowance {allowance}"
    )
    return Fit(
        within(low, high, limit),
        text,
        {
            "slope": slope,
            "low": low,
            "high": high,
            "interval": "asymptotic",
            "replications": samples.shape[1],
            "stated": stated,
            "bend": bend,
            "allowance": allowance,
            "limit": limit,
        },
    )
