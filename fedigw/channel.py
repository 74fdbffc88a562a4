"""The channel: the only way between agents and server. It counts numbers and bits, encodes, and aggregates.

A protocol computes what its agents would send and asks the channel for what the server receives. So the ledger counts
what was sent, not what the protocol says it sent, and every encoder and aggregator works with every protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.aggregators.mean import Mean
from fedigw.encoders.plain import Plain
from fedigw.interfaces import Aggregator, Attack, Encoder
from fedigw.ledger import COUNTERS, Traffic

NUMBERS = "biuf"  # numpy's kinds of real numbers


def finite(numbers: np.ndarray) -> bool:
    """Whether all are finite. Their sum tells at once, unless it overflows itself; then each is looked at."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(numbers.sum())) or bool(np.isfinite(numbers).all())


class MessageError(RuntimeError):
    """An agent or the server sent something that is not a finite array of the agreed shape."""


@dataclass(frozen=True)
class Link:
    """encoder: what happens to an agent's message on its way up. aggregator: how the server combines the messages.
    participants: how many agents take part in a round, drawn without replacement; None for all.
    attack: what lying agents send, and who they are; None where everybody is honest."""

    encoder: Encoder = field(default_factory=Plain)
    aggregator: Aggregator = field(default_factory=Mean)
    participants: int | None = None
    attack: Attack | None = None

    def __post_init__(self) -> None:
        if getattr(self.encoder, "hides", False) and not self.aggregator.exact:
            allowed = f"looks at single messages, which the encoder {self.encoder.name} hides; use mean"
            raise InputError("link.aggregator", self.aggregator.name, allowed)

    @property
    def missing(self) -> tuple[str, ...]:
        """What the theorems about sums of all agents' messages do not cover."""
        found = []
        if not self.encoder.lossless:
            found.append(f"no theorem for the encoder {self.encoder.name}")
        if not self.aggregator.exact:
            found.append(f"no theorem for the aggregator {self.aggregator.name}")
        if self.participants is not None:
            found.append("no theorem for client sampling")
        if self.attack is not None and self.attack.agents:
            found.append(f"no theorem with lying agents ({self.attack.name})")
        return tuple(found)


class Channel:
    """The messages of one FL call in one epoch. rng: the randomness of participants and encoders."""

    def __init__(
        self, agents: int, epoch: int, link: Link | None = None, rng: np.random.Generator | None = None
    ) -> None:
        self.agents = agents
        self.epoch = epoch
        self.link = link or Link()
        self._rng = rng if rng is not None else np.random.default_rng(0)
        self._who: np.ndarray = np.arange(agents)
        self._counts = dict.fromkeys(COUNTERS, 0) | {"calls": 1}
        if self.link.participants is not None and not 1 <= self.link.participants <= agents:
            raise InputError(
                "link.participants", self.link.participants, f"must be between 1 and the {agents} agents"
            )

    def begin_round(self, participants: int | None = None) -> np.ndarray:
        """A round: each participant may send and receive. Returns who takes part, in increasing order.

        participants: how many the protocol asks for; the link's number holds if it is smaller.
        """
        self._counts["rounds"] += 1
        asked = min(participants or self.agents, self.link.participants or self.agents)
        if asked < self.agents:
            self._who = np.sort(self._rng.choice(self.agents, asked, replace=False))
        return self._who

    def observe(self, parameters: Any) -> None:
        """For whoever watches a call from outside (`fit` draws the gap by round); no message, nothing is counted."""

    @property
    def participants(self) -> np.ndarray:
        """Who takes part in this round (everybody before the first)."""
        return self._who

    def gather(self, field: str, messages: np.ndarray | Sequence[Any], shape: tuple[int, ...]) -> np.ndarray:
        """(P, *shape): what the server receives of the participants' messages, row i from participants[i]."""
        sent = self._checked(field, messages, shape)
        if self.link.attack is not None:
            bad = np.isin(self._who, self.link.attack.agents)
            sent = self.link.attack.corrupt(sent, bad, self._rng) if bad.any() and not bad.all() else sent
        received = self.link.encoder.encode(sent, self._rng)
        self._count("up", len(sent), sent.size, self.link.encoder.bits(sent))
        return received

    def total(
        self,
        field: str,
        messages: np.ndarray | Sequence[Any],
        shape: tuple[int, ...],
        own: np.ndarray | None = None,
    ) -> np.ndarray:
        """(*shape): the sum of all participants' messages as the aggregator estimates it; `own` is the server's."""
        return self.link.aggregator.total(self.gather(field, messages, shape), own)

    def mean(
        self,
        field: str,
        messages: np.ndarray | Sequence[Any],
        shape: tuple[int, ...],
        weights: np.ndarray | None = None,
    ) -> np.ndarray:
        """(*shape): the weighted mean of the participants' messages as the aggregator estimates it."""
        received = self.gather(field, messages, shape)
        chosen = np.full(len(received), 1 / len(received)) if weights is None else np.asarray(weights)
        return self.link.aggregator.combine(received, chosen)

    def broadcast(
        self, field: str, message: np.ndarray, shape: tuple[int, ...], everyone: bool = False
    ) -> np.ndarray:
        """Server to every participant (or to everyone): one download each, of the same message, unencoded."""
        sent = np.asarray(message)
        where = f"server, epoch {self.epoch}, {field}"
        if sent.shape != shape:
            raise MessageError(f"{where}: shape {sent.shape}, expected {shape}")
        if sent.dtype.kind not in NUMBERS + "O":
            raise MessageError(f"{where}: {sent.dtype}, expected real numbers")
        if sent.dtype != object and not finite(sent):
            raise MessageError(f"{where}: contains NaN or infinity")
        receivers = self.agents if everyone else len(self._who)
        self._count("down", receivers, receivers * sent.size, receivers * 8 * sent.nbytes)
        return sent

    @property
    def traffic(self) -> Traffic:
        return Traffic(**self._counts)

    def _count(self, way: str, messages: int, numbers: int, bits: int) -> None:
        self._counts[f"messages_{way}"] += messages
        self._counts[f"numbers_{way}"] += numbers
        self._counts[f"bits_{way}"] += bits

    def _checked(self, field: str, messages: Any, shape: tuple[int, ...]) -> np.ndarray:
        """The messages as one array; the first agent that is missing or answers something else is named."""
        expected = (len(self._who), *shape)
        sent = messages if isinstance(messages, np.ndarray) and messages.shape == expected else None
        if sent is None:
            sent = np.stack(self._of_shape(field, messages, shape))
        if sent.dtype.kind not in NUMBERS + "O":
            raise MessageError(
                f"all agents, epoch {self.epoch}, {field}: {sent.dtype}, expected real numbers"
            )
        if sent.dtype != object and not finite(sent):
            bad = int(np.argmin(np.isfinite(sent).reshape(len(sent), -1).all(axis=1)))
            raise MessageError(
                f"agent {self._who[bad]}, epoch {self.epoch}, {field}: contains NaN or infinity"
            )
        return sent

    def _of_shape(self, field: str, messages: Any, shape: tuple[int, ...]) -> list[np.ndarray]:
        count = len(self._who)
        if len(messages) != count:
            raise MessageError(
                f"agent {min(len(messages), count)}, epoch {self.epoch}, {field}:"
                f" {len(messages)} messages from {count} agents"
            )
        for agent, message in zip(self._who, messages, strict=True):
            if np.shape(message) != shape:
                raise MessageError(
                    f"agent {agent}, epoch {self.epoch}, {field}: shape {np.shape(message)}, expected {shape}"
                )
        return [np.asarray(message) for message in messages]
