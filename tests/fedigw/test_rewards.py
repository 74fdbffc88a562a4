"""The reward laws: points and chances have the mean and the spread that they are said to have, drawn or listed."""

from fractions import Fraction

import numpy as np
import pytest

from fedigw import rewards

MEANS = np.array([Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(9, 10), Fraction(1)], dtype=object)


@pytest.mark.parametrize("law", rewards.LAWS)
def test_points_have_the_mean_and_lie_in_the_unit_interval(law: str) -> None:
    values, chances = rewards.points(MEANS, law)
    assert (chances.sum(axis=1) == 1).all()
    assert ((values * chances).sum(axis=1) == MEANS).all()
    assert ((values >= 0) & (values <= 1)).all()
    for mean in MEANS:
        assert sum(r * p for r, p in rewards.one(mean, law)) == mean


def test_variances_by_hand() -> None:
    spread = [min(m, 1 - m) for m in MEANS]
    assert rewards.variance(MEANS, "bernoulli").tolist() == [m * (1 - m) for m in MEANS]
    assert rewards.variance(MEANS, "deterministic").tolist() == [0] * 5
    assert rewards.variance(MEANS, "two_point").tolist() == [s**2 for s in spread]


@pytest.mark.parametrize("law", rewards.LAWS)
def test_sums_and_single_draws_have_the_mean_and_the_variance(law: str) -> None:
    """20 000 sums of 5, and single draws, within 6 standard errors: a right program fails one time in 10^7."""
    rng, mean, n, draws = np.random.default_rng(1), np.array([0.2, 0.5, 0.9]), 5, 20_000
    var = rewards.variance(mean, law)
    counts = np.full((draws, 3), n)
    sums = rewards.sums_of(counts, rewards.draw_high(counts, mean, law, rng), mean, law)
    singles = np.stack([rewards.draw(np.full(draws, m), law, rng) for m in mean], axis=1)
    for found, count in ((sums, n), (singles, 1)):
        off = np.abs(found.mean(axis=0) - count * mean)
        assert (off <= 6 * np.sqrt(count * var / draws) + 1e-7).all()
        # a variance of [0, count] variables is known to a twentieth of itself, and exactly where it is 0
        np.testing.assert_allclose(found.var(axis=0), count * var, rtol=0.1, atol=1e-7)
