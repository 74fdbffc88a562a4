"""own:adaptive as a claim: what its checks find, and that a space 10 % too narrow is seen."""

import numpy as np
import pytest

from verify.claim import Task, Verdict
from verify.papers.fedigw.claims.own_adaptive import exact, runs


def task(seed: int = 0) -> Task:
    return Task("quick", np.random.SeedSequence(seed), 1e-4)


def test_the_space_is_wide_enough_and_ten_percent_less_is_not() -> None:
    """At gap 0.1 and delta = 0.1 f* leaves with probability 0.0901; 0.9 of the threshold: 0.1147."""
    assert runs.leaving_probability(0.1, 1.0, 0.1) == pytest.approx(0.0901, abs=1e-4)
    assert runs.leaving_probability(0.1, 0.9, 0.1) == pytest.approx(0.1147, abs=1e-4)
    assert runs.version_space(task()).kind is Verdict.FLOAT
    assert runs.version_space(task(), 0.9).kind is Verdict.REFUTED


def test_chi_square_notices_what_the_law_does_not_know() -> None:
    assert exact.chi_square({0.0: 0.5, 1.0: 0.5}, np.array([0.0] * 50 + [1.0] * 50)) == (0.0, 2)
    statistic, _ = exact.chi_square({0.0: 0.5, 1.0: 0.5}, np.array([0.0] * 50 + [2.0] * 50))
    assert statistic > 50
