"""Theorem G, one round, in exact expectation: every sample path of two agents with two samples each, in rationals."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from bounds import local_steps
from verify.experiments.local_paths import Losses, Setting

quarters = st.integers(-4, 4).map(lambda k: Fraction(k, 4))


def array(values: list[Fraction], *shape: int) -> np.ndarray:
    return np.array(values, dtype=object).reshape(shape)


@st.composite
def rounds(draw: Any, name: str) -> tuple[Fraction, Fraction]:
    """Draw least squares of two agents and a state; return both sides of the inequality."""
    method = local_steps.METHODS[name]
    d = draw(st.integers(1, 2))
    shared = draw(st.integers(1, d)) if name.startswith("lsgd") else d
    features = array(draw(st.lists(quarters, min_size=4 * d, max_size=4 * d)), 2, 2, d)
    rewards = array(draw(st.lists(quarters, min_size=4, max_size=4)), 2, 2)
    share = Fraction(draw(st.integers(1, 3)), 4)
    ridge = Fraction(1, draw(st.sampled_from([1, 4, 100])))
    losses = Losses(features, rewards, array([share, 1 - share], 2), ridge, shared)
    part = Fraction(draw(st.integers(1, 4)), 4)  # of the largest step
    step = part * Fraction(*method.limit) / losses.beta
    local, server = draw(st.integers(1, 2)), Fraction(draw(st.integers(1, 2)))
    setting = Setting(losses, method, step, local, server, 2 if method.variates[0] else 0)
    away = array(draw(st.lists(quarters, min_size=2 * d, max_size=2 * d)), 2, d)
    error = array(draw(st.lists(quarters, min_size=2 * d, max_size=2 * d)), 2, d)
    controls = losses.mean_gradients(losses.best) + error
    return setting.one_round(losses.best + losses.average(away), controls)


@pytest.mark.parametrize("name", ["fedavg_sgd", "scaffold_sgd", "lsgd_pfl_sgd"])
def test_one_round_in_rationals(name):
    @given(rounds(name))
    def holds(sides: tuple[Fraction, Fraction]) -> None:
        left, right = sides
        assert isinstance(left, (Fraction, int))
        assert left <= right

    holds()


def test_a_third_of_the_constants_is_too_little():
    """The negative control: the search finds a round above a third of the right side."""
    once = settings(max_examples=2000, phases=[Phase.generate])  # not shrunk
    left, right = find(rounds("fedavg_sgd"), lambda sides: 3 * sides[0] > sides[1] > 0, settings=once)
    assert 3 * left > right
