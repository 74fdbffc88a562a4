"""Tuned parameters: rational and exactly closing."""

from fractions import Fraction as F

import pytest

from bounds.best.adversary import random_trajectory
from bounds.best.constant import asynchronous, best
from bounds.best.parameters import DOUBLING, closes
from bounds.best.replay import replay
from bounds.best.tune import tune


@pytest.mark.parametrize(("c", "value"), [(1, 3.8090), (2, 6.3069), (4, 11.4971), (16, 43.1768)])
def test_tuned_constants_for_agents_out_of_step(c: int, value: float) -> None:
    found = tune(F(c))
    assert closes(found)
    over_g = asynchronous(found, None, F(c)).over_g
    assert over_g <= value + 1e-4


def test_tuning_gains_little_over_the_short_rationals() -> None:
    assert best(None).over_g * 0.999 < asynchronous(tune(), None, F(1)).over_g < best(None).over_g
    doubled = asynchronous(tune(ratio=DOUBLING.ratio), None, F(1)).over_g
    assert best(None, doubling=True).over_g * 0.999 < doubled < best(None, doubling=True).over_g


def test_tuned_proof_replays() -> None:
    from random import Random

    found, random = tune(F(2)), Random(2)
    for _ in range(60):
        assert not replay(
            random_trajectory(random, random.choice((2, 3, 5)), random.choice((3, 5))), found
        ).broken
