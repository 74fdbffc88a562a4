"""Personalised ridge regression: protocols against the lifted minimiser; shared parameters are checked."""

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import doubling_plan
from fedigw.channel import Channel
from fedigw.interfaces import Acting, Setting, Steps
from linear.personalised.environments.opposite_arms import make
from linear.personalised.federations import personalised_federation
from linear.personalised.lifted import exact_minimiser, lifted
from linear.personalised.model import PersonalisedRidge
from linear.personalised.protocols.agd import SharedAcceleratedGradient
from linear.personalised.protocols.cg import SchurConjugateGradient
from linear.ridge import DataError, RidgeData


def datasets(rng, agents, own, length, shared=3):
    instance = make(rng, shared, own, 4, 3, agents, 2)
    found = []
    for m, zero in enumerate(instance.model.initial()):
        act = Acting(instance.model, zero, instance.policy, 1.0)
        found.append(instance.world.play(m, act, Steps(length, length), rng).data)
    return found


def fit(routine, data, channel, shared):
    model = PersonalisedRidge(shared, tuple(len(d.moment) for d in data))
    return routine.fit(model.problem(data, channel.epoch), channel, None, np.random.default_rng(0)).parameters


@pytest.mark.parametrize("own", [0, 1, 3, 4, 7])
@pytest.mark.parametrize("length", [2, 50])
def test_protocols_reach_the_lifted_minimiser(own, length):
    rng = np.random.default_rng(own)
    data = datasets(rng, 3, own, length)
    best = exact_minimiser(data, 3)
    for routine, tolerance in ((SchurConjugateGradient(), 1e-8), (SharedAcceleratedGradient(1e-4), 1e-3)):
        channel = Channel(3, 1)
        found = fit(routine, data, channel, 3)
        for f, b in zip(found, best, strict=True):
            np.testing.assert_allclose(f, b, atol=tolerance)
        rounds = channel.traffic.rounds
        extra = 2 if routine.name == "cg" else 1
        assert channel.traffic.numbers == 3 * 3 * (2 * rounds + extra)  # only the shared block travels
        assert routine.name != "cg" or rounds <= 3
        model = PersonalisedRidge(3, (3 + own,) * 3)
        cost = routine.guarantee(Setting(model, 3)).cost(3 * length)
        assert channel.traffic == cost if routine.name == "agd" else channel.traffic.numbers <= cost.numbers


def test_the_lifted_problem_is_the_pooled_one_when_all_is_shared():
    data = datasets(np.random.default_rng(0), 3, 0, 20)
    pooled = lifted(data, 3)
    np.testing.assert_allclose(pooled.gram, sum(d.gram for d in data))


def test_shared_blocks_must_agree():
    instance = make(np.random.default_rng(0))
    right = instance.world.parameters
    wrong = (right[0], *(p * 0.9 for p in right[1:]))
    with pytest.raises(InputError, match=r"parameters\[1\]"):
        personalised_federation(2, instance.world.agents, wrong, doubling_plan(2, 4))


def test_bad_data_is_named():
    good = RidgeData(3, np.eye(3), np.ones(3))
    for bad, says in (
        (RidgeData(0, np.eye(3), np.ones(3)), "count: 0 samples"),
        (RidgeData(2, np.full((3, 3), np.nan), np.ones(3)), "gram: contains NaN"),
        (RidgeData(3, np.eye(3), np.array([1, np.inf, 1])), "moment: contains NaN"),
        (RidgeData(2, np.eye(3), np.ones(3)), "gram: trace 3 of 2 samples"),
        (RidgeData(2, np.eye(2), np.ones(3)), "gram: shape"),
        (RidgeData(2, np.eye(1), np.ones(1)), "moment: shape .* shared coordinates"),
        (RidgeData(2, np.diag([1.0, 1, -1]), np.ones(3)), "gram: is indefinite"),
    ):
        for routine in (SchurConjugateGradient(), SharedAcceleratedGradient()):
            with pytest.raises(DataError, match=f"agent 1, epoch 4, {says}"):
                fit(routine, [good, bad], Channel(2, 4), 2)
