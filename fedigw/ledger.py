"""What is communicated: calls, rounds, messages and real numbers, up and down.

A protocol can reach its agents only through a Channel, so the ledger counts what was sent, not what the
protocol says it sent.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields

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

    def broadcast(self, field: str, message: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Server to every agent."""
        for agent in range(self.agents):
            received = self.download(agent, field, message, shape)
        return received

    @property
    def traffic(self) -> Traffic:
        return Traffic(**self._counts)

    def _send(
        self, way: str, agent: int, field: str, message: np.ndarray, shape: tuple[int, ...]
    ) -> np.ndarray:
        sent = np.asarray(message)
        where = f"agent {agent}, epoch {self.epoch}, {field}"
        if sent.shape != shape:
            raise MessageError(f"{where}: shape {sent.shape}, expected {shape}")
        if sent.dtype != object and not np.all(np.isfinite(sent)):
            raise MessageError(f"{where}: contains NaN or infinity")
        self._counts[f"messages_{way}"] += 1
        self._counts[f"numbers_{way}"] += sent.size
        return sent
