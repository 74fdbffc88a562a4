"""Checks of the linear claims on programs that are wrong on purpose. What they find on ours is in test_end_to_end."""

from fractions import Fraction

import numpy as np
import pytest

from bounds.schedules import asynchronous_plan
from bounds.theorems import col_linear
from fedigw.applicable import applicable_bounds, largest_regret
from linear.contexts.finite import FiniteContexts
from linear.environments import sphere
from linear.federations import linear_federation
from verify.claim import Task, Verdict
from verify.papers.fedigw.claims.col_linear import continuous, searched
from verify.papers.fedigw.claims.col_linear.continuous import SHARE, with_contrast


def test_a_wrong_step_is_refuted_and_an_empty_one_is_not_proved():
    from verify.formal.scalar_steps import decide, written

    steps = """
        wrong
            x >= 0 => x**2 >= x
        empty
            1 < x < 0 => x == 5
        right, with a chain, a power and a name
            1 <= x <= y
            => Or(x**3 >= one*x, y < 1)
    """
    found = [decide(step)[0] for step in written(steps, one=1)]
    assert found == [Verdict.REFUTED, Verdict.UNDECIDED, Verdict.Z3]
    with pytest.raises(ValueError, match="no => in"):
        written("name\n  x >= 0")


def test_the_mean_leverage_is_counted_with_every_sample():
    """d p n E 1/(1+N), N binomial, for d directions that are drawn alike."""
    from verify.papers.fedigw.claims import own_loss_to_risk

    axes = own_loss_to_risk._laws()[0][1]
    assert own_loss_to_risk.mean_leverage(axes) == Fraction(30, 31) * 2 * (1 - Fraction(1, 2**31))


@pytest.mark.parametrize("seed", range(3))
def test_programs_that_leak_are_told_apart(seed, monkeypatch):
    """Constant masks, no masks, a mask that does not cancel: each is refuted by the check that is about it."""
    from fedigw.channel import Channel
    from fedigw.encoders.masks import Masks, fixed
    from verify.claim import Task
    from verify.papers.fedigw.claims.rmk_linear.privacy import LeakingMasks, masks_cancel, reconstruction

    task = Task("quick", np.random.SeedSequence(seed), 1e-4)
    assert reconstruction(task, masked=True).kind is Verdict.FLOAT
    assert masks_cancel(task).kind is Verdict.FLOAT

    constant = reconstruction(task, encoder=LeakingMasks(constant=True))
    assert constant.kind is Verdict.REFUTED
    for row in constant.figures["attacks"]:  # only the V_m leak: judged together with the b_m nothing is seen
        assert min(row["b"]) > 1
    assert max(constant.figures["attacks"][0]["V"]) < 1e-3
    assert masks_cancel(task, LeakingMasks(constant=False)).kind is Verdict.REFUTED

    honest = Masks.encode
    monkeypatch.setattr(
        Masks, "encode", lambda self, messages, rng: honest(self, messages, np.random.default_rng(7))
    )
    assert reconstruction(task, masked=True).kind is Verdict.REFUTED
    monkeypatch.setattr(Masks, "encode", lambda self, messages, rng: fixed(messages))
    assert reconstruction(task, masked=True).kind is Verdict.REFUTED
    assert masks_cancel(task).kind is Verdict.REFUTED
    monkeypatch.setattr(Masks, "encode", honest)
    # and where the channel itself forgets its encoder
    opened = Channel.__init__
    monkeypatch.setattr(
        Channel,
        "__init__",
        lambda self, agents, epoch, link=None, rng=None: opened(self, agents, epoch, None, rng),
    )
    assert reconstruction(task, masked=True).kind is Verdict.REFUTED
    assert masks_cancel(task).kind is Verdict.REFUTED


def test_both_sides_of_the_excess_risk_of_one_sample_by_hand():
    """d = 1, phi = 1, w* = 1/2, one reward of 0 or 1: the risk is 1/8."""
    world = FiniteContexts(np.ones((1, 1, 1)), np.ones(1))
    instance = linear_federation((world,), np.array([0.5]), asynchronous_plan([[1]], 1))
    # (s2 d + norm(w*)^2)/(n+1) = (1/4 + 1/4)/2
    assert searched.excess_risk_sides(instance, True, False) == (Fraction(1, 8), Fraction(1, 4))
    assert searched.excess_risk_sides(instance, True, True)[1] == Fraction(1, 4) + Fraction(9, 16)


def made(dimension, arms, agents, horizon):
    plain = sphere.make(np.random.default_rng(0), dimension, arms, agents, horizon)
    bound = col_linear.epoch_sum("sharpened", agents, arms, dimension).value(horizon)
    return with_contrast(plain, bound), bound


@pytest.mark.parametrize("design", [*continuous.FULL, *continuous.QUICK])
def test_the_bound_is_a_stated_share_of_what_the_world_can_lose(design):
    instance, bound = made(*design[:4])
    assert bound == pytest.approx(applicable_bounds(instance)["sharpened"])
    assert bound == pytest.approx(SHARE * largest_regret(instance))
    assert bound < 0.3 * design[2] * design[3]  # far from M T


def test_a_world_is_never_given_more_contrast_than_it_can_have():
    instance, _ = made(5, 5, 2, 16)
    assert np.linalg.norm(instance.world.parameter) == pytest.approx(1.0)


def test_too_few_runs_decide_nothing(monkeypatch):
    monkeypatch.setattr(continuous, "QUICK", ((5, 5, 2, 2**10, 5),))
    found = continuous.streamed_regret(Task("quick", np.random.SeedSequence(1), 5e-5))
    assert found.kind is Verdict.UNDECIDED
