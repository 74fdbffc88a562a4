"""Continuous contexts: the worlds in which few runs decide, and a decision that a false bound does not survive."""

import numpy as np
import pytest

from fedigw.applicable import applicable_bounds, largest_regret
from verify.claim import Task
from verify.papers.fedigw.claims.col_linear import continuous
from verify.papers.fedigw.claims.col_linear.continuous import SHARE, Design, with_contrast
from verify.verdict import Verdict


@pytest.mark.parametrize("design", [*continuous.FULL, *continuous.QUICK])
def test_the_bound_is_half_of_what_the_world_can_lose(design):
    instance = with_contrast(np.random.default_rng(0), design)
    assert design.bound == pytest.approx(applicable_bounds(instance)["sharpened"])
    assert design.bound == pytest.approx(SHARE * largest_regret(instance))
    assert design.bound < 0.3 * design.agents * design.horizon  # far from M T


def test_a_world_is_never_given_more_contrast_than_it_can_have():
    instance = with_contrast(np.random.default_rng(0), Design(5, 5, 2, 16, 1))
    assert np.linalg.norm(instance.world.parameter) == pytest.approx(1.0)


def test_too_few_runs_decide_nothing(monkeypatch):
    monkeypatch.setattr(continuous, "QUICK", (Design(5, 5, 2, 2**10, 5),))
    found = continuous.streamed_regret(Task("quick", np.random.SeedSequence(1), 5e-5))
    assert found.kind is Verdict.INCONCLUSIVE
