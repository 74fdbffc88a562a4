"""Betting tests and confidence bounds for means of bounded variables, valid at any sample size.

The hypothesis E X >= m is rejected at level delta when the wealth of a gambler who bets against it reaches 1/delta
(Ville's inequality). Reference: Waudby-Smith & Ramdas, Estimating means of bounded random variables by betting, 2024.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from verify.verdict import Verdict

SURE = 0.99  # power of the test at the distance that it is said to detect


def log_wealth_against_at_least(sample: np.ndarray, m: float, level: float) -> float:
    """Return the logarithm of the largest wealth that a gambler reaches in a sample X_i in [0,1] by betting that E X <
    m. Her wealth starts at 1 and is multiplied by 1 + bet_i (m - X_i) at each value. The size of the bets depends on
    the level of the test."""
    draws = np.asarray(sample, dtype=float)
    return _log_wealth(draws, _bets(draws, level), m)


def _bets(draws: np.ndarray, level: float) -> np.ndarray:
    """Return a bet for each value of the sample; it depends on earlier values only, and adapts to their variance
    (Waudby-Smith and Ramdas 2024). level: the level of the test; at a smaller level bets are larger."""
    if draws.size == 0:
        return draws
    if draws.min() < 0 or draws.max() > 1:
        raise ValueError("sample outside [0,1]")
    index = np.arange(1, draws.size + 1)
    mean = (0.5 + np.cumsum(draws)) / (index + 1)
    variance = (0.25 + np.cumsum((draws - mean) ** 2)) / (index + 1)
    before = np.concatenate([[0.25], variance[:-1]])
    return np.asarray(np.sqrt(2 * math.log(1 / level) / (before * draws.size)))


def _log_wealth(draws: np.ndarray, bets: np.ndarray, m: float) -> float:
    if m <= 0 or m > 1:
        return math.inf if m > 1 else -math.inf
    if draws.size == 0:
        return 0.0
    if m == 1:
        # E X >= 1 means that X is always 1: one other value refutes it for sure
        return math.inf if draws.min() < 1 else 0.0
    # 1 + bet (m - X) must stay positive at X = 1
    admissible = np.minimum(bets, 0.99 / (1 - m))
    return float(np.max(np.cumsum(np.log1p(admissible * (m - draws)))))


def mean_is_below(sample: np.ndarray, m: float, level: float) -> bool:
    """Test whether independent values in [0,1] have a mean below m. The answer True is wrong with probability at most
    `level`."""
    return log_wealth_against_at_least(sample, m, level) >= math.log(1 / level)


def mean_is_above(sample: np.ndarray, m: float, level: float) -> bool:
    """Test whether independent values in [0,1] have a mean above m. The answer True is wrong with probability at most
    `level`."""
    return mean_is_below(1 - np.asarray(sample), 1 - m, level)


def mean_interval(sample: np.ndarray, level: float) -> tuple[float, float]:
    """Return a confidence interval at confidence 1 - level for the mean of independent values in [0,1]. It consists of
    the means m that neither betting test rejects at level/2."""
    return 1 - _upper(1 - np.asarray(sample), level / 2), _upper(np.asarray(sample), level / 2)


def _upper(sample: np.ndarray, level: float) -> float:
    low, high = float(np.mean(sample)), 1.0
    bets, needed = _bets(sample, level), math.log(1 / level)
    if _log_wealth(sample, bets, low) >= needed:
        return low
    for _ in range(40):
        middle = (low + high) / 2
        if _log_wealth(sample, bets, middle) >= needed:
            high = middle
        else:
            low = middle
    return high


def binomial_upper(successes: int, trials: int, level: float) -> float:
    """Return the Clopper-Pearson upper confidence bound of a probability at confidence 1 - level."""
    from scipy.special import betainccinv  # scipy.stats would take a second to import

    return 1.0 if successes == trials else float(betainccinv(successes + 1, trials - successes, level))


def binomial_lower(successes: int, trials: int, level: float) -> float:
    """Return the Clopper-Pearson lower confidence bound of a probability at confidence 1 - level."""
    from scipy.special import betaincinv

    return 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, level))


def within(low: float, high: float, limit: float) -> Verdict:
    """Return the verdict on "a value is at most `limit`", given a confidence interval [low, high] for the value."""
    return Verdict.MEASURED if high <= limit else Verdict.UNDECIDED.unless(low > limit)


def share_within(successes: int, trials: int, limit: float, level: float) -> tuple[Verdict, float, float]:
    """Return the verdict on "the probability of success is at most `limit`", and lower and upper confidence bounds of
    this probability, each at `level`."""
    low, high = binomial_lower(successes, trials, level), binomial_upper(successes, trials, level)
    return within(low, high, limit), low, high


def shares_within(counts: Sequence[int], trials: int, limit: float, level: float) -> tuple[Verdict, float]:
    """Return the verdict on "each of several probabilities is at most `limit`", and the largest of their upper
    confidence bounds. counts: for each probability, the number of successes in `trials` trials. Each is tested at an
    equal share of the level. One test of the pooled counts could miss one large probability among small ones."""
    found = [share_within(count, trials, limit, level / len(counts)) for count in counts]
    return max((kind for kind, _, _ in found), key=list(Verdict).index), max(high for _, _, high in found)


def seen_by_chi_square(cells: int, draws: int, level: float) -> float:
    """Return the smallest total variation distance from the tested distribution that a chi-square test at `level`
    detects with probability SURE. cells: the number of outcomes. draws: the size of the sample."""
    # asymptotic: another law q adds the noncentrality n sum (q-p)^2/p, p the stated law, at least n (2 TV)^2 by
    # Cauchy-Schwarz
    from scipy.special import chdtri, chndtrinc

    if cells < 2:
        return 1.0
    noncentrality = float(chndtrinc(chdtri(cells - 1, level), cells - 1, 1 - SURE))
    return min(1.0, math.sqrt(noncentrality / draws) / 2)


def slope_interval(x: np.ndarray, samples: np.ndarray, level: float) -> tuple[float, float, float]:
    """Return the slope of the least-squares line of log(mean of samples[i]) against x[i], and the ends of a confidence
    interval for it. The level holds approximately, for large samples. samples (len(x), R): R independent values at each
    x."""
    # the slope is a linear form sum_i w_i log mean_i, and each log mean is asymptotically normal with standard error
    # sd_i/(mean_i sqrt R) (delta method)
    centred = x - x.mean()
    weights = centred / (centred @ centred)
    means = samples.mean(axis=1)
    errors = samples.std(axis=1, ddof=1) / (means * math.sqrt(samples.shape[1]))
    slope = float(weights @ np.log(means))
    reach = float(-NormalDist().inv_cdf(level / 2) * math.sqrt(((weights * errors) ** 2).sum()))
    return slope, slope - reach, slope + reach
