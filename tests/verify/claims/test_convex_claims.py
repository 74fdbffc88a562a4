"""The reference runs behind col:convex and col:convex_per: what they must be, whatever the guarantee says."""

import numpy as np
import pytest

from verify.catalogue import find
from verify.experiments.local_moments import Samples
from verify.paper import BY_LABEL, LABELS
from verify.papers.fedigw.claims import col_convex_per
from verify.papers.fedigw.claims.col_convex import rows


def data(seed: int = 0) -> Samples:
    return rows.random_data(np.random.default_rng(seed), 3, 8, 3)


@pytest.mark.parametrize("seed", range(3))
def test_local_methods_reduce_to_gradient_descent_and_scaffold_has_no_bias(seed):
    found = data(seed)
    step = 1 / 2.5

    def gap(protocol: str, rounds: int, size: float) -> float:
        return found.mean.gap(rows.measured(protocol, found, rounds, size))

    lsgd = col_convex_per.end_of(found, 7, step, 1, 1.0)
    assert found.mean.gap(lsgd) == pytest.approx(gap("gd", 7, step), rel=1e-9)
    assert gap("gd", 0, step) == pytest.approx(found.mean.gap(np.zeros(3)))
    far = 20000
    assert gap("scaffold", far, step / 2) < 1e-12
    assert gap("fedavg", far, step / 2) > 1e-9, "FedAvg has a bias"
    assert gap("agd", 200, 1 / (2 * (1 + 1 / 24))) < 1e-9


@pytest.mark.parametrize("protocol", ["fedavg", "scaffold"])
def test_the_average_point_is_the_weighted_mean_of_the_points(protocol):
    found, step = data(), 0.2
    q = 1 - step / 24
    weights = q ** np.arange(6, -1, -1.0)
    points = np.array([rows.measured(protocol, found, r, step) for r in range(7)])
    mean = rows.measured(protocol, found, 7, step, average=True)
    assert mean == pytest.approx(weights @ points / weights.sum(), rel=1e-9)


def test_the_gap_is_that_of_the_objective():
    found, w = data(), np.array([0.1, -0.3, 0.5])
    features, rewards, problem = np.array(found.features), np.array(found.rewards), found.mean

    def loss(x: np.ndarray) -> float:
        return float(((features @ x - rewards) ** 2).mean() + x @ x / 24)

    assert problem.gap(w) == pytest.approx(loss(w) - loss(problem.best[0]))
    assert problem.gradients(problem.best).mean(0) == pytest.approx(np.zeros(3), abs=1e-12)


def test_lsgd_pfl_with_one_local_step_reaches_the_minimum_and_with_more_does_not():
    found = col_convex_per.random_data(np.random.default_rng(1), 3, 8, 2, 2)
    assert found.mean.gap(col_convex_per.end_of(found, 20000, 0.3, 1, 1.0)) < 1e-12
    assert found.mean.gap(col_convex_per.end_of(found, 20000, 0.3, 8, 1.0)) > 1e-9


def test_a_restated_label_leads_to_its_claim():
    assert BY_LABEL["col:convex_raw_full"] is BY_LABEL["col:convex_raw"]
    assert "col:convex_raw_full" in LABELS
    assert find("col:convex_raw_full") is find("col:convex_raw")


def test_the_supremum_over_a_ball_does_not_overflow():
    """The largest eigenvalue's direction hardly matters: the multiplier comes down to that eigenvalue."""
    from verify.papers.fedigw.claims.lem_rademacher import supremum

    assert supremum(np.diag([1.0, -1.0]), np.array([1e-20, 0.1]), 2.0) == pytest.approx(4.005)
