"""The reference runs behind col:convex and col:convex_per: what they must be, whatever the guarantee says."""

import numpy as np
import pytest

from verify.catalogue import find
from verify.experiments import personal_rounds, ridge_rounds
from verify.paper import BY_LABEL, LABELS


def data(seed: int = 0) -> ridge_rounds.RidgeData:
    return ridge_rounds.random_data(np.random.default_rng(seed), 3, 8, 3)


@pytest.mark.parametrize("seed", range(3))
def test_local_methods_reduce_to_gradient_descent_and_scaffold_has_no_bias(seed: int) -> None:
    found = data(seed)
    step = 1 / 2.5
    plain = ridge_rounds.gradient_descent(found, 7, step)
    assert ridge_rounds.local_steps(found, 7, step, 1, 1.0, corrected=False) == pytest.approx(plain, rel=1e-9)
    assert ridge_rounds.gradient_descent(found, 0, step) == pytest.approx(found.gap(np.zeros(3)))
    far = 20000
    assert ridge_rounds.local_steps(found, far, step / 2, 5, 1.0, corrected=True) < 1e-12
    assert ridge_rounds.local_steps(found, far, step / 2, 5, 1.0, corrected=False) > 1e-9, "FedAvg has a bias"
    assert ridge_rounds.accelerated(found, 200, 1 / (2 * (1 + 1 / found.n))) < 1e-9


def test_the_gap_is_that_of_the_objective() -> None:
    found, w = data(), np.array([0.1, -0.3, 0.5])

    def loss(x: np.ndarray) -> float:
        return float(((found.features @ x - found.rewards) ** 2).mean() + x @ x / found.n)

    assert found.gap(w) == pytest.approx(loss(w) - loss(found.minimiser))
    assert found.gradients(np.tile(found.minimiser, (3, 1))).mean(0) == pytest.approx(np.zeros(3), abs=1e-12)


def test_lsgd_pfl_with_one_local_step_reaches_the_minimum_and_with_more_does_not() -> None:
    found = personal_rounds.random_data(np.random.default_rng(1), 3, 8, 2, 2)
    assert personal_rounds.gap_after(found, 20000, 0.3, 1, 1.0) < 1e-12
    assert personal_rounds.gap_after(found, 20000, 0.3, 8, 1.0) > 1e-9


def test_nothing_personal_is_fedavg() -> None:
    found = data(2)
    same = personal_rounds.PersonalData(found.features, found.rewards, 3)
    for rounds in (1, 5, 50):
        theirs = ridge_rounds.local_steps(found, rounds, 0.3, 4, 1.5, corrected=False)
        assert personal_rounds.gap_after(same, rounds, 0.3, 4, 1.5) == pytest.approx(theirs, rel=1e-9)


def test_a_restated_label_leads_to_its_claim() -> None:
    assert BY_LABEL["col:convex_raw_full"] is BY_LABEL["col:convex_raw"]
    assert "col:convex_raw_full" in LABELS
    assert find("col:convex_raw_full") is find("col:convex_raw")


def test_the_supremum_over_a_ball_does_not_overflow() -> None:
    """The largest eigenvalue's direction hardly matters: the multiplier comes down to that eigenvalue."""
    from verify.claims.lem_rademacher import supremum

    assert supremum(np.diag([1.0, -1.0]), np.array([1e-20, 0.1]), 2.0) == pytest.approx(4.005)
