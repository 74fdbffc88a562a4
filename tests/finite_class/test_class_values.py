"""The finite class at values worked out by hand: losses, ties, regret, the law of two epochs, the sides of lemmas."""

from fractions import Fraction

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import EpochPlan, doubling_plan
from fedigw.federation import Federation
from fedigw.interfaces import Acting, Steps
from fedigw.replications import by_messages, pooled
from finite_class.federations import finite_federation
from finite_class.law import exact_law
from finite_class.lemmas import two_epochs
from finite_class.lemmas.one_agent import q_loss_bound, v_upper
from finite_class.lemmas.two_epochs import AgentCells, TwoEpochs, first_half, mixture_regret, second_half
from finite_class.loss_law import Samples, float_law, rational_law
from finite_class.losses import LossTable, choose_minimiser
from finite_class.world import Agent
from verify.instances import parse

F = Fraction
ONE, ZERO = F(1), F(0)
ALL = (0, 1)
# f0 = f* pays 1 for arm 0 in both contexts; f1 differs at context 0, arm 0 alone
FUNCTIONS = (((ONE, ZERO), (ONE, ZERO)), ((ZERO, ZERO), (ONE, ZERO)))
LAW = (F(3, 4), F(1, 4))


def federation(ties: str, plan: EpochPlan, agents: tuple[Agent, ...] = (Agent(LAW, ALL),)) -> Federation:
    return finite_federation(
        FUNCTIONS,
        0,
        agents,
        plan,
        ties=ties,
        rewards="deterministic",
        learning_rate=[F(4)] * (plan.epochs - 1),
    )


@pytest.mark.parametrize(("ties", "share"), [("first", ZERO), ("adversarial", ONE), ("uniform", F(1, 2))])
@pytest.mark.parametrize("rational", [True, False])
def test_the_law_of_two_epochs(ties, share, rational):
    """Two samples of uniform play tell f1 from f0 unless both miss the cell of probability 3/8; then ties decide.

    In epoch 2, 3 steps of 4 before the horizon, gamma = 4: f0 plays the bad arm with 1/6 everywhere, f1 with 1/2 at
    context 0.
    """
    wrong = share * F(5, 8) ** 2
    found = exact_law(federation(ties, EpochPlan(((2,), (4,)), ((2,), (3,)))), rational, suprema=True)
    first, second = found.epochs
    near = {"rel": 0, "abs": 0 if rational else 1e-12}
    assert first.regret == pytest.approx(2 * F(1, 2), **near)
    assert first.excess_risk == pytest.approx(wrong * F(3, 8), **near)
    assert (first.a, first.b) == pytest.approx((2, 0), **near)
    assert {state: p for state, p in second.law.items() if p} == pytest.approx(
        {s: p for s, p in {0: 1 - wrong, 1: wrong}.items() if p}, **near
    )
    lost = (1 - wrong) * F(1, 6) + wrong * (F(3, 4) * F(1, 2) + F(1, 4) * F(1, 6))
    assert second.regret == pytest.approx(3 * lost, **near)
    assert (second.a, second.b) == pytest.approx((4 * wrong * F(3, 4), 0), **near)
    assert found.total_regret == pytest.approx(1 + 3 * lost, **near)


@pytest.mark.parametrize("make", [rational_law, float_law])
def test_the_law_of_a_sum_of_losses(make):
    """Steps of +1 with 1/4 and -1 with 3/4, three of them: f* is least if the sum is positive, never a tie."""
    samples = Samples(np.array([[1], [-1]], dtype=object), [F(1, 4), F(3, 4)], 3)
    up = 3 * F(1, 4) ** 2 * F(3, 4) + F(1, 4) ** 3
    assert make([samples]) == pytest.approx({(0,): up, (1,): 1 - up}, rel=1e-12)
    tied = Samples(np.array([[1], [-1]], dtype=object), [F(1, 4), F(3, 4)], 2)
    assert make([tied])[0, 1] == pytest.approx(2 * F(1, 4) * F(3, 4), rel=1e-12)


def test_losses_and_near_ties_are_integers():
    table = LossTable(np.array([[1, 2], [3, 0]], dtype=object), 4)
    counts, sums = np.array([5, 7]), np.array([11, 13])
    by_hand = [5 * 1 + 7 * 4 - 2 * (1 * 11 + 2 * 13), 5 * 9 - 2 * 3 * 11]
    assert table.losses(counts, sums).tolist() == by_hand
    assert table.minimal(counts[None], sums[None]).tolist() == [[True, False]]
    # beyond 2^53 floats cannot tell; losses that differ by one are no tie
    close = LossTable(np.array([[500_000], [500_001]], dtype=object), 10**6)
    n = 100_001
    s = (n * 1_000_001 - 1) // 2
    assert close.minimal(np.array([[n]]), np.array([[s]])).tolist() == [[True, False]]
    assert close.minimal(np.array([[2 * n]]), np.array([[n * 1_000_001]])).tolist() == [[True, True]]


def test_losses_in_blocks_of_rows_are_those_of_all_rows(monkeypatch):
    table = LossTable(np.array([[1, 2], [3, 0], [2, 2]], dtype=object), 4)
    counts, sums = np.arange(14).reshape(7, 2), 3 * np.arange(14)[::-1].reshape(7, 2)
    whole = table.minimal(counts, sums)
    assert len(np.unique(whole, axis=0)) > 1
    monkeypatch.setattr("finite_class.losses.AT_ONCE", 6)  # two rows at a time, and one that is left
    assert table.minimal(counts, sums).tolist() == whole.tolist()


def test_ties():
    minimal = np.array([[True, True, False], [True, False, False], [False, True, True]])
    assert choose_minimiser(minimal, 0, "first").tolist() == [0, 0, 1]
    assert choose_minimiser(minimal, 0, "adversarial").tolist() == [1, 0, 1]
    assert choose_minimiser(minimal, 1, "adversarial").tolist() == [0, 0, 2]
    drawn = choose_minimiser(np.repeat(minimal[:1], 200, axis=0), 0, "uniform", np.random.default_rng(0))
    assert set(drawn.tolist()) == {0, 1}  # either missing has chance 2^-199


def test_every_agent_has_its_own_contexts_arms_and_regret():
    """Three arms of which agent 1 has the worse two: its regret is to its own best arm. It sees context 1 alone."""
    functions = (((ONE, F(1, 2), ZERO),) * 2, ((ZERO, ZERO, ONE),) * 2)
    agents = (Agent((ONE, ZERO), (0, 1, 2)), Agent((ZERO, ONE), (1, 2)), Agent((ZERO, ONE), (1, 2)))
    made = finite_federation(functions, 0, agents, doubling_plan(2, 3))
    world, rng = made.world, np.random.default_rng(0)
    assert world.tables.regret[1].tolist() == [[0, 0, 0.5]] * 2
    assert world.largest_losses((10, 20, 30)) == [10, 10, 15]
    act = Acting(made.model, made.model.initial(), made.policy, 1.0)
    for agent, rate in ((0, 0.5), (1, 0.25)):
        seen = world.play(agent, act, Steps(40, 12), rng)
        assert seen.regret == pytest.approx(12 * rate)
        assert seen.data.counts.sum() == 40
        assert seen.data.counts.reshape(2, 3)[1 - agent].sum() == 0
    distinct, index = made.model.distinct(np.full(5, 2))
    together = world.play_together(
        Acting(made.model, distinct, made.policy, 1.0, index), (4, 6, 8), (4, 6, 8), rng, True
    )
    assert together.regret == pytest.approx([4 * 0.5 + 14 * 0.25] * 5)
    counts = together.data.counts.reshape(5, 2, 3).sum(axis=2)
    assert counts.tolist() == [[4, 14]] * 5


def test_agents_with_the_same_arms_weigh_by_their_steps_and_laws():
    """Agent 0 sees context 0 alone, where f1 errs by 1 at arm 0, and has three quarters of the steps; arms are drawn
    uniformly: (3/4)(1/2). Epoch by epoch, the regret of a state is the sum over the agents one by one."""
    agents = (Agent((ONE, ZERO), ALL), Agent((ZERO, ONE), ALL))
    made = federation("first", EpochPlan(((30, 10), (60, 20)), ((30, 10), (60, 5))), agents)
    act = Acting(made.model, made.model.initial(), made.policy, 1.0)
    assert made.world.excess_risk(lambda m: act, lambda m: 1, (30, 10)) == pytest.approx(3 / 8)
    arrays, rate = made.world.tables, float(made.learning_rates()[1])
    used = arrays.probabilities(made.policy, ALL, rate)
    states = 60 * arrays.regret_rate(0, used) + 5 * arrays.regret_rate(1, used)
    assert states[0] != pytest.approx(states[1])
    uniform, second = made.world.epoch_regret_range(made)
    assert uniform == pytest.approx((20, 20))
    assert second == pytest.approx((states[:2].min(), states[:2].max()))


def test_the_least_loss_is_learned_and_the_ledger_counts_every_function():
    made = federation("adversarial", doubling_plan(64, 2), (Agent(LAW, ALL),) * 2)
    record = by_messages(made, 3, 0)
    assert {row[-1] for row in record.models} == {row[-1] for row in pooled(made, 3, 0).models} == {0}
    promised = made.guarantee()
    call = promised.cost(4)
    assert (call.numbers_up, call.numbers_down, call.rounds) == (2 * 2, 2, 1)
    # calls, rounds, messages, numbers and bits, up and down, of the first call
    assert record.traffic[0, 0].tolist() == [1, 1, 2, 2, 4, 2, 64 * 4, 64 * 2]


def test_the_lemmas_of_one_agent():
    contexts, estimate, rate = (ONE,), ((ONE, F(1, 2), ZERO),), F(4)
    rights = [q_loss_bound(contexts, estimate, rate, v).right for v in ("printed", "sharpened", "unit range")]
    assert rights == [F(3, 4), F(1, 2), F(2, 7)]
    # p = 1/5 at gap 1/2 and 1/7 at gap 1
    assert q_loss_bound(contexts, estimate, rate).left == F(1, 5) / 2 + F(1, 7)
    upper = v_upper(contexts, estimate, F(2), (2,))
    assert (upper.left, upper.right) == (5, 5)


def test_the_lemmas_of_two_epochs():
    """One agent, two arms, lengths 2 then 4, gamma 1 then 2: w = 4, Err = 3/8, a = 2, b before = 2."""
    agent = AgentCells((ONE,), ((ONE, ZERO),), ((ZERO, ONE),), ((F(1, 4), ZERO),), 2, 4)
    world = TwoEpochs((agent,), ONE, F(2))
    assert two_epochs.squared_error(world) == F(3, 8)
    assert mixture_regret(world) == 4 / (2 + F(1, 2))
    leading, carried = 1 + 4 * 2 * 2 * F(3, 8), F(2 * 1 * 2, 4 * 2)
    first, second = first_half(world), second_half(world)
    assert (first.left, first.right) == (2, F(4, 3) * (leading + carried))
    assert (second.left, second.right) == (0, leading + F(2, 4) + carried)
    # t = 1/8: A2 = 8/7, b before = 2 sup(gaphat - 8/7 gap) = 2
    sharp = two_epochs.sharpened_induction(world, F(1, 8))
    assert (sharp.left, sharp.right) == (
        0,
        2 * F(1, 8) * 4 + 2 * F(1, 8) * F(1, 2) * 2 * 2 + 2 / F(1, 2) * 2 * F(3, 8),
    )


def test_an_arm_in_nobodys_set_is_refused():
    """A column of functions that no agent may play is most likely a slip in a list of arms."""
    table = {
        "kind": "finite_class",
        "horizon": 8,
        "truth": 0,
        "functions": [[["1/2", "1/4", "1/8"]], [["1/4", "1/2", "1/8"]]],
        "agents": [{"contexts": ["1"], "arms": [0, 1]}, {"contexts": ["1"], "arms": [0]}],
    }
    with pytest.raises(InputError, match=r"agents\.arms = no agent has arm 2: every column"):
        parse(table)
    table["agents"][1]["arms"] = [0, 2]
    assert parse(table).arms == (2, 2)
