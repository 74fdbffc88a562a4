"""Continuous contexts: the worlds in which few runs decide, and a decision that a false bound does not survive."""

import numpy as np
import pytest

from bounds.theorems import col_linear
from fedigw.applicable import applicable_bounds, largest_regret
from linear.environments import sphere
from verify.claim import Task, Verdict
from verify.papers.fedigw.claims.col_linear import continuous
from verify.papers.fedigw.claims.col_linear.continuous import SHARE, with_contrast


def made(dimension, arms, agents, horizon):
    plain = sphere.make(np.random.default_rng(0), dimension, arms, agents, horizon)
    bound = col_linear.epoch_sum("sharpened", agents, arms, dimension).value(horizon)
    return with_contrast(plain, bound), bound


@pytest.mark.parametrize("design", [*continuous.FULL, *continuous.QUICK])
def test_the_bound_is_a_stated_share_of_what_the_world_can_lose(design):
    instance, bound = made(*design[:4])
    assert bound == pytest.approx(applicable_bounds(instance)["sharpened"])
    assert bound == pytest.approx(SHARE * largest_regret(instance))
    assert bound < 0.3 * design[2] * design[3]  # far from M T


def test_a_world_is_never_given_more_contrast_than_it_can_have():
    instance, _ = made(5, 5, 2, 16)
    assert np.linalg.norm(instance.world.parameter) == pytest.approx(1.0)


def test_too_few_runs_decide_nothing(monkeypatch):
    monkeypatch.setattr(continuous, "QUICK", ((5, 5, 2, 2**10, 5),))
    found = continuous.streamed_regret(Task("quick", np.random.SeedSequence(1), 5e-5))
    assert found.kind is Verdict.UNDECIDED
