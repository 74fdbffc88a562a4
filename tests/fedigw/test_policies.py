"""Policies: what they play, and that whole federations run with them on every path."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.applicable import applicable
from fedigw.parts import policies
from fedigw.policies.epsilon_greedy import EpsilonGreedy
from fedigw.policies.greedy import Greedy
from fedigw.policies.softmax import Softmax
from fedigw.rates import TheoremRates
from fedigw.replications import by_messages, pooled
from finite_class.environments import random_table
from finite_class.law import exact_law


def test_what_they_play():
    scores = np.array([[0.2, 0.5, 0.5], [0.9, 0.1, 0.0]])
    np.testing.assert_array_equal(Greedy().probabilities(scores, 3.0), [[0, 1, 0], [1, 0, 0]])
    np.testing.assert_allclose(
        EpsilonGreedy(0.3).probabilities(scores, 3.0), [[0.1, 0.8, 0.1], [0.8, 0.1, 0.1]]
    )
    weights = np.exp(scores / 0.1)
    np.testing.assert_allclose(
        Softmax(0.1).probabilities(scores, 3.0), weights / weights.sum(axis=1, keepdims=True)
    )
    assert np.isfinite(Softmax(1e-6).probabilities(scores, 3.0)).all()


@pytest.mark.parametrize("name", sorted(n for n, p in policies().items() if not p.needs))
def test_both_paths_and_the_exact_law_agree(name):
    made = random_table.make(np.random.default_rng(3), functions=3, contexts=2, arms=2, agents=2, horizon=14)
    rates = TheoremRates("tuned") if name == "tuned_epsilon_greedy" else made.rates
    federation = replace(made, policy=policies()[name](), rates=rates)
    fast, slow = pooled(federation, 20_000, 1).total_regret, by_messages(federation, 250, 2).total_regret
    gap = abs(fast.mean() - slow.mean())
    assert gap <= 4.5 * np.sqrt(fast.var() / len(fast) + slow.var() / len(slow)) + 1e-12
    assert federation.policy.rational == (name != "softmax")
    if federation.policy.rational:
        expected = float(exact_law(federation, rational=False).total_regret)
        assert abs(fast.mean() - expected) <= 4.5 * fast.std() / np.sqrt(len(fast)) + 1e-9
    else:
        with pytest.raises(InputError, match="has no rational probabilities"):
            exact_law(federation)
    assert bool(applicable(federation).values) == (
        name in ("igw", "falcon", "epsilon_greedy", "tuned_epsilon_greedy", "softmax")
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Softmax(0.0), "temperature = 0.0: must be a positive number"),
        (lambda: EpsilonGreedy(1.5), r"epsilon = 1.5: must be a number in \[0,1\]"),
    ],
)
def test_bad_fields_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
