"""Compressed protocols: what they send fits the bits that are counted, and they are the methods of the theorems."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refused import refused

from bounds.compression import rounding_bits, rounding_variance, top_k_bits
from fedigw.applicable import applicable
from fedigw.channel import Channel, Link
from fedigw.encoders.masks import Masks
from fedigw_extensions.compression.calls import AGENTS, DIMENSION, problem
from fedigw_extensions.compression.encoders.quantise import Quantise
from fedigw_extensions.compression.protocols.compressed_gradients import CompressedGradients
from fedigw_extensions.compression.protocols.diana import Diana
from fedigw_extensions.compression.protocols.ef21 import Ef21
from fedigw_extensions.compression.protocols.error_feedback import ErrorFeedback
from linear.environments import different_laws

ROOT = Path(__file__).resolve().parents[3]


class Recording(Channel):
    """Keeps what agents send."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.sent: list[np.ndarray] = []

    def gather(self, field: str, messages: Any, shape: tuple[int, ...], packed: Any = None) -> np.ndarray:
        self.sent.append(np.array(messages))
        return super().gather(field, messages, shape, packed)


def call(protocol: Any, link: Link | None = None) -> tuple[np.ndarray, Recording, Any]:
    given = problem(np.random.default_rng(0))
    channel = Recording(AGENTS, 1, link, np.random.default_rng(1))
    return protocol.fit(given, channel, None, np.random.default_rng(2)).parameters, channel, given


@pytest.mark.parametrize("method", [CompressedGradients, Diana])
@pytest.mark.parametrize("bits", [1, 3])
def test_a_rounded_message_has_as_many_levels_as_its_bits_allow(method, bits):
    _, channel, _ = call(method(bits_each=bits, rounds=30))
    for messages in channel.sent:
        for row in messages:
            assert len(np.unique(np.round(row / np.abs(row).max(), 9))) <= 2**bits
    assert channel.traffic.bits_up == 30 * AGENTS * rounding_bits(DIMENSION, bits)
    assert channel.traffic.bits_down == 30 * AGENTS * DIMENSION * 64


@pytest.mark.parametrize("method", [Ef21, ErrorFeedback])
@pytest.mark.parametrize("keep", [1, 3])
def test_a_sparse_message_has_as_many_numbers_as_are_counted(method, keep):
    _, channel, _ = call(method(keep=keep, rounds=30))
    assert max(int(np.count_nonzero(m, axis=1).max()) for m in channel.sent) <= keep
    assert channel.traffic.bits_up == 30 * AGENTS * top_k_bits(DIMENSION, keep)


def test_the_engine_is_the_method_of_the_theorem():
    """EF21 and error feedback by hand, step by step."""
    given = problem(np.random.default_rng(0))
    local, step = given.local, 0.01

    def slopes(x: np.ndarray) -> np.ndarray:
        return np.asarray(local.hessians @ x - local.linear)

    def top(v: np.ndarray) -> np.ndarray:
        return np.where(np.abs(v) == np.abs(v).max(axis=1, keepdims=True), v, 0.0)

    x, g = np.zeros(DIMENSION), np.zeros((AGENTS, DIMENSION))
    for _ in range(20):
        g = g + top(slopes(x) - g)
        x = x - step * local.weights @ g
    np.testing.assert_allclose(call(Ef21(rounds=20, step_size=step))[0], x, atol=1e-13)
    y, owed, points = np.zeros(DIMENSION), np.zeros((AGENTS, DIMENSION)), []
    for _ in range(20):
        points.append(y)
        owed = owed + step * slopes(y)
        sent = top(owed)
        owed, y = owed - sent, y - local.weights @ sent
    q = 1 - 3 * step * given.known().mu / 16
    weights = q ** -(np.arange(20) + 1.0)
    average = weights @ np.array(points) / weights.sum()
    np.testing.assert_allclose(call(ErrorFeedback(rounds=20, step_size=step))[0], average, atol=1e-13)


def test_diana_in_the_mean_is_gradient_descent():
    """One round from 0: the mean over 1000 roundings is the gradient step to 5 standard errors (level 5e-6)."""
    given = problem(np.random.default_rng(0))
    rng = np.random.default_rng(3)
    found = np.array(
        [
            Diana(bits_each=2, rounds=1, step_size=1.0).fit(given, Channel(AGENTS, 1), None, rng).parameters
            for _ in range(1000)
        ]
    )
    step = given.local.weights @ given.local.linear
    error = found.std(axis=0) / np.sqrt(1000)
    assert (np.abs(found.mean(axis=0) - step) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("bits", [1, 2, 5, 12, 20])
def test_rounding_keeps_the_mean_and_its_variance_with_a_scale_of_32_bits(bits):
    """The variance over om norm(x)^2 is at most 1: the scale is rounded up to single precision, and that is paid for.
    Exactly: a coordinate between two levels has variance step^2 f (1 - f)."""
    rng = np.random.default_rng(bits)
    for _ in range(50):
        row = rng.standard_normal((1, 6)) * 10 ** rng.uniform(-6, 6)
        row[0, 1:] *= rng.choice([0.0, 1e-3, 1.0])
        scale = np.float32(np.abs(row).max())
        scale = float(scale if scale >= np.abs(row).max() else np.nextafter(scale, np.float32(np.inf)))
        step = 2 * scale / (2**bits - 1)
        part = (row + scale) / step % 1
        variance = float((step**2 * part * (1 - part)).sum())
        assert variance <= rounding_variance(6, bits) * float((row**2).sum())
        arrived = Quantise(bits).encode(row, rng)
        places = (arrived + scale) / step
        np.testing.assert_allclose(places, np.round(places), atol=1e-4 * 2**bits / 2**12 + 1e-9)
        assert np.abs(arrived - row).max() <= step * (1 + 1e-9)


def test_nothing_is_promised_for_rounds_of_ones_own():
    world = different_laws.make(np.random.default_rng(0), dimension=3, agents=3, horizon=16)
    for protocol in (Diana(rounds=5), ErrorFeedback()):
        found = applicable(replace(world, protocol=protocol))
        assert found.values == {}
        assert "no proved excess risk" in found.missing[0]
    for method, surely in ((ErrorFeedback, False), (Diana, False), (Ef21, True)):
        promised = replace(world, protocol=method(tolerance=0.5)).guarantee()
        assert promised.missing == ()
        assert promised.risk("sharpened", 48) == pytest.approx(2.25 * (3 / 4 + 9 / 4) / 48)
        # of every run, or of the mean over the compression only: then no run is held to it
        assert promised.distance(48) == (pytest.approx(0.25 * 3 / 48) if surely else math.inf)


def test_a_link_that_hides_messages_changes_nothing_and_counts_its_own_bits():
    plain, open_channel, _ = call(Ef21(rounds=50))
    hidden, channel, _ = call(Ef21(rounds=50), Link(encoder=Masks()))
    np.testing.assert_allclose(hidden, plain, atol=1e-9)
    keys = 256 * channel.agents  # sent once a call; every masked number has 128 bits
    assert channel.traffic.bits_up == 128 * channel.traffic.numbers_up + keys > open_channel.traffic.bits_up


REFUSED = [
    (["--protocol", "diana", "--set", "bits_each=0"], "protocol.bits_each", "1 to 20"),
    (["--protocol", "compressed_gradients", "--set", "bits_each=21"], "protocol.bits_each", "1 to 20"),
    (["--protocol", "ef21", "--set", "keep=9"], "protocol.keep", "at most the 8 numbers"),
    (["--protocol", "error_feedback", "--set", "keep=0"], "protocol.keep", "positive integer"),
    (["--protocol", "diana", "--set", "rounds=0"], "protocol.rounds", "positive integer"),
    (["--protocol", "diana", "--set", "tolerance=0"], "protocol.tolerance", "at least 1e-12"),
    (["--protocol", "ef21", "--set", "rounds=5", "step_size=-1"], "protocol.step_size", "positive number"),
    (["--protocol", "ef21", "--set", "step_size=0.1"], "protocol.step_size", "goes with rounds"),
    (["--protocol", "ef21", "--set", "bits_each=4"], "protocol.bits_each", "unknown key"),
]


@pytest.mark.parametrize(("words", "field", "allowed"), REFUSED)
def test_bad_input_is_one_line(words, field, allowed, capsys):
    error = refused(
        capsys, ["simulate", str(ROOT / "examples/compressed.toml"), "--replications", "1", *words]
    )
    assert field in error
    assert allowed in error
