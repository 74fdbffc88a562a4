"""The claims about other rules and other systems: figures that are stated somewhere are found here."""

from fractions import Fraction

import numpy as np
import pytest

from bounds import app_greedy, app_softmax
from fedigw.policies.greedy import Greedy
from fedigw.replications import pooled
from verify.claims import own_federation_gain, rmk_IGW
from verify.claims.own_comparison import runs


@pytest.mark.parametrize(("agents", "stated"), [(1, 0.7055), (10, 0.3590), (100, 0.0784)])
def test_greedy_is_stuck_this_often(agents: int, stated: float) -> None:
    assert float(app_greedy.stuck(agents, 6)) == pytest.approx(stated, abs=5e-5)


def test_one_agent_by_hand() -> None:
    """Two steps of epoch 1: both on e1 (1/4), one on each (1/2), both on e2 (1/4); ties go to e1."""
    by_hand = Fraction(1, 4) + Fraction(1, 2) * (1 - Fraction(1, 2) * Fraction(3, 5))
    by_hand += Fraction(1, 4) * Fraction(2, 5) ** 2
    assert app_greedy.stuck(1, 2) == by_hand
    assert app_greedy.stuck(1, 3) == by_hand + (1 - by_hand) * Fraction(2, 5) ** 2


def test_greedys_exact_regret_is_what_runs_lose() -> None:
    federation = rmk_IGW.witness(256, "greedy")
    assert federation.policy == Greedy()
    total = pooled(federation, 4000, 0).total_regret
    stated = app_greedy.regret(rmk_IGW.AGENTS, 256)
    assert abs(total.mean() - stated) < 4.5 * total.std() / np.sqrt(len(total))


def test_the_floor_of_softmax_is_a_maximum() -> None:
    gaps = np.linspace(0.001, 0.2, 5000)
    losses = [app_softmax.floor(0.02, gap) for gap in gaps]
    assert max(losses) <= app_softmax.FLOOR * 0.02 + 1e-15
    assert app_softmax.floor(0.02, app_softmax.worst_gap(0.02)) == pytest.approx(app_softmax.FLOOR * 0.02)


def test_break_even_is_the_first_size_that_pays() -> None:
    rows = [
        {"M": 1, "regret": 10.0, "numbers": 0.0},
        {"M": 2, "regret": 8.0, "numbers": 5.0},
        {"M": 4, "regret": 4.0, "numbers": 5.0},
    ]
    assert own_federation_gain.smallest(rows, 0.1) == 2
    assert own_federation_gain.smallest(rows, 1.0) == 4
    assert own_federation_gain.smallest(rows, 2.0) is None


def test_every_system_plays_in_some_world_of_the_comparison() -> None:
    from fedigw.parts import systems

    found = {name for place in runs.WORLDS for name in runs.fitting(place)}
    assert found >= set(systems())
