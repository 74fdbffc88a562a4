"""Count what is sent: calls of the protocol, rounds, messages, real numbers and bits, up (agent to server) and down."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import add


@dataclass(frozen=True)
class Traffic:
    """Counts of what was sent: calls of the protocol, rounds, messages, numbers, bits; up (to the server) and down."""

    calls: int = 0
    rounds: int = 0
    messages_up: int = 0
    messages_down: int = 0
    numbers_up: int = 0
    numbers_down: int = 0
    bits_up: int = 0
    bits_down: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(*map(add, vars(self).values(), vars(other).values()))

    @property
    def numbers(self) -> int:
        return self.numbers_up + self.numbers_down


COUNTERS = tuple(field.name for field in fields(Traffic))


def one_call(agents: int, rounds: int, up: tuple[int, int], down: tuple[int, int], bits: int = 64) -> Traffic:
    """Return the counts of one call of a protocol. up, down: (messages, numbers) that one agent sends, and that it
    receives, in the whole call. bits: per number."""
    return Traffic(
        calls=1,
        rounds=rounds,
        messages_up=agents * up[0],
        messages_down=agents * down[0],
        numbers_up=agents * up[1],
        numbers_down=agents * down[1],
        bits_up=agents * up[1] * bits,
        bits_down=agents * down[1] * bits,
    )
