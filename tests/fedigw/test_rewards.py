"""The reward laws: points and chances have the mean and the spread that they are said to have, drawn or listed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from fedigw import rewards
from fedigw.conformance import check_context_law, check_reward_law
from fedigw.interfaces import ContextLaw, RewardLaw

MEANS = np.array([Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(9, 10), Fraction(1)], dtype=object)


@pytest.mark.parametrize("law", rewards.LAWS)
def test_points_have_the_mean_and_lie_in_the_unit_interval(law):
    values, chances = rewards.points(MEANS, law)
    assert (chances.sum(axis=1) == 1).all()
    assert ((values * chances).sum(axis=1) == MEANS).all()
    assert ((values >= 0) & (values <= 1)).all()
    for mean in MEANS:
        assert sum(r * p for r, p in rewards.one(mean, law)) == mean


def test_variances_by_hand():
    spread = [min(m, 1 - m) for m in MEANS]
    assert rewards.variance(MEANS, "bernoulli").tolist() == [m * (1 - m) for m in MEANS]
    assert rewards.variance(MEANS, "deterministic").tolist() == [0] * 5
    assert rewards.variance(MEANS, "two_point").tolist() == [s**2 for s in spread]


@dataclass(frozen=True)
class Halves(RewardLaw):
    """Rewards 0, 1/2 and 1."""

    name: ClassVar[str] = "halves"

    def points(self, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        one, spread = mean * 0 + 1, np.minimum(mean, 1 - mean)
        chances = np.stack([1 - mean - spread / 2, spread, mean - spread / 2], -1)
        return np.stack([0 * mean, one / 2, one], -1), chances


@pytest.mark.parametrize("law", [*rewards.LAWS, Halves()])
def test_sums_and_single_draws_have_the_mean_and_the_variance(law):
    """20 000 sums of 5, and single draws, within 6 standard errors: a right program fails one time in 10^7."""
    rng, mean, n, draws = np.random.default_rng(1), np.array([0.2, 0.5, 0.9]), 5, 20_000
    var = rewards.variance(mean, law)
    counts = np.full((draws, 3), n)
    sums = rewards.draw_sums(counts, mean, law, rng)
    singles = np.stack([rewards.draw(np.full(draws, m), law, rng) for m in mean], axis=1)
    for found, count in ((sums, n), (singles, 1)):
        off = np.abs(found.mean(axis=0) - count * mean)
        assert (off <= 6 * np.sqrt(count * var / draws) + 1e-7).all()
        # a variance of [0, count] variables is known to a twentieth of itself, and exactly where it is 0
        np.testing.assert_allclose(found.var(axis=0), count * var, rtol=0.1, atol=1e-7)


WRONG: dict[str, tuple[Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], str]] = {
    "another mean": (
        lambda m: (m[:, None] ** 2, m[:, None] * 0 + 1),
        "at mean 1/12 its rewards have the mean 1/144",
    ),
    "outside": (
        lambda m: (np.stack([2 * m, 0 * m], -1), np.stack([m * 0 + 1, m * 0 + 1], -1) / 2),
        "at mean 7/12 it has the reward 7/6",
    ),
    "chances": (lambda m: (m[:, None], m[:, None] * 0 + 2), "at mean 0 its probabilities are 2"),
    "one value": (
        lambda m: (m, m * 0 + 1),
        r"points of 13 means have shapes \(13,\) and \(13,\), must be \(13, J\)",
    ),
    "floats": (
        lambda m: (m.astype(float)[:, None], m[:, None] * 0 + 1),
        "its points are not rational where means are",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_reward_law_is_refused_with_what_it_gives(case):
    points, said = WRONG[case]
    law = type("Mine", (RewardLaw,), {"name": "mine", "points": lambda self, mean: points(mean)})()
    assert check_reward_law(Halves()) == []
    (found,) = check_reward_law(law)
    assert re.match(said, found), found


CONTEXTS: dict[str, tuple[dict[str, object], str]] = {
    "nothing": ({}, "overrides neither chances nor draw"),
    "sum": ({"chances": lambda self, size: ["1/2"] * size}, "of 1 contexts: contexts = sum 1/2"),
    "long": ({"draw": lambda self, n, k, d, rng: np.ones((n, k, d))}, r"draws a feature of norm 1\.41421"),
    "shape": ({"draw": lambda self, n, k, d, rng: np.ones((n, d))}, r"draws features of shape \(50, 2\)"),
    "own randomness": (
        {"draw": lambda self, n, k, d, rng: np.random.default_rng().random((n, k, d)) / 2},
        "the same generator gives another result",
    ),
}


@pytest.mark.parametrize("case", CONTEXTS)
def test_a_wrong_law_of_contexts_is_refused_with_what_it_gives(case):
    methods, said = CONTEXTS[case]
    found = check_context_law(type("Mine", (ContextLaw,), {"name": "mine", **methods})())
    assert re.match(said, found[0]), found
