"""The statistics are run at the level that they state, to one per cent: on samples whose wealth is known exactly.

A gambler who sees only zeros has a wealth that can be written down; the decision must flip where it crosses the level.
"""

import math

import numpy as np
import pytest

from verify.statistics.confidence import mean_is_below
from verify.statistics.measurement import compare
from verify.statistics.sequential import FIRST_BATCH, FRACTIONS, decide
from verify.verdict import Verdict

BOUND = 0.1


def zeros(count: int) -> np.ndarray:
    return np.zeros(count)


@pytest.mark.parametrize(("share", "verdict"), [(1.01, Verdict.SUPPORTED), (0.99, Verdict.INCONCLUSIVE)])
def test_a_sequential_decision_needs_two_over_the_level(share: float, verdict: Verdict) -> None:
    """Each side has half of the level: wealth 2/level, where the wealth after 128 zeros is the mean of the bets'."""
    wealth = float(np.mean((1 + FRACTIONS * BOUND / (1 - BOUND)) ** FIRST_BATCH))
    assert decide(zeros, BOUND, share * 2 / wealth, FIRST_BATCH).verdict is verdict


@pytest.mark.parametrize(("share", "verdict"), [(1.02, Verdict.SUPPORTED), (0.98, Verdict.INCONCLUSIVE)])
def test_a_comparison_spends_a_quarter_of_its_level_on_each_side(share: float, verdict: Verdict) -> None:
    sample = zeros(100)
    low, high = 1e-12, 0.5  # the smallest level at which the bet is won, by bisection
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if mean_is_below(sample, BOUND, middle) else (middle, high)
    assert 1e-10 < high < 0.1
    assert compare("here", sample, 1.0, BOUND, 1.0, share * 4 * high).verdict is verdict


def test_false_alarms_keep_a_large_level() -> None:
    """A coin whose mean is the bound, looked at after every batch: wrong at most as often as the level says."""
    rng, level, runs = np.random.default_rng(7), 0.2, 400
    wrong = sum(
        decide(lambda n: (rng.random(n) < BOUND).astype(float), BOUND, level, 1024).verdict.decided
        for _ in range(runs)
    )
    assert wrong <= level * runs
