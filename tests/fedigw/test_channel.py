"""The channel: it counts what is sent, draws who takes part, and applies encoder and aggregator."""

import math

import numpy as np
import pytest
from parts_example import Halves, Median

from bounds.errors import InputError
from fedigw.channel import Channel, Link, MessageError
from fedigw.encoders.masks import Masks
from fedigw.ledger import Traffic


def test_a_round_is_counted_number_by_number_and_bit_by_bit():
    channel = Channel(3, 1)
    assert channel.traffic == Traffic(calls=1)
    assert channel.begin_round().tolist() == [0, 1, 2]
    channel.gather("matrix", np.ones((3, 2, 2)), (2, 2))
    channel.broadcast("vector", np.ones(5), (5,))
    expected = {"messages_up": 3, "messages_down": 3, "numbers_up": 12, "numbers_down": 15}
    assert channel.traffic == Traffic(1, 1, **expected, bits_up=64 * 12, bits_down=64 * 15)
    channel.total("vector", np.ones((3, 2)), (2,))
    channel.mean("vector", np.ones((3, 2)), (2,))
    assert channel.traffic.numbers_up == 12 + 6 + 6
    assert channel.traffic.rounds == 1  # a round may have several messages


def test_only_participants_send_receive_and_are_counted():
    rng = np.random.default_rng(0)
    channel = Channel(6, 1, Link(participants=2), rng)
    met: set[int] = set()
    for rounds in range(1, 41):
        who = channel.begin_round()
        assert len(who) == len(set(who)) == 2
        assert list(who) == sorted(who)
        assert who.tolist() == channel.participants.tolist()
        met |= set(who.tolist())
        messages = np.arange(6.0)[:, None]
        assert channel.total("m", messages[who], (1,)) == who.sum()
        channel.broadcast("s", np.zeros(3), (3,))
        traffic = channel.traffic
        assert (traffic.messages_up, traffic.messages_down) == (2 * rounds, 2 * rounds)
        assert (traffic.numbers_up, traffic.numbers_down) == (2 * rounds, 6 * rounds)
    assert met == set(range(6))  # missing one has chance (2/3)^40, and the seed is fixed


def test_only_who_takes_part_can_send_and_an_error_names_the_agent_and_not_its_row():
    channel = Channel(9, 3, Link(participants=2), np.random.default_rng(1))
    who = channel.begin_round()
    assert who[1] != 1
    for messages, says in (
        (np.zeros((9, 1)), "epoch 3, m: 9 messages from 2 agents"),
        (np.array([[0.0], [np.nan]]), f"agent {who[1]}, epoch 3, m: contains NaN"),
        ([np.zeros(1), np.zeros(2)], rf"agent {who[1]}, epoch 3, m: shape \(2,\)"),
    ):
        with pytest.raises(MessageError, match=says):
            channel.gather("m", messages, (1,))
    assert channel.gather("m", [np.ones(1), np.zeros(1)], (1,)).tolist() == [[1], [0]]  # a list is as good
    assert channel.traffic.numbers_up == 2


@pytest.mark.parametrize("count", [0, 5])
def test_more_participants_than_agents_are_refused(count):
    with pytest.raises(InputError, match=f"link.participants = {count}: must be between 1 and the 4 agents"):
        Channel(4, 1, Link(participants=count))


def test_the_encoder_stands_between_agent_and_server_on_every_way_up():
    messages = np.array([[0.2], [0.3], [0.9]])
    channel = Channel(3, 1, Link(encoder=Halves()))
    channel.begin_round()
    assert channel.gather("m", messages, (1,)).ravel().tolist() == [0.0, 0.5, 1.0]
    assert channel.total("m", messages, (1,)) == 1.5
    assert channel.mean("m", messages, (1,)) == 0.5
    assert (channel.traffic.numbers_up, channel.traffic.bits_up) == (9, 8 * 9)  # its bits, not 64
    # the way down is not encoded
    assert channel.broadcast("s", np.array([0.2]), (1,)) == 0.2
    assert channel.traffic.bits_down == 64 * 3


def test_the_aggregator_combines_what_arrives():
    messages = np.array([[1.0], [2.0], [90.0]])
    plain, robust = Channel(3, 1), Channel(3, 1, Link(aggregator=Median()))
    assert plain.total("m", messages, (1,)) == 93
    assert robust.total("m", messages, (1,)) == 6
    assert robust.total("m", messages, (1,), own=np.array([5.0])) == 11
    assert plain.total("m", messages, (1,), own=np.array([5.0])) == 98
    weights = np.array([0.5, 0.25, 0.25])
    assert plain.mean("m", messages, (1,), weights) == 0.5 + 0.5 + 22.5
    assert plain.mean("m", messages, (1,)) == pytest.approx(31)
    assert robust.mean("m", messages, (1,), weights) == 2
    both = Channel(3, 1, Link(encoder=Halves(), aggregator=Median()))
    assert both.total("m", messages + 0.2, (1,)) == 6  # encoded first: 1.0, 2.0, 90.0


def test_participants_are_masked_among_themselves():
    """Masks of absent agents would not cancel: only those who take part share secrets."""
    channel = Channel(7, 1, Link(encoder=Masks(), participants=3), np.random.default_rng(1))
    messages = np.random.default_rng(0).standard_normal((7, 2))
    for _ in range(5):
        who = channel.begin_round()
        total = channel.total("m", messages[who], (2,))
        np.testing.assert_allclose(total, messages[who].sum(axis=0), atol=1e-12)


def test_exact_integers_of_any_size_pass_unchanged():
    large = 10**40
    channel = Channel(2, 1)
    total = channel.total("losses", np.array([[large], [1]], dtype=object), (1,))
    assert total[0] == large + 1


@pytest.mark.parametrize("bad", [np.array([math.nan]), np.array([math.inf])])
def test_the_server_is_held_to_the_same(bad):
    with pytest.raises(MessageError, match="server, epoch 2, s: contains NaN or infinity"):
        Channel(2, 2).broadcast("s", bad, (1,))
    with pytest.raises(MessageError, match=r"server, epoch 2, s: shape \(1,\), expected \(2,\)"):
        Channel(2, 2).broadcast("s", bad, (2,))
