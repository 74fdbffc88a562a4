"""The exact law against brute-force enumeration of every history, and the three engines against each other."""

import itertools
from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import EpochPlan, asynchronous_plan
from fedigw.federation import Federation
from finite_class import loss_law
from finite_class.federations import finite_federation
from finite_class.law import exact_law
from finite_class.loss_law import Samples, TooLarge
from finite_class.world import Agent

HALF = Fraction(1, 2)


def plan(*rows: tuple[int, ...]) -> EpochPlan:
    return EpochPlan(rows, rows)


def enumerate_histories(instance: Federation) -> tuple[list[dict[int, Fraction]], list[Fraction]]:
    """Laws of the function in use and expected regret per epoch, by walking every history sample by sample.

    Written from the definition, sharing nothing with the code under test but the instance.
    """
    functions, truth = instance.world.functions, instance.world.functions[instance.world.truth]
    initial = len(functions)

    def score(state: int, x: int, a: int) -> Fraction:
        return Fraction(0) if state == initial else functions[state][x][a]

    def kernel(state: int, x: int, arms: tuple[int, ...], rate: Fraction) -> dict[int, Fraction]:
        best = max(score(state, x, a) for a in arms)
        greedy = min(a for a in arms if score(state, x, a) == best)
        p = {a: 1 / (len(arms) + rate * (best - score(state, x, a))) for a in arms if a != greedy}
        p[greedy] = 1 - sum(p.values(), Fraction(0))
        return p

    def reward_points(x: int, a: int) -> list[tuple[Fraction, Fraction]]:
        mean = truth[x][a]
        if instance.world.rewards == "deterministic":
            return [(mean, Fraction(1))]
        if instance.world.rewards == "two_point":
            w = min(mean, 1 - mean)
            return [(mean - w, HALF), (mean + w, HALF)]
        return [(Fraction(1), mean), (Fraction(0), 1 - mean)]

    laws, regrets = [], []
    law = {initial: Fraction(1)}
    for epoch, (full, played) in enumerate(zip(instance.plan.full, instance.plan.played, strict=True)):
        rate = instance.learning_rates()[epoch]
        laws.append(dict(law))
        regret = Fraction(0)
        following: dict[int, Fraction] = defaultdict(Fraction)
        for state, probability in law.items():
            sample_laws = []
            for m, agent in enumerate(instance.world.agents):
                one: list[tuple[Any, Fraction]] = []
                for x, px in enumerate(agent.contexts):
                    p = kernel(state, x, agent.arms, rate)
                    best = max(truth[x][a] for a in agent.arms)
                    for a, pa in p.items():
                        regret += probability * played[m] * px * pa * (best - truth[x][a])
                        for r, pr in reward_points(x, a):
                            if px * pa * pr:
                                one.append(((x, a, r), px * pa * pr))
                sample_laws += [one] * full[m]
            for history in itertools.product(*sample_laws):
                chance = probability
                losses = [Fraction(0)] * len(functions)
                for (x, a, r), p1 in history:
                    chance *= p1
                    for f, table in enumerate(functions):
                        losses[f] += (table[x][a] - r) ** 2
                least = [f for f, loss in enumerate(losses) if loss == min(losses)]
                wrong = [f for f in least if f != instance.world.truth]
                if instance.protocol.ties == "uniform":
                    for f in least:
                        following[f] += chance / len(least)
                elif instance.protocol.ties == "adversarial" and wrong:
                    following[wrong[0]] += chance
                else:
                    following[least[0]] += chance
        regrets.append(regret)
        law = {f: p for f, p in following.items() if p}
    return laws, regrets


TABLES = (
    ((HALF, Fraction(0)), (Fraction(1, 3), Fraction(2, 3))),
    ((HALF, Fraction(1)), (Fraction(1, 4), HALF)),
    ((Fraction(3, 4), Fraction(1, 5)), (Fraction(1), Fraction(0))),
)


@pytest.mark.parametrize("ties", ["first", "adversarial", "uniform"])
@pytest.mark.parametrize("rewards", ["bernoulli", "deterministic", "two_point"])
def test_the_law_is_that_of_every_history(ties, rewards):
    instance = finite_federation(
        functions=TABLES,
        truth=1,
        agents=(*[Agent((HALF, HALF), (0, 1))] * 2, Agent((Fraction(1, 3), Fraction(2, 3)), (0, 1))),
        plan=plan((1, 1, 1), (1, 1, 1)),
        ties=ties,
        rewards=rewards,
        learning_rate=(Fraction(5, 2),),
    )
    found = exact_law(instance)
    laws, regrets = enumerate_histories(instance)
    assert found.arithmetic == "rational"
    assert [dict(e.law) for e in found.epochs] == laws
    assert [e.regret for e in found.epochs] == regrets
    assert found.total_regret == sum(regrets)


def test_agents_with_different_arms_and_a_horizon_that_cuts():
    three = tuple(tuple((*row, Fraction(i, 7)) for i, row in enumerate(t, 1)) for t in TABLES)
    instance = finite_federation(
        functions=three,
        truth=0,
        agents=(Agent((HALF, HALF), (0, 2)), Agent((Fraction(1), Fraction(0)), (1, 2))),
        plan=asynchronous_plan([[2, 1, 2], [1, 2, 2]], 4),
        learning_rate=(Fraction(3), Fraction(4)),
    )
    found = exact_law(instance)
    laws, regrets = enumerate_histories(instance)
    assert [dict(e.law) for e in found.epochs] == laws
    assert [e.regret for e in found.epochs] == regrets
    assert found.epochs[-1].excess_risk is None


def test_erratum_e6_takes_floats():
    instance = finite_federation(
        (((HALF, Fraction(0)),), ((HALF, Fraction(1)),)), 0, (Agent((Fraction(1),), (0, 1)),),
        asynchronous_plan([[6250000, 2500, 1]], 6252501), ties="adversarial",
        learning_rate=(Fraction(5829), Fraction("116.6")),
    )  # fmt: skip
    law = exact_law(instance)
    assert law.arithmetic == "float"
    assert law.epochs[2].regret == pytest.approx(0.2134, abs=5e-5)
    # two paths: no pull of arm 1 among 2500, p = 1/(2 + 5829/2)
    unseen = (1 - 1 / (2 + 5829 / 2)) ** 2500
    assert law.epochs[2].law[1] == pytest.approx(unseen, rel=1e-12)


def random_samples(rng: np.random.Generator, width: int, n: int) -> Samples:
    increments = rng.integers(-3, 4, size=(4, width)).astype(object)
    weights = [Fraction(int(w), 20) for w in rng.multinomial(20, [0.25] * 4)]
    return Samples(increments, weights, n)


@pytest.mark.parametrize("seed", range(12))
def test_the_three_engines_agree(seed):
    rng = np.random.default_rng(seed)
    width = 1 + seed % 3
    groups = [random_samples(rng, width, int(rng.integers(1, 12))) for _ in range(1 + seed % 2)]
    exact = loss_law.rational_law(groups)
    lattice = loss_law._lattice_law(groups, loss_law._window(groups))
    sparse = loss_law._sparse_law(groups)
    for key in set(exact) | set(lattice) | set(sparse):
        truth = float(exact.get(key, 0))
        assert sparse.get(key, 0.0) == pytest.approx(truth, abs=1e-13)
        assert lattice.get(key, 0.0) == pytest.approx(truth, abs=1e-13)


def test_an_instance_too_large_is_refused_by_name():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 101, size=(12, 3, 3))
    functions = tuple(tuple(tuple(Fraction(int(v), 100) for v in row) for row in t) for t in values)
    law = (Fraction(1, 3),) * 3
    instance = finite_federation(functions, 0, (Agent(law, (0, 1, 2)),), plan((4096,), (4096,)))
    with pytest.raises(InputError, match="too large for the exact law"):
        exact_law(instance)


def test_the_rational_engine_gives_up_in_time():
    with pytest.raises(TooLarge):
        loss_law.rational_law([random_samples(np.random.default_rng(1), 3, 10**7)])
