"""Checks of the linear claims on programs that are wrong on purpose. What they find on ours is in test_end_to_end."""

from fractions import Fraction

import numpy as np
import pytest

from verify.verdict import Verdict


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
