"""What is communicated: calls, rounds, messages and real numbers, up and down.

A protocol can reach its agents only through a Channel, so the ledger counts what was sent, not what the
protocol says it sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np


class MessageError(RuntimeError):
    """An agent or the server sent something that is not a finite array of the agreed shape."""


@dataclass(frozen=True)
class Traffic:
    """Counts over some part of a run. `up` is agent to server."""

    calls: int = 0
    rounds: int = 0
    messages_up: int = 0
    messages_down: int = 0
    numbers_up: int = 0
    numbers_down: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def numbers(self) -> int:
        return self.numbers_up + self.numbers_down


NUMBERS = "biuf"  # numpy's kinds of real numbers
COUNTERS = tuple(field.name for field in fields(Traffic))


class Channel:
    """The messages of one FL call in one epoch."""

    def __init__(self, agents: int, epoch: int) -> None:
        self.agents = agents
        self.epoch = epoch
        self._counts = dict.fromkeys(COUNTERS, 0) | {"calls": 1}

    def begin_round(self) -> None:
        """A round: each agent may send and receive once."""
        self._counts["rounds"] += 1

    def upload(self, agent: int, field: str, message: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Agent to server. Returns what the server receives."""
        return self._send("up", agent, field, message, shape)

    def download(self, agent: int, field: str, message: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Server to agent. Returns what the agent receives."""
        return self._send("down", agent, field, message, shape)

    def upload_all(
        self, field: str, messages: np.ndarray | Sequence[Any], shape: tuple[int, ...]
    ) -> np.ndarray:
        """Every agent to the server at once: messages[m] is agent m's. Counts as one upload each."""
        if isinstance(messages, np.ndarray) and messages.shape == (self.agents, *shape):
            sent = messages
        else:
            sent = np.stack(self._of_shape(field, messages, shape))
        if sent.dtype.kind not in NUMBERS:
            raise MessageError(
                f"all agents, epoch {self.epoch}, {field}: {sent.dtype}, expected real numbers"
            )
        if not np.isfinite(sent).all():
            bad = int(np.argmin(np.isfinite(sent).reshape(self.agents, -1).all(axis=1)))
            raise MessageError(f"agent {bad}, epoch {self.epoch}, {field}: contains NaN or infinity")
        self._counts["messages_up"] += self.agents
        self._counts["numbers_up"] += sent.size
        return sent

    def _of_shape(self, field: str, messages: Any, shape: tuple[int, ...]) -> list[np.ndarray]:
        """The messages one by one; the first agent that is missing or answers in another shape is named."""
        if len(messages) != self.agents:
            raise MessageError(
                f"agent {min(len(messages), self.agents)}, epoch {self.epoch}, {field}:"
                f" {len(messages)} messages from {self.agents} agents"
            )
        for agent, message in enumerate(messages):
            if np.shape(message) != shape:
                raise MessageError(
                    f"agent {agent}, epoch {self.epoch}, {field}: shape {np.shape(message)}, expected {shape}"
                )
        return [np.asarray(message) for message in messages]

    def broadcast(self, field: str, message: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Server to every agent: one download each, of the same message."""
        received = self.download(0, field, message, shape)
        self._counts["messages_down"] += self.agents - 1
        self._counts["numbers_down"] += (self.agents - 1) * received.size
        return received

    def stand_in(self, rounds: int, shape: tuple[int, ...]) -> None:
        """Count `rounds` rounds in which every agent received and sent one message of `shape`, without passing them.

        For a simulator that computes at once what the rounds would have led to; never for a protocol itself.
        """
        numbers = rounds * self.agents * int(np.prod(shape))
        self._counts["rounds"] += rounds
        for way in ("up", "down"):
            self._counts[f"messages_{way}"] += rounds * self.agents
            self._counts[f"numbers_{way}"] += numbers

    @property
    def traffic(self) -> Traffic:
        return Traffic(**self._counts)

    def _send(
        self, way: str, agent: int, field: str, message: np.ndarray, shape: tuple[int, ...]
    ) -> np.ndarray:
        sent = np.asarray(message)
        where = f"{'' if way == 'up' else 'server to '}agent {agent}, epoch {self.epoch}, {field}"
        if sent.shape != shape:
            raise MessageError(f"{where}: shape {sent.shape}, expected {shape}")
        if sent.dtype.kind not in NUMBERS + "O":
            raise MessageError(f"{where}: {sent.dtype}, expected real numbers")
        if sent.dtype != object and not np.isfinite(sent).all():
            raise MessageError(f"{where}: contains NaN or infinity")
        self._counts[f"messages_{way}"] += 1
        self._counts[f"numbers_{way}"] += sent.size
        return sent
