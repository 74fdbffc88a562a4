"""Adaptive greedy and the supervised ceilings, on data where the answer is plain."""

import numpy as np

from fedigw_extensions.neural.adaptive_greedy import AdaptiveGreedy
from fedigw_extensions.neural.datasets.look_alike import look_alike
from fedigw_extensions.neural.network import Interactions, LinearArms
from fedigw_extensions.neural.supervised import ceilings, perceptron, ridge

DATA = look_alike("bibtex", 3, rows=300, features=60, labels=8)


def test_adaptive_greedy_learns_and_the_generator_decides():
    rewards = AdaptiveGreedy().play(DATA, 2000, np.random.default_rng(0))
    again = AdaptiveGreedy().play(DATA, 2000, np.random.default_rng(0))
    assert np.array_equal(rewards, again)
    assert rewards[:50].mean() < rewards[-1000:].mean()
    assert rewards[-1000:].mean() > 2.5 * DATA.uniform_reward


def test_a_threshold_above_every_score_explores_for_ever():
    never = AdaptiveGreedy(percentile=100.0, decay=1.0)
    rewards = never.play(DATA, 1500, np.random.default_rng(0))
    greedy = AdaptiveGreedy(percentile=0.0).play(DATA, 1500, np.random.default_rng(0))
    assert rewards[-500:].mean() < greedy[-500:].mean()


def test_the_logistic_slope_is_that_of_cross_entropy():
    rng = np.random.default_rng(1)
    network = LinearArms(DATA.dimension, DATA.arms)
    rows, arms = rng.integers(0, 300, 20).astype(np.int32), rng.integers(0, 8, 20).astype(np.int32)
    data = Interactions(DATA, rows, arms, DATA.labels[rows, arms].astype(float))

    def entropy(point):
        value = network.scores(point, DATA.features.astype(float)[rows])[np.arange(20), arms]
        return float(np.mean(np.logaddexp(0, value) - data.rewards * value))

    point, slope = 0.3 * rng.standard_normal(network.size), np.zeros(network.size)
    network.add_gradient(point, data, 1.0, slope, logistic=True)
    for place in rng.choice(network.size, 40, replace=False):
        move = 1e-6 * (np.arange(network.size) == place)
        assert abs((entropy(point + move) - entropy(point - move)) / 2e-6 - slope[place]) < 1e-7


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
