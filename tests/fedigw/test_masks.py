"""Masks: the sum is exact, single messages are uniform, weights are applied before, and all bits are counted."""

from fractions import Fraction

import numpy as np
import pytest

from bounds.errors import InputError
from fedigw.channel import Channel, Link
from fedigw.encoders import masks
from fedigw.encoders.masks import Masks
from fedigw.interfaces import MessageError
from fedigw_extensions.robust.aggregators.median import Median


def test_numbers_survive_the_integers_modulo_2_128():
    rng = np.random.default_rng(0)
    ordinary = rng.standard_normal(500)
    values = np.concatenate(
        [ordinary, 1e11 * ordinary, [0.0, -0.0, 1.0, -1.0, 2.0**40, -(2.0**40), 2.0**-80]]
    )
    words = masks.fixed(values)
    np.testing.assert_array_equal(masks.number(words), values)
    assert all(one == Fraction(float(value)) for one, value in zip(masks.exactly(words), values, strict=True))
    # below a unit of 2^-80 a number is rounded
    assert abs(masks.number(masks.fixed(np.array([1e-30])))[0]) == 0
    assert masks.number(masks.negate(words[:5])) == pytest.approx(-values[:5])


def test_words_add_with_their_carry():
    one = np.array([(0, 2**64 - 1), (5, 1), (2**64 - 1, 2**64 - 1)], dtype=masks.WORDS)
    other = np.array([(0, 1), (2**64 - 5, 2), (0, 1)], dtype=masks.WORDS)
    expected = np.array([(1, 0), (0, 3), (0, 0)], dtype=masks.WORDS)
    np.testing.assert_array_equal(masks.add(one, other), expected)
    np.testing.assert_array_equal(masks.add(one, masks.negate(one)), np.zeros(3, dtype=masks.WORDS))


@pytest.mark.parametrize("agents", [1, 2, 9])
def test_the_sum_is_exact(agents):
    """The sum that is decoded is the exact sum of the messages, rounded once."""
    rng = np.random.default_rng(agents)
    messages = rng.standard_normal((agents, 4)) * 10.0 ** rng.integers(-6, 6, size=(agents, 4))
    found = Masks().total(Masks().encode(messages, rng))
    exact = [float(sum(Fraction(float(value)) for value in column)) for column in messages.T]
    # units of 2^-80 are 8e-25
    np.testing.assert_allclose(found, exact, rtol=3e-16, atol=agents * 2.0**-80)


def test_single_messages_are_uniform_whatever_the_data_are():
    """The leading byte of a message, over 20,000 rounds: chi-squared with 255 degrees of freedom below its 1 - 1e-6
    quantile, for two very different messages; the same secrets make both messages differ by the data alone."""
    from scipy.stats import chi2

    limit = chi2.isf(1e-6, 255)
    for value in (0.0, 12345.678):
        rng = np.random.default_rng(1)
        rounds = 20_000
        sent = Masks().encode(np.full((2, rounds), value), rng)
        for message in sent:
            counts = np.bincount((message["high"] >> np.uint64(56)).astype(int), minlength=256)
            assert ((counts - rounds / 256) ** 2 / (rounds / 256)).sum() < limit
    # with a single agent there is nobody to share a secret with: the message is seen as it is
    alone = Masks().encode(np.array([[1.5]]), np.random.default_rng(0))
    assert masks.number(alone) == 1.5


def test_a_weighted_mean_is_weighed_before_it_is_masked():
    """Masks do not cancel in a weighted mean: with unequal weights the mean used to be noise."""
    messages, weights = np.arange(6.0).reshape(3, 2), np.array([0.5, 0.25, 0.25])
    channel = Channel(3, 1, Link(encoder=Masks()), np.random.default_rng(0))
    np.testing.assert_allclose(channel.mean("m", messages, (2,), weights), weights @ messages, rtol=1e-15)
    np.testing.assert_allclose(channel.mean("m", messages, (2,)), messages.mean(axis=0), rtol=1e-15)
    assert channel.total("m", messages, (2,), own=np.array([1.0, 2.0])) == pytest.approx([7.0, 11.0])


def test_every_bit_is_counted():
    """128 bits a number, and once a call a key of 256 bits from each of 3 agents, who receive the 2 others'."""
    channel = Channel(3, 1, Link(encoder=Masks()), np.random.default_rng(0))
    messages = np.ones((3, 4))
    channel.begin_round()
    channel.total("m", messages, (4,))
    assert channel.traffic.bits_up == 3 * 4 * 128 + 3 * 256
    assert channel.traffic.bits_down == 3 * 2 * 256
    channel.begin_round()
    channel.mean("m", messages, (4,))
    assert channel.traffic.bits_up == 2 * 3 * 4 * 128 + 3 * 256
    assert channel.traffic.bits_down == 3 * 2 * 256
    assert channel.traffic.numbers_up == 24


def test_what_cannot_be_masked_is_refused():
    with pytest.raises(MessageError, match="masks: a message of 2e\\+12"):
        Masks().encode(np.array([[2e12], [0.0]]), np.random.default_rng(0))
    with pytest.raises(MessageError, match="200 messages whose sum may exceed"):
        Masks().encode(np.full((200, 1), 1e12), np.random.default_rng(0))
    with pytest.raises(InputError, match="which the encoder masks hides"):
        Link(encoder=Masks(), aggregator=Median())
