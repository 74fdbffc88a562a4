"""Aggregate securely: add random masks to the agents' messages, which cancel exactly in the sum and make each single
message look uniformly random.

Messages are integers modulo 2^128, in units of 2^-80. In every round each pair of agents shares a secret, uniform
modulo 2^128: one of the two adds it to its message, the other subtracts it. The sum is exact modulo 2^128. Any M - 1
messages of M agents are independent and uniform, whatever the data are.

Masks only hide single messages from a server that follows the protocol. The server sees the sum, so this is not
differential privacy; with one agent the sum is its message. If all agents but one reveal their messages, the last one
is revealed too. An agent that drops out during a round spoils the sum. In this simulation the secrets come from the
run's random stream, not from a key agreement.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedigw.interfaces import Encoder, MessageError

WORDS = np.dtype([("high", np.uint64), ("low", np.uint64)])  # an integer modulo 2^128
FRACTION = 80  # bits behind the point
LARGEST = 2.0**40  # of a message: sums of up to 2^7 such are determined by their remainders
KEY = 256  # bits of a public key, from which pairs derive the secrets of all rounds of a call


@dataclass(frozen=True)
class Masks(Encoder):
    """Hide single messages from the server by random masks that cancel in the sum. It has no options."""

    name: ClassVar[str] = "masks"
    lossless: ClassVar[bool] = True  # in the sum
    hides: ClassVar[bool] = True  # a single message is noise: only sums can be computed

    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        if len(messages) > 2**7 and np.abs(np.asarray(messages, dtype=float)).max() * len(messages) > 2.0**47:
            raise MessageError(f"masks: {len(messages)} messages whose sum may exceed 2^47")
        return add(fixed(messages), pairwise_masks(len(messages), messages.shape[1:], rng))

    def total(self, received: np.ndarray) -> np.ndarray:
        summed = received[0]
        for one in received[1:]:
            summed = add(summed, one)
        return number(summed)

    def bits(self, messages: np.ndarray) -> int:
        return 128 * messages.size

    def setup_bits(self, agents: int) -> tuple[int, int]:
        return KEY * agents, KEY * agents * (agents - 1)


def fixed(values: np.ndarray) -> np.ndarray:
    """Return numbers (...) as 128-bit integers (...) in units of 2^-80, rounded; negative ones modulo 2^128."""
    given = np.asarray(values, dtype=float)
    if np.abs(given).max(initial=0.0) > LARGEST:
        raise MessageError(f"masks: a message of {np.abs(given).max():.3g}, must be at most {LARGEST:.3g}")
    scaled = np.rint(np.ldexp(given, FRACTION))
    high = np.floor(np.ldexp(scaled, -64))
    found = np.empty(given.shape, dtype=WORDS)
    found["high"] = high.astype(np.int64).view(np.uint64)
    found["low"] = (scaled - np.ldexp(high, 64)).astype(np.uint64)
    return found


def number(words: np.ndarray) -> np.ndarray:
    """Return the floats (...), between -2^47 and 2^47, that 128-bit integers (...) represent in units of 2^-80."""
    high, low = words["high"].astype(np.int64), words["low"]
    # a negative number as minus its opposite, so that small ones keep their digits
    opposite = negate(words)
    size_high = np.where(high < 0, opposite["high"], words["high"]).astype(float)
    size_low = np.where(high < 0, opposite["low"], low).astype(float)
    size = np.ldexp(size_high, 64 - FRACTION) + np.ldexp(size_low, -FRACTION)
    return np.asarray(np.where(high < 0, -size, size))


def exactly(words: np.ndarray) -> np.ndarray:
    """Return the Fractions (...) that 128-bit integers (...) represent in units of 2^-80."""
    flat = [(int(w["high"]) << 64) + int(w["low"]) for w in words.ravel()]
    found = np.empty(len(flat), dtype=object)
    found[:] = [Fraction(value - 2**128 * (value >= 2**127), 2**FRACTION) for value in flat]
    return found.reshape(words.shape)


def add(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    found = np.empty(one.shape, dtype=WORDS)
    found["low"] = one["low"] + other["low"]
    found["high"] = one["high"] + other["high"] + (found["low"] < one["low"])
    return found


def negate(words: np.ndarray) -> np.ndarray:
    found = np.empty(words.shape, dtype=WORDS)
    found["low"] = ~words["low"] + np.uint64(1)
    found["high"] = ~words["high"] + (words["low"] == 0)
    return found


def pairwise_masks(agents: int, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    total = np.zeros((agents, *shape), dtype=WORDS)
    for first in range(agents):
        for second in range(first + 1, agents):
            secret = np.empty(shape, dtype=WORDS)
            for word in ("high", "low"):
                secret[word] = rng.integers(0, 2**64 - 1, size=shape, dtype=np.uint64, endpoint=True)
            total[first] = add(total[first], secret)
            total[second] = add(total[second], negate(secret))
    return total
