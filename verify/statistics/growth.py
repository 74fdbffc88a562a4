"""Compare a fitted growth exponent with a stated one. The verdict is measured, refuted or undecided."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.statistics.confidence import slope_interval, within
from verify.verdict import Verdict

# Arms not yet resolved bend a curve by a hundredth or two where it is fitted. More is another exponent, not a bend: the
# closed form uses the program's own learning rate, and a wrong rate must not be accepted as a bend.
MOST_BEND = 0.03


@dataclass(frozen=True)
class Fit:
    """A fitted growth exponent and the verdict on it. text: the exponent, its interval and its limit in words. figures:
    the same numbers as JSON values."""

    verdict: Verdict
    text: str
    figures: dict[str, Any]


def fit(
    x: np.ndarray, samples: np.ndarray, level: float, stated: float, bend: float, allowance: float
) -> Fit:
    """Fit the slope of the logarithm of the mean against x, and compare the slope with the limit stated + min(bend,
    MOST_BEND) + allowance. samples (len(x), R): R values at each x. level: of the interval of the slope. bend: by how
    much the slope is larger while the data do not distinguish all arms. allowance: a further tolerance."""
    # the interval is asymptotic and so not part of the campaign's error level: betting bounds would hold for every
    # law, but they depend on the range of the regret, of order M T where the mean is of order sqrt(M T), and are too
    # wide; it is about the worlds that were drawn, not about a distribution of worlds
    slope, low, high = slope_interval(x, samples, level)
    used = min(bend, MOST_BEND)
    limit = stated + used + allowance
    text = (
        f"{slope:.3f} in worlds drawn once (asymptotic interval [{low:.3f}, {high:.3f}]); permitted"
        f" {limit:.3f} = exponent {stated} + closed-form bend {used:.3f} + allowance {allowance}"
    )
    found = {"slope": slope, "low": low, "high": high, "interval": "asymptotic"}
    found |= {"replications": samples.shape[1], "stated": stated, "bend": bend}
    return Fit(within(low, high, limit), text, found | {"allowance": allowance, "limit": limit})
