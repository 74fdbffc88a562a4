"""Clocks, epoch ends, ledgers, learning rates and the audit, each at values worked out by hand."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw.applicable import applicable
from fedigw.clocks.listed import Listed
from fedigw.clocks.periodic import Periodic
from fedigw.interfaces import Guarantee
from fedigw.ledger import Traffic, one_call
from fedigw.protocols.fedavg import FedAvg
from fedigw.rates import ConstantRate, ListedRates, TheoremRates
from fedigw.replications import by_messages
from fedigw.running import audited
from fedigw.timing import Timing
from finite_class.environments import random_table
from linear.environments import finite_contexts

RNG = np.random.default_rng


def test_the_horizon_cuts_the_last_epoch_of_every_clock():
    timing = Timing(10, (4, 12), (Periodic(), Periodic(3, 1), Listed((2, 4, 5, 11))))
    plan = timing.plan()
    assert plan.full == ((4, 2, 2), (8, 2, 2))
    assert plan.played == ((4, 2, 2), (6, 2, 1))
    assert Timing(10, (4, 12), (Listed((2, 13)),)).plan().full == ((1,),)  # nobody acts in epoch 2


def test_a_call_is_counted_for_every_agent():
    assert one_call(3, 5, (2, 7), (4, 11), bits=8) == Traffic(1, 5, 6, 12, 21, 33, 168, 264)
    total = Traffic(1, 2, 3, 4, 5, 6, 7, 8) + Traffic(10, 20, 30, 40, 50, 60, 70, 80)
    assert total == Traffic(11, 22, 33, 44, 55, 66, 77, 88)
    assert total.numbers == 55 + 66


def promise(**changes) -> Guarantee:
    """Excess risk 1/n, distance 1/n^2."""
    variants = {"printed": ("repaired",), "sharpened": ("sharpened",), "best": ("best",)}
    made = Guarantee("c", lambda variant, n: 1 / n, lambda n: 1 / n**2, lambda n: Traffic(), variants)
    return replace(made, **changes)


def test_rates_are_those_of_the_epoch_that_taught_and_are_rounded_down():
    """Lengths (2, 4), (3, 5), (4, 8) and 2, 7 arms: gamma^l = sqrt(Kbar n) of the epoch before."""
    plan = EpochPlan(((2, 4), (3, 5), (4, 8)), ((2, 4), (3, 5), (4, 1)))
    by_hand = [math.sqrt(2 * 2 + 4 * 7), math.sqrt(3 * 2 + 5 * 7)]
    found = TheoremRates("printed").of(plan, (2, 7), promise(), rational=False)
    assert found == pytest.approx((1.0, *by_hand), rel=1e-12)
    rational = TheoremRates("printed").of(plan, (2, 7), promise(), rational=True)
    assert rational == (1, *(Fraction(math.floor(10**6 * rate), 10**6) for rate in by_hand))
    assert all(r <= f for r, f in zip(rational, found, strict=True))
    uneven = EpochPlan(((2, 2), (2, 3)), ((2, 2), (2, 3)))
    with pytest.raises(
        InputError, match=r"^learning_rate = best: is for agents in step, c = 1; here c = 1\.5"
    ):
        TheoremRates("best").of(uneven, (2, 2), promise(), rational=False)
    assert ConstantRate(3).of(plan, (2, 7), None, False) == (1.0, 3.0, 3.0)
    assert ListedRates((5, 6, 7)).of(plan, (2, 7), None, False) == (1.0, 5.0, 6.0)


class Fixed:
    """A problem of 10 samples whose replications were left so far from the minimiser."""

    samples = 10

    def __init__(self, *distances: float) -> None:
        self.distances = np.array(distances)

    def distance(self, parameters: object) -> np.ndarray:
        return self.distances


class Promised:
    """A federation that promises a distance of 1/n^2 = 0.01 and an excess risk of 1/n."""

    protocol, stop = FedAvg(), None  # the problem's own distance is asked

    def __init__(self, missing: tuple[str, ...] = ()) -> None:
        self.link = type("Link", (), {"missing": missing, "unmet": lambda robust: missing})

    def guarantee(self) -> Guarantee:
        return promise()


@pytest.mark.parametrize(
    ("distances", "kept"),
    [((0.0, 0.01), True), ((0.0, 0.0101), False), ((0.0101, 0.0), False), ((0.015,), False)],
)
def test_the_worst_that_was_delivered_is_held_to_the_promise(distances, kept):
    (found,) = audited(Promised(), Fixed(*distances), None, 3)
    assert (found.epoch, found.promised, found.kept) == (3, pytest.approx(0.01), kept)
    assert found.delivered == max(distances)
    assert audited(Promised(("lossy",)), Fixed(1.0), None, 3) == []


def test_regret_counts_what_is_played_and_learning_sees_the_whole_epoch():
    """Uniform play in one epoch of 8 of which 3 are before the horizon, the other agent's 8 of 8."""
    federation = finite_contexts.make(RNG(0), dimension=2, arms=2, agents=2, horizon=8)
    plan = EpochPlan(((8, 8), (8, 8)), ((8, 8), (3, 8)))
    record = by_messages(federation.with_plan(plan).with_rates(0), 1, 0)
    a_step = [
        float(
            c.law
            @ (
                c.means(federation.world.parameter).max(axis=1)
                - c.means(federation.world.parameter).mean(axis=1)
            )
        )
        for c in federation.world.agents
    ]
    assert record.regret[0] == pytest.approx([8 * sum(a_step), 3 * a_step[0] + 8 * a_step[1]])


def test_every_epoch_uses_what_the_epoch_before_taught():
    federation = finite_contexts.make(RNG(0), dimension=2, arms=2, agents=2, horizon=32)
    record = by_messages(federation, 1, 0)
    models = record.models[0]
    assert models[0] == [0.0, 0.0]
    assert len({tuple(model) for model in models}) == len(models) == 5


def test_rates_of_ones_own_are_charged_the_sharpened_risk():
    federation = random_table.make(RNG(0), functions=3, contexts=2, agents=3, horizon=2**16)  # beyond the cap
    own = [float(rate) for rate in federation.learning_rates()][1:]
    listed = applicable(federation.with_rates(own)).values["sharpened"]
    # its own rates, listed: the same g, so the same bound
    assert listed == pytest.approx(applicable(federation).values["sharpened"], rel=1e-5)


@pytest.mark.parametrize(
    ("rates", "decrease"), [([5, 4, 4, 4], True), ([4, 5, 4, 4], True), ([4, 4, 5, 5], False)]
)
def test_any_decrease_of_the_rates_is_seen(rates, decrease):
    federation = random_table.make(RNG(0), functions=3, contexts=2, agents=3, horizon=30).with_rates(rates)
    found = applicable(federation)
    assert any("H5 fails" in remark for remark in found.remarks) is decrease
    assert (("own:relaxed_rates", "relaxed") in found.rests_on) is decrease
