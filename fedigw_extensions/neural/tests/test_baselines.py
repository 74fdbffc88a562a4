"""The supervised ceilings and the package of adaptive greedy, on data where the answer is plain."""

import numpy as np
import pytest

from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.figures import agr
from fedigw_extensions.neural.supervised import ceilings, perceptron, ridge

DATA = look_alike("bibtex", 3, rows=300, features=60, labels=8)


def test_ridge_solves_its_normal_equations():
    rows = np.arange(200)
    scores = ridge(DATA, rows)
    residual = scores(rows) - DATA.labels[rows]
    assert np.abs(residual.sum(axis=0)).max() < 1e-8  # the intercept
    assert (residual**2).sum() < ((DATA.labels[rows] - DATA.labels[rows].mean(axis=0)) ** 2).sum()


def test_ceilings_are_above_constants_and_below_what_is_possible():
    found = ceilings(DATA, epochs=60, width=16)["ceilings"]
    for learner in ("ridge", "perceptron"):
        assert DATA.best_constant < found[learner]["held_out"] <= found["possible"]
        assert found[learner]["in_sample"] >= found[learner]["held_out"] - 0.05
    assert perceptron(DATA, np.arange(50), 0, 1, 4)(np.arange(3)).shape == (3, 8)


def test_adaptive_greedy_learns_and_is_refused_in_one_line_without_its_package(monkeypatch):
    pytest.importorskip("contextualbandits")
    found = agr.run(DATA, 600, seed=0)
    assert np.mean(found["curve"][-4:]) > 1.2 * DATA.uniform_reward
    assert found["curve"] == agr.run(DATA, 600, seed=0)["curve"]
