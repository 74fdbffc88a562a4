"""Policies: what they play, and that whole federations run with them on every path."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw import outside
from fedigw.applicable import applicable
from fedigw.channel import Channel
from fedigw.discovery import CatalogueError
from fedigw.interfaces import Acting, Steps
from fedigw.parts import named, policies
from fedigw.policies.adaptive_greedy import AdaptiveGreedy
from fedigw.policies.epsilon_greedy import EpsilonGreedy
from fedigw.policies.falcon import Falcon
from fedigw.policies.greedy import Greedy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.policies.softmax import Softmax
from fedigw.policies.thompson import Thompson
from fedigw.policies.ucb import UCB
from fedigw.rates import TheoremRates
from fedigw.replications import by_messages, pooled
from finite_class.environments import random_table
from finite_class.law import exact_law
from linear.environments import finite_contexts
from linear.protocols.direct_covariance import DirectCovariance


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


HEAD = """from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from fedigw.interfaces import Policy

@dataclass(frozen=True)
class P(Policy):
    name: ClassVar[str] = "p"

    def probabilities(self, scores, rate, widths=None):
"""
LINE = HEAD.count("\n")
WRONG = {
    "np.ones(scores.shape)": "must sum to 1 within 1e-06: a sum is 3",
    "np.full(scores.shape, np.nan)": "must be finite numbers: one is nan",
    "np.eye(3)[0] * 1.5 - np.eye(3)[1] * 0.5 + 0 * scores": "must not be negative: one is -0.5",
    "np.ones(2)": "must have the shape of the scores, (4, 3), not (2,)",
    "'abc'": "must be an array of numbers, not str",
    "np.full(scores.shape, (1 + 1e-5) / 3)": "must sum to 1 within 1e-06: a sum is 1.00001",
}


def theirs(tmp_path: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(outside, "_allowed", True)
    (tmp_path / "p.py").write_text(HEAD + f"        return {body}\n")
    return named("policy", str(tmp_path / "p.py"), policies())


@pytest.mark.parametrize("body", WRONG)
def test_what_is_no_probability_is_refused_with_file_and_line(body, tmp_path, monkeypatch):
    policy = theirs(tmp_path, body, monkeypatch)
    with pytest.raises(CatalogueError) as refused:
        policy.probabilities(np.zeros((4, 3)), 1.0)
    assert str(refused.value) == f"{tmp_path / 'p.py'}, line {LINE}: P.probabilities {WRONG[body]}"


def test_rounding_is_divided_away_and_the_rest_is_left_as_it_is(tmp_path, monkeypatch):
    rounded = theirs(tmp_path, "np.full(scores.shape, 1 / 3, dtype=np.float32)", monkeypatch)
    found = rounded.probabilities(np.zeros((4, 3)), 1.0)
    assert np.abs(found.sum(axis=-1) - 1).max() < 1e-15
    exact = theirs(tmp_path, "np.array([1 - 2 * scores[0], *(2 * [scores[0]])])", monkeypatch)
    row = exact.probabilities(np.array([Fraction(1, 7)] * 3, dtype=object), Fraction(1))
    assert list(row) == [Fraction(5, 7), Fraction(1, 7), Fraction(1, 7)]


def test_our_own_are_not_checked_at_run_time():
    assert type(named("policy", "igw", policies())).probabilities is InverseGapWeighting.probabilities
