"""FALCON is FedIGW with one agent, bit by bit; adaptive greedy, UCB and Thompson sampling do what they say."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.applicable import applicable
from fedigw.channel import Channel
from fedigw.interfaces import Acting, Steps
from fedigw.policies.adaptive_greedy import AdaptiveGreedy
from fedigw.policies.falcon import Falcon
from fedigw.policies.greedy import Greedy
from fedigw.policies.thompson import Thompson
from fedigw.policies.ucb import UCB
from fedigw.replications import by_messages, pooled
from finite_class.environments import random_table
from linear.environments import finite_contexts
from linear.protocols.direct_covariance import DirectCovariance

RNG = np.random.default_rng


@pytest.mark.parametrize("seed", range(3))
def test_falcon_is_fedigw_with_one_agent_bit_by_bit(seed):
    for made in (
        finite_contexts.make(RNG(seed), 3, 4, 3, 1, 500),
        random_table.make(RNG(seed), functions=4, contexts=3, arms=3, agents=1, horizon=500),
    ):
        falcon = replace(made, policy=Falcon())
        for run in (by_messages, pooled):
            one, other = run(made, 3, seed), run(falcon, 3, seed)
            assert one.regret.tobytes() == other.regret.tobytes()
            assert one.models == other.models
        assert applicable(falcon).values == applicable(made).values  # the same rule: the theorem is about it


def test_adaptive_greedy_is_greedy_where_an_arm_is_good_enough():
    scores = np.array([[Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 4), Fraction(1, 3)]], dtype=object)
    chances = AdaptiveGreedy(0.5).probabilities(scores, 0)
    assert chances.tolist() == [[0, 1], [Fraction(1, 2), Fraction(1, 2)]]
    with pytest.raises(InputError, match="threshold"):
        AdaptiveGreedy(float("nan"))


def test_thompson_sampling_gives_the_chance_of_the_largest_draw():
    """Two arms: Phi((m1 - m2)/sqrt(s1^2 + s2^2)); equal arms: equal chances; against 200,000 draws for five arms."""
    from scipy.special import ndtr

    chances = Thompson(1.0).probabilities(np.array([0.3, 0.5]), 0, np.array([0.2, 0.4]))
    assert chances[1] == pytest.approx(ndtr(0.2 / np.hypot(0.2, 0.4)), abs=1e-6)
    assert Thompson().probabilities(np.zeros(4), 0, np.ones(4)) == pytest.approx(np.full(4, 0.25))
    rng = RNG(0)
    scores, widths = rng.random(5), rng.random(5) + 0.1
    draws = scores + 0.5 * widths * rng.standard_normal((200_000, 5))
    shares = np.bincount(draws.argmax(axis=1), minlength=5) / 200_000
    assert np.abs(Thompson().probabilities(scores, 0, widths) - shares).max() < 0.006  # five standard errors


@pytest.mark.parametrize("policy", [UCB(), Thompson()])
def test_policies_with_widths_run_on_a_linear_world(policy):
    made = finite_contexts.make(RNG(1), 3, 3, 3, 4, 256)
    federation = replace(made, protocol=DirectCovariance(), policy=policy)
    record = by_messages(federation, 10, 0)
    assert 0 < record.total_regret.mean() < sum(made.world.largest_losses([256] * 4))
    assert not applicable(federation).values  # the theorem is about inverse gap weighting
    sent = record.total_traffic("numbers_up")
    assert np.array_equal(sent, record.total_traffic("numbers_down"))  # covariance matrices travel both ways


def test_ucb_without_widths_is_greedy_and_with_them_forgets():
    """Radius 0 is greedy. With widths an epoch of one arm leaves the others unknown again, as older data are not
    used."""
    made = replace(finite_contexts.make(RNG(1), 3, 1, 3, 4, 512), protocol=DirectCovariance())
    greedy, none = (by_messages(replace(made, policy=p), 5, 0).regret for p in (Greedy(), UCB(0.0)))
    assert greedy.tobytes() == none.tobytes()
    wide = by_messages(replace(made, policy=UCB(2.0)), 20, 0)
    assert wide.regret[:, -1].mean() > by_messages(made, 20, 0).regret[:, -1].mean()


def test_widths_are_those_of_the_data():
    """UCB with a huge radius plays the arm that was seen least, whatever its reward."""
    made = finite_contexts.make(RNG(1), 3, 1, 3, 2, 8)
    uniform = Acting(made.model, made.model.initial(), made.policy, 1.0)
    problem_data = made.world.play(0, uniform, Steps(40, 40), RNG(0)).data
    problem = made.model.problem([problem_data], 1)
    fitted = DirectCovariance().fit(problem, Channel(1, 1), None, RNG(0)).parameters
    gram = problem_data.gram + np.eye(3)
    features = made.world.agents[0].features
    stated = np.sqrt(np.einsum("xkd,de,xke->xk", features, np.linalg.inv(gram), features))
    assert made.model.widths(fitted, features) == pytest.approx(stated)
    with pytest.raises(InputError, match="needs widths, which protocol direct does not send"):
        replace(made, policy=UCB())
