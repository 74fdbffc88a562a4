"""Every test and interval errs as often as it says: at its threshold exactly, and by counting errors on true claims.

The thresholds are recomputed from the definition (one gambler, one step at a time). The counts use a fixed seed and an
exact binomial criterion: a right program fails it with probability at most 10^-6, whatever the seed.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from verify.statistics import sequential
from verify.statistics.calibration import LAWS
from verify.statistics.confidence import mean_interval, mean_is_above, mean_is_below
from verify.statistics.level import FAMILY_LEVEL, SHARE, SHARES
from verify.statistics.measurement import Comparison, compare, measure, overall
from verify.statistics.sequential import FRACTIONS, decide
from verify.verdict import Verdict

LEVEL = 0.02
FAILURE = 1e-6
NEAR = 1e-5
SAMPLES = {name: law(np.random.default_rng(11), 200) for name, (_, law) in LAWS.items()}


def plug_in_wealth(draws: np.ndarray, m: float, level: float) -> float:
    """The largest wealth of the gambler with plug-in bets against E X >= m."""
    wealth, largest, total, squares = 1.0, 1.0, 0.0, 0.0
    for i, x in enumerate(draws.tolist()):
        bet = math.sqrt(2 * math.log(1 / level) / ((0.25 + squares) / (i + 1) * len(draws)))
        wealth *= 1 + min(bet, 0.99 / (1 - m)) * (m - x)
        largest = max(largest, wealth)
        total += x
        squares += (x - (0.5 + total) / (i + 2)) ** 2
    return largest


def mixture_wealth(draws: np.ndarray, m: float) -> float:
    """The largest average capital of gamblers with constant bets against E X >= m."""
    capital, largest = [1.0] * len(FRACTIONS), 1.0
    for x in draws.tolist():
        capital = [c * (1 + f * (m - x) / (1 - m)) for c, f in zip(capital, FRACTIONS.tolist(), strict=True)]
        largest = max(largest, sum(capital) / len(capital))
    return largest


@pytest.mark.parametrize("name", LAWS)
def test_the_ends_of_an_interval_are_where_half_the_level_is_spent(name):
    """Each end of an interval at level a is the mean against which a gambler's wealth just reaches 2/a."""
    draws = SAMPLES[name]
    fixed = mean_interval(draws, LEVEL)
    anytime = sequential.interval(draws, LEVEL)
    for sample, ends in ((draws, (fixed[1], anytime[1])), (1 - draws, (1 - fixed[0], 1 - anytime[0]))):
        assert (
            plug_in_wealth(sample, ends[0] - NEAR, LEVEL / 2)
            < 2 / LEVEL
            <= plug_in_wealth(sample, ends[0] + NEAR, LEVEL / 2)
        )
        assert mixture_wealth(sample, ends[1] - NEAR) < 2 / LEVEL <= mixture_wealth(sample, ends[1] + NEAR)


@pytest.mark.parametrize("name", LAWS)
def test_a_test_says_yes_where_the_wealth_reaches_one_over_its_level(name):
    """A one-sided test at level a changes its mind at the end of an interval at level 2a; a decision at level a, which
    has two sides, at the ends of an interval at level a."""
    draws = SAMPLES[name]
    low, high = mean_interval(draws, 2 * LEVEL)
    assert mean_is_below(draws, high + NEAR, LEVEL)
    assert not mean_is_below(draws, high - NEAR, LEVEL)
    assert mean_is_above(draws, low - NEAR, LEVEL)
    assert not mean_is_above(draws, low + NEAR, LEVEL)
    low, high = sequential.interval(draws, LEVEL)
    for bound, verdict in (
        (high + NEAR, Verdict.MEASURED),
        (high - NEAR, Verdict.UNDECIDED),
        (low + NEAR, Verdict.UNDECIDED),
        (low - NEAR, Verdict.REFUTED),
    ):
        assert decide(replay(draws), bound, LEVEL, len(draws)).verdict is verdict


@pytest.mark.parametrize("name", LAWS)
def test_a_comparison_spends_half_its_level_on_the_verdict_and_half_on_the_interval(name):
    """So both change their mind at the same place: the ends of an interval at half the level."""
    draws, largest = SAMPLES[name], 7.0

    def compared(bound: float) -> Comparison:
        return compare("w", largest * draws, largest, bound, 100.0, LEVEL)

    def measured(bound: float) -> Comparison:
        source = replay(draws)
        return measure(
            "w", lambda n: largest * source(n), largest, bound, 100.0, LEVEL, len(draws), len(draws)
        )

    for ask, ends in ((compared, mean_interval), (measured, sequential.interval)):
        low, high = (largest * end for end in ends(draws, LEVEL / 2))
        found = ask(high + NEAR * largest)
        assert (found.low, found.high) == pytest.approx((low, high), abs=1e-7)
        assert found.verdict is Verdict.MEASURED
        assert ask(high - NEAR * largest).verdict is Verdict.UNDECIDED
        assert ask(low + NEAR * largest).verdict is Verdict.UNDECIDED
        assert ask(low - NEAR * largest).verdict is Verdict.REFUTED


def replay(draws: np.ndarray) -> Callable[[int], np.ndarray]:
    """The same values again, batch after batch."""
    seen = 0

    def draw(n: int) -> np.ndarray:
        nonlocal seen
        seen += n
        return draws[seen - n : seen]

    return draw


def most(trials: int, level: float) -> int:
    """The least k with P(Bin(trials, level) > k) <= FAILURE, in rationals."""
    p, tail, k = Fraction(level), Fraction(1), -1
    while tail > FAILURE:
        k += 1
        tail -= math.comb(trials, k) * p**k * (1 - p) ** (trials - k)
    return k


TRIALS, SIZE = 150, 128
ASKED: dict[str, Callable[[np.ndarray, float, float], bool]] = {
    "decide": lambda x, mean, level: decide(replay(x), mean, level, len(x)).verdict.decided,
    "compare": lambda x, mean, level: compare("w", x, 1.0, mean, 2.0, level).verdict.decided,
    "measure": lambda x, mean, level: measure("w", replay(x), 1.0, mean, 2.0, level, len(x)).verdict.decided,
    "mean_interval": lambda x, mean, level: not inside(mean, mean_interval(x, level)),
    "interval": lambda x, mean, level: not inside(mean, sequential.interval(x, level)),
}


def inside(mean: float, ends: tuple[float, float]) -> bool:
    return ends[0] <= mean <= ends[1]


def errors(name: str, law: str, level: float) -> int:
    """How many of TRIALS true claims with nothing to spare, "the mean is what it is", were decided or missed."""
    rng, (mean, draw) = np.random.default_rng(23), LAWS[law]
    return sum(ASKED[name](draw(rng, SIZE), mean, level) for _ in range(TRIALS))


@pytest.mark.parametrize("law", ["fair coin", "coin 0.1"])
@pytest.mark.parametrize("name", ASKED)
def test_errors_are_as_rare_as_the_level_says(name, law):
    assert errors(name, law, LEVEL) <= most(TRIALS, LEVEL)


@pytest.mark.parametrize("name", ASKED)
def test_the_count_sees_forty_times_the_level(name):
    """Negative control: the same count when a level 40 times too large is spent."""
    assert errors(name, "fair coin", 40 * LEVEL) > most(TRIALS, LEVEL)


def test_the_criterion_is_the_binomial_one():
    from scipy.stats import binom

    k = most(TRIALS, LEVEL)
    assert binom.sf(k, TRIALS, LEVEL) <= FAILURE < binom.sf(k - 1, TRIALS, LEVEL)


def test_the_shares_make_up_the_level():
    assert pytest.approx(FAMILY_LEVEL) == SHARE * SHARES


def test_what_comparisons_amount_to_together():
    """A refutation counts even where the bound says nothing; support only where every telling comparison has it."""

    def one(verdict: Verdict, vacuous: bool = False) -> Comparison:
        return Comparison("w", 1.0, 0.5, 1.5, 2.0, 3.0, vacuous, verdict)

    yes, no, open_ = (one(v) for v in (Verdict.MEASURED, Verdict.REFUTED, Verdict.UNDECIDED))
    empty = one(Verdict.MEASURED, vacuous=True)
    assert overall([yes, yes]) is Verdict.MEASURED
    assert overall([yes, empty]) is Verdict.MEASURED
    assert overall([yes, one(Verdict.UNDECIDED, vacuous=True)]) is Verdict.MEASURED
    assert overall([yes, open_]) is Verdict.UNDECIDED
    assert overall([empty]) is overall([]) is Verdict.UNDECIDED
    assert overall([yes, no]) is overall([one(Verdict.REFUTED, vacuous=True)]) is Verdict.REFUTED


def test_a_bound_is_vacuous_where_it_is_not_below_what_is_known():
    for bound, largest, trivial, vacuous in (
        (5, 9, 7, False),
        (7, 9, 7, True),
        (8, 9, 7, True),
        (6, 6, 7, True),
    ):
        sample = largest * np.full(10, 0.5)
        assert compare("w", sample, largest, bound, trivial, LEVEL).vacuous is vacuous
        again = measure("w", lambda n, s=sample: s[:n], largest, bound, trivial, LEVEL, 10)
        assert again.vacuous is vacuous
