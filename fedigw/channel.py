"""Carry all messages between agents and server: the channel encodes and aggregates them, and counts numbers and bits.

A protocol computes what its agents would send and asks the channel what the server receives. So the counts are of what
was sent, not of what the protocol declares, and every encoder and aggregator works with every protocol.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw.aggregators.mean import Mean
from fedigw.encoders.plain import Plain
from fedigw.interfaces import Aggregator, Attack, Encoder, MessageError, Parameters, require
from fedigw.ledger import COUNTERS, Traffic
from fedigw.network import Network

NUMBERS = "biuf"  # numpy's kinds of real numbers
LARGEST_LIE = 1e100  # times a message: squares of what arrives are finite numbers
Messages = np.ndarray | Sequence[Any]  # one of each participant, in their order
Shape = tuple[int, ...]  # of one message


def finite(numbers: np.ndarray) -> bool:
    return math.isfinite(np.vdot(numbers, numbers)) or bool(np.isfinite(numbers).all())


@dataclass(frozen=True)
class Link:
    """How the agents' messages reach the server.

    encoder        what happens to an agent's message on its way to the server, such as compression
    aggregator     how the server combines the messages, such as their mean
    participants   how many agents take part in a round, drawn without replacement; None for all
    attack         which agents lie, and what they send; None if all are honest
    """

    encoder: Encoder = field(default_factory=Plain)
    aggregator: Aggregator = field(default_factory=Mean)
    participants: int | None = None
    attack: Attack | None = None

    def __post_init__(self) -> None:
        require("link.encoder", self.encoder, Encoder)
        require("link.aggregator", self.aggregator, Aggregator)
        if self.attack is not None:
            require("attack", self.attack, Attack)
        if self.encoder.hides and not self.aggregator.exact:
            allowed = f"looks at single messages, which the encoder {self.encoder.name} hides; use mean"
            raise InputError("link.aggregator", self.aggregator.name, allowed)
        scale = 0.0 if self.attack is None else self.attack.scale
        if not abs(scale) <= LARGEST_LIE:
            raise InputError("attack.scale", scale, f"must be a number up to {LARGEST_LIE:g} in size")

    @property
    def missing(self) -> tuple[str, ...]:
        """Return, as phrases, why theorems that assume exact sums of all messages do not apply; () if they do."""
        return self.unmet(robust=False)

    def unmet(self, robust: bool) -> tuple[str, ...]:
        """Return, as phrases, the properties of the link for which a protocol's guarantee is not proved. robust:
        whether the guarantee was made for this aggregator and for lying agents."""
        found = []
        if not self.encoder.lossless:
            found.append(f"no theorem for the encoder {self.encoder.name}")
        if not self.aggregator.exact and not robust:
            words = ", a reference without a proved constant" if self.aggregator.reference else ""
            found.append(f"no theorem for the aggregator {self.aggregator.name}{words}")
        if self.participants is not None:
            found.append("no theorem for client sampling")
        if self.liars and self.attack is not None and not robust:
            found.append(f"no theorem with lying agents ({self.attack.name})")
        return tuple(found)

    @property
    def liars(self) -> tuple[int, ...]:
        return () if self.attack is None else tuple(sorted(set(self.attack.agents)))

    def check(self, agents: int) -> None:
        """Raise InputError if the participants, the lying agents or the aggregator do not fit this number of agents."""
        most = self.participants
        if most is not None and not 1 <= most <= agents:
            raise InputError("link.participants", most, f"must be between 1 and the {agents} agents")
        for index, agent in enumerate(self.attack.agents if self.attack is not None else ()):
            if not 0 <= agent < agents:
                raise InputError(f"attack.agents[{index}]", agent, f"must be an agent, 0 to {agents - 1}")
        if len(self.liars) == agents:
            allowed = f"must leave one of the {agents} agents honest: regret is theirs"
            raise InputError("attack.agents", "all", allowed)
        self.aggregator.check(most or agents)


PLAIN = Link()


class Channel:
    """The connection between agents and server during one call of a protocol, in one epoch; it counts what is sent.
    rng: draws the participants, and random encodings."""

    def __init__(
        self, agents: int, epoch: int, link: Link | None = None, rng: np.random.Generator | None = None
    ) -> None:
        self.agents = agents
        self.epoch = epoch
        self.link = link or Link()
        self._rng = rng if rng is not None else np.random.default_rng(0)
        self._who: np.ndarray = np.arange(agents)
        self._counts = dict.fromkeys(COUNTERS, 0) | {"calls": 1}
        self.watch: Callable[[Parameters], None] | None = None
        self._agreed = False  # on the secrets of an encoder that hides messages
        if self.link.participants is not None and not 1 <= self.link.participants <= agents:
            said = f"must be between 1 and the {agents} agents"
            raise InputError("link.participants", self.link.participants, said)

    def begin_round(self, participants: int | None = None) -> np.ndarray:
        """Begin a round, and return the increasing indices (P,) of the agents that take part. participants: how many
        the protocol asks for; fewer if the link has a smaller limit."""
        self._counts["rounds"] += 1
        asked = min(participants or self.agents, self.link.participants or self.agents)
        if asked < self.agents:
            self._who = np.sort(self._rng.choice(self.agents, asked, replace=False))
        elif len(self._who) < self.agents:
            self._who = np.arange(self.agents)
        return self._who

    def observe(self, parameters: Parameters) -> None:
        """Report the server's point to whoever watches the call; nothing is sent or counted. A protocol calls this
        before the first round and after each round. The command `fit` draws its curve from the points, and a stopping
        rule may end the call."""
        if self.watch is not None:
            self.watch(parameters)

    @property
    def participants(self) -> np.ndarray:
        return self._who

    def gather(
        self, field: str, messages: Messages, shape: Shape, packed: Encoder | None = None
    ) -> np.ndarray:
        """Send one message of each of the P participants to the server, and return what arrives, shape (P, *shape), in
        the order of the participants. field: name for error messages. packed: the compressor that the protocol has
        already applied to the messages; it counts their bits, unless the link has an encoder."""
        sent = self._checked(field, messages, shape)
        if self.link.attack is not None:
            bad = np.isin(self._who, self.link.attack.agents)
            sent = self._corrupted(self.link.attack, sent, bad) if bad.any() else sent
        received = self.link.encoder.encode(sent, self._rng)
        counting = packed if packed is not None and self.link.encoder == Plain() else self.link.encoder
        self._count("up", len(sent), sent.size, counting.bits(sent))
        if self._hides and not self._agreed:
            self._agreed = True
            for way, bits in zip(("up", "down"), self.link.encoder.setup_bits(self.agents), strict=True):
                self._counts[f"bits_{way}"] += bits
        return received

    @property
    def _hides(self) -> bool:
        return self.link.encoder.hides

    def exchange(
        self, field: str, messages: Messages, shape: Shape, network: Network, times: int = 1
    ) -> np.ndarray:
        """Mix the agents' values with those of their neighbours, without a server, and return the result, shape (M,
        *shape). In each of `times` rounds every agent sends its value to its neighbours, and replaces it by the mean of
        its own and theirs with the network's weights. Every edge carries one message each way. The message of the agent
        with the smaller index counts as sent up, the other as sent down. field: name for error messages."""
        if self.link != PLAIN:
            raise InputError("link", None, "is about messages to a server, and this protocol has none")
        sent = self._checked(field, messages, shape)
        self._counts["rounds"] += times
        size, many = sent[0].size, times * len(network.edges)
        self._count("up", many, many * size, 64 * many * size)
        self._count("down", many, many * size, 64 * many * size)
        return self._mixed(sent, network, times)

    def _mixed(self, sent: np.ndarray, network: Network, times: int) -> np.ndarray:
        return np.asarray(np.tensordot(network.power(times), sent, axes=1))

    def total(
        self, field: str, messages: Messages, shape: Shape, own: np.ndarray | None = None
    ) -> np.ndarray:
        """Send the participants' messages to the server, and return their sum, in the given shape, as its aggregator
        estimates it. field: name for error messages. own: a message of the server itself, which is added."""
        received = self.gather(field, messages, shape)
        if not self._hides:
            return self.link.aggregator.total(received, own)
        summed = self.link.encoder.total(received)
        return summed if own is None else own + summed

    def mean(
        self,
        field: str,
        messages: Messages,
        shape: Shape,
        weights: np.ndarray | None = None,
        packed: Encoder | None = None,
    ) -> np.ndarray:
        """Send the participants' messages to the server, and return their weighted mean, in the given shape, as its
        aggregator estimates it. Weights are equal by default. field: name for error messages. packed: the compressor
        already applied, which counts bits."""
        count = len(self._who)
        chosen = np.full(count, 1 / count) if weights is None else np.asarray(weights)
        if self._hides:  # nothing can be weighed later: agents send what is to be summed
            sent = self._checked(field, messages, shape)
            return self.total(field, chosen.reshape(-1, *(1,) * len(shape)) * sent, shape)
        own = () if packed is None else (packed,)
        return self.link.aggregator.combine(self.gather(field, messages, shape, *own), chosen)

    def broadcast(self, field: str, message: np.ndarray, shape: Shape, everyone: bool = False) -> np.ndarray:
        """Send one message of the given shape from the server, unencoded, to every participant, or to all agents if
        `everyone`. Return it as received. field: name for error messages."""
        sent = np.asarray(message)
        wrong = ""
        if sent.shape != shape:
            wrong = f"shape {sent.shape}, expected {shape}"
        elif sent.dtype.kind not in NUMBERS + "O":
            wrong = f"{sent.dtype}, expected real numbers"
        elif sent.dtype != object and not finite(sent):
            wrong = "contains NaN or infinity"
        if wrong:
            raise MessageError(f"server, epoch {self.epoch}, {field}: {wrong}")
        receivers = self.agents if everyone else len(self._who)
        self._count("down", receivers, receivers * sent.size, receivers * 8 * sent.nbytes)
        return sent

    def repeat(self, before: Traffic, times: int) -> None:
        """Count `times` more times everything that was sent since the counts were `before`: for rounds whose result is
        computed without simulating their messages."""
        for name, count in self._counts.items():
            self._counts[name] = count + times * (count - getattr(before, name))

    @property
    def traffic(self) -> Traffic:
        return Traffic(**self._counts)

    def _corrupted(self, attack: Attack, messages: np.ndarray, bad: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):  # messages of a run that diverges
            sent = np.asarray(attack.corrupt_knowing(messages, bad, self._rng, self.link.aggregator))
        if sent.dtype != object and not np.isfinite(sent).all():
            raise MessageError(f"epoch {self.epoch}: a lie ({attack.name}) is no finite number any more")
        return sent

    def _count(self, way: str, messages: int, numbers: int, bits: int) -> None:
        self._counts[f"messages_{way}"] += messages
        self._counts[f"numbers_{way}"] += numbers
        self._counts[f"bits_{way}"] += bits

    def _checked(self, field: str, messages: Any, shape: Shape) -> np.ndarray:
        expected = (len(self._who), *shape)
        sent = messages if isinstance(messages, np.ndarray) and messages.shape == expected else None
        if sent is None:
            sent = np.stack(self._of_shape(field, messages, shape))
        where = f"epoch {self.epoch}, {field}"
        if sent.dtype.kind not in NUMBERS + "O":
            raise MessageError(f"all agents, {where}: {sent.dtype}, expected real numbers")
        if sent.dtype != object and not finite(sent):
            bad = int(np.argmin(np.isfinite(sent).reshape(len(sent), -1).all(axis=1)))
            raise MessageError(f"agent {self._who[bad]}, {where}: contains NaN or infinity")
        return sent

    def _of_shape(self, field: str, messages: Any, shape: Shape) -> list[np.ndarray]:
        count, where = len(self._who), f"epoch {self.epoch}, {field}"
        if len(messages) != count:
            said = f"{len(messages)} messages from {count} agents"
            raise MessageError(f"agent {min(len(messages), count)}, {where}: {said}")
        for agent, message in zip(self._who, messages, strict=True):
            if np.shape(message) != shape:
                said = f"shape {np.shape(message)}, expected {shape}"
                raise MessageError(f"agent {agent}, {where}: {said}")
        return [np.asarray(message) for message in messages]
