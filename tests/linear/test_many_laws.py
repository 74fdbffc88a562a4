"""Agents with laws of their own, played side by side: the same law as one by one, in bounded memory."""

import tracemalloc

import numpy as np
import pytest

from bounds.schedules import doubling_plan
from fedigw.interfaces import Acting
from fedigw.replications import by_messages, pooled, simulate
from linear.contexts import finite
from linear.contexts.finite import FiniteContexts, Laws, grams
from linear.environments import different_laws
from linear.environments.finite_contexts import ball, with_intercept
from linear.federations import linear_federation

RNG = np.random.default_rng


def mixed(horizon=32):
    """Five agents: two share a law, contexts and arms differ in number."""
    rng = RNG(1)
    shapes = [(2, 3), (2, 3), (4, 2), (1, 5)]
    laws = [
        FiniteContexts(with_intercept(ball(rng, shape, 2)), rng.dirichlet(np.ones(shape[0])))
        for shape in shapes
    ]
    return linear_federation(
        (laws[0], laws[1], laws[2], laws[1], laws[3]), parameter(), doubling_plan(horizon, 5)
    )


def parameter():
    return np.array([0.6, 0.3, 0.2])


def test_laws_side_by_side_lose_what_each_loses_alone():
    made = mixed()
    act = Acting(made.model, RNG(0).normal(size=(3, 3)), made.policy, 20.0)
    played = [5, 1, 2, 7, 3]
    found = made.world.play_together(act, played, played, RNG(2), True)
    alone = np.array([c.regret_rate(act(c.features), parameter()) for c in made.world.agents])  # (M, R)
    np.testing.assert_allclose(found.regret, np.array(played) @ alone)
    np.testing.assert_allclose(found.by_agent, played * alone.mean(axis=1))
    assert found.data.count == sum(played)


def test_both_paths_agree_on_laws_of_different_sizes():
    made = mixed()
    together, one_by_one = pooled(made, 300, 1), by_messages(made, 100, 2)
    for a, b in zip(together.regret.T, one_by_one.regret.T, strict=True):
        error = np.sqrt(a.var() / len(a) + b.var() / len(b))
        assert abs(a.mean() - b.mean()) <= 4.5 * error + 1e-9  # 4.5 standard errors: 1e-5 a comparison


@pytest.mark.parametrize("runs", [1, 2, 50])
def test_gram_matrices_are_sums_over_cells(runs, monkeypatch):
    counts, cells = RNG(0).integers(0, 9, (runs, 40)).astype(float), RNG(1).normal(size=(40, 4))
    monkeypatch.setattr(finite, "MOST_SQUARES", 100)
    expected = np.einsum("rc,ci,cj->rij", counts, cells, cells)
    np.testing.assert_allclose(grams(counts, cells), expected)


def test_laws_of_one_are_not_copied():
    one = mixed().world.agents[0]
    assert Laws.of([one]).features is one.features


def test_a_run_needs_little_beside_its_features():
    """Chunks of laws, not all of them at once: with 1,500 agents that have 5 MB of features, less than 15 MB."""
    made = different_laws.make(RNG(0), 10, 4, 10, 1500, 16)
    simulate(made, 1, 0)  # what is made once
    tracemalloc.start()
    simulate(made, 1, 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    features = sum(c.features.nbytes for c in made.world.agents)
    assert features == 1500 * 4 * 10 * 10 * 8
    assert peak < 3 * features
