"""The supervised ceilings and the package of adaptive greedy, on data where the answer is plain."""

import sys
from types import ModuleType

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


def test_adaptive_greedy_plays_and_counts_its_last_batch_as_it_is(monkeypatch):
    """130 steps are batches of 50, 50 and 30: the last one is not padded, and nothing is fitted after it."""
    played, fitted = [], []

    class AdaptiveGreedy:
        def __init__(self, *_, **settings):
            assert settings["random_state"] == 6
            assert settings["beta_prior"] == ((3 / DATA.arms, 4), 2)

        def predict(self, features):
            played.append(len(features))
            return np.full(len(features), len(played) % DATA.arms)

        def fit(self, features, arms, rewards):
            fitted.append((len(features), len(arms), len(rewards)))

    for name, content in (
        ("contextualbandits.online", AdaptiveGreedy),
        ("sklearn.linear_model", type("LogisticRegression", (), {"__init__": lambda self, **_: None})),
    ):
        module = ModuleType(name)
        setattr(module, content.__name__, content)
        monkeypatch.setitem(sys.modules, name.partition(".")[0], ModuleType(name.partition(".")[0]))
        monkeypatch.setitem(sys.modules, name, module)
    found = agr.run(DATA, 130, seed=5)
    rng = np.random.default_rng([5])
    rows = rng.integers(0, DATA.rows, 130)
    arms = np.concatenate([rng.integers(0, DATA.arms, 130)[:50], np.full(50, 1), np.full(30, 2)])
    rewards = DATA.labels[rows, arms]
    assert (played, fitted) == ([50, 30], [(50,) * 3, (100,) * 3])
    assert found["curve"] == [round(rewards[part].mean(), 5) for part in np.split(np.arange(130), [50, 100])]
    assert found["average"] == round(rewards.mean(), 5)
    assert found["last"] == round(rewards[100:].mean(), 5), "no batch begins in the last 13 steps"
    longer = agr.run(DATA, 1000, seed=5)
    assert longer["last"] == pytest.approx(np.mean(longer["curve"][-2:])), "the last tenth, two batches"


def test_adaptive_greedy_learns_and_is_refused_in_one_line_without_its_package(monkeypatch):
    pytest.importorskip("contextualbandits")
    found = agr.run(DATA, 600, seed=0)
    assert np.mean(found["curve"][-4:]) > 1.2 * DATA.uniform_reward
    assert found["curve"] == agr.run(DATA, 600, seed=0)["curve"]
