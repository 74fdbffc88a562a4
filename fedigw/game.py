"""Play rival algorithms, called systems, on the worlds of FedIGW, and count regret and messages in the same way.

R replications of M agents play T steps in parallel. A system asks for the contexts of the coming steps, chooses arms,
gets the rewards, and sends messages. The regret of a step is the mean reward of the best arm minus that of the chosen
arm.

If agents have clocks, a step is a unit of global time. An agent that does not act then sees zero features, gets reward
0, loses nothing and learns nothing. If an agent has fewer arms than others, the remaining places hold copies of its
first arm; a rule that takes the first of equal arms never chooses them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.channel import Channel, Link
from fedigw.interfaces import Loss, Part
from fedigw.ledger import Traffic
from fedigw.rewards import Law, draw, draw_numbers, draw_sums

CHUNK_NUMBERS = 2_000_000  # of features drawn ahead
SMALLEST = 1e-280  # a probability whose inverse, and that of its share for one agent, are still numbers


@dataclass(frozen=True)
class Met:
    """The contexts that M agents meet in n steps of R replications.

    features   (R, M, n, K, d): of each arm
    means      (R, M, n, K): mean reward of each arm
    index      (R, M, n): number of each context if there are finitely many, else None
    """

    features: np.ndarray
    means: np.ndarray
    index: np.ndarray | None = None


def met_by_agent(parts: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray | None]]) -> Met:
    """Join the contexts that single agents meet, one tuple per agent: features (R, n, K, d), mean rewards (R, n, K) and
    context numbers (R, n) or None. If an agent has fewer arms than others, copies of its first arm fill the places."""
    most = max(means.shape[-1] for _, means, _ in parts)
    features, means, index = zip(*(_filled(part, most) for part in parts), strict=True)
    where = None if any(i is None for i in index) else np.stack(index, axis=1)
    return Met(np.stack(features, axis=1), np.stack(means, axis=1), where)


def _filled(
    part: tuple[np.ndarray, np.ndarray, np.ndarray | None], most: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    features, means, index = part
    if means.shape[-1] == most:
        return part
    places = np.arange(most)
    places[means.shape[-1] :] = 0
    return features[..., places, :], means[..., places], index


@dataclass(frozen=True)
class Sizes:
    """The sizes on which a rival algorithm's communication and bounds may depend.

    agents, arms, dimension, horizon   M, K, d and the steps T of an agent; if agents differ, the largest K and T
    shared     how many of the d coordinates of the parameter all agents share
    together   sum of all agents' steps; None if it is M T
    times      number of global times at which an agent may act; None if it is T
    loss       the loss whose link function gives the mean rewards; None if they are linear
    """

    agents: int
    arms: int
    dimension: int
    horizon: int
    shared: int
    together: int | None = None
    times: int | None = None
    loss: Loss | None = None

    @property
    def moments(self) -> int:
        """Return an upper bound on the number of global times at which at least one agent acts."""
        return self.horizon if self.times is None else min(self.times, self.steps)

    @property
    def steps(self) -> int:
        return self.agents * self.horizon if self.together is None else self.together


class StepWorld(ABC):
    """Base class of simulated environments that are played step by step, for rival algorithms without epochs."""

    agents: tuple[Any, ...]  # the contexts of each
    rewards: Law

    @property
    @abstractmethod
    def widths(self) -> tuple[int, int]:
        """Return the dimension of the features, and how many coordinates of the parameter all agents share."""

    @property
    def heterogeneous(self) -> bool:
        """Return whether the features of two agents have different distributions."""
        return False

    @property
    def generalised(self) -> Loss | None:
        """Return the loss whose link function maps scores phi'w to mean rewards, or None if scores are mean rewards."""
        return None

    def features_of(self, agent: int) -> np.ndarray | None:
        """Return the features of an agent's contexts, shape (X, K, d), or None if there are infinitely many."""
        return None

    @abstractmethod
    def truth(self, agent: int) -> np.ndarray:
        """Return the true parameter (d,) of this agent's mean rewards."""

    def in_coordinates(self, one_parameter: bool) -> StepWorld:
        """Return the same world with features in other coordinates. With `one_parameter` all agents then share one
        parameter, else all agents have equally many coordinates."""
        return self

    @abstractmethod
    def meet(self, replications: int, steps: int, rng: np.random.Generator) -> Met:
        """Draw the contexts of the next `steps` steps of all agents in R replications."""


@dataclass(frozen=True, eq=False)
class OneContext:
    """The only context of an agent, in which each of K arms has its own unit vector: features (1, K, K)."""

    features: np.ndarray


@dataclass(frozen=True, eq=False)
class Table(StepWorld):
    """A simulated environment with K arms and no contexts. means: (K,), the mean rewards of the arms, the same for all
    agents. rewards: the law of rewards. For algorithms that read features, each arm has its own unit vector."""

    means: np.ndarray
    agents: tuple[OneContext, ...]
    rewards: Law

    @classmethod
    def of(cls, means: np.ndarray, agents: int, rewards: Law) -> Table:
        return cls(means, (OneContext(np.eye(len(means))[None]),) * agents, rewards)

    @property
    def widths(self) -> tuple[int, int]:
        return len(self.means), len(self.means)

    def features_of(self, agent: int) -> np.ndarray:
        return self.agents[agent].features

    def truth(self, agent: int) -> np.ndarray:
        return self.means

    def meet(self, replications: int, steps: int, rng: np.random.Generator) -> Met:
        shape = (replications, len(self.agents), steps)
        features = np.broadcast_to(np.eye(len(self.means)), (*shape, *(2 * self.means.shape)))
        return Met(features, np.broadcast_to(self.means, (*shape, len(self.means))))


class System(Part, ABC):
    """Base class of the rivals of FedIGW, which are whole algorithms. Fields of a subclass are keys in an instance
    file."""

    paper: ClassVar[str]
    regret_order: ClassVar[str] = ""  # the order that its paper proves; "": its paper bounds no regret
    event: ClassVar[str | None] = None  # proved with high probability; None: nothing is checked
    needs: ClassVar[tuple[str, ...]] = ()  # of a world: keys of fedigw.competing.NEEDS
    alone: ClassVar[bool] = False  # replications cannot go in step, each is a game of its own
    clocks: ClassVar[bool] = False  # its agents may act at times of their own
    tabular: ClassVar[bool] = False  # it also plays on a finite class with one context
    links: ClassVar[bool] = False  # it also plays where mean rewards are a link function of phi'w

    @abstractmethod
    def play(self, game: Game) -> np.ndarray:
        """Play all steps of a game. Return (R,), for each replication whether the event occurred that the paper proves
        with high probability; (0,) if the paper proves none."""

    @abstractmethod
    def numbers_at_most(self, sizes: Sizes) -> float:
        """Return an upper bound on how many numbers the algorithm sends in any game with these sizes."""

    def regret_at_most(self, sizes: Sizes) -> float | None:
        """Return a proved upper bound on the expected regret of all agents together, if mean rewards are linear in the
        features; None if no theorem gives one."""
        return None

    def widest(self, sizes: Sizes) -> int:
        """Return the number of rows of the largest matrices that the algorithm stores."""
        return sizes.dimension


@dataclass(frozen=True)
class Confident(System):
    """Base class of rival algorithms whose paper proves an event with high probability. delta: probability that the
    event fails; by default 1 divided by the steps of all agents."""

    delta: float | None = None

    def __post_init__(self) -> None:
        if self.delta is not None and not SMALLEST <= self.delta < 1:
            raise InputError("delta", self.delta, f"must be a probability between {SMALLEST:g} and 1")

    def failure(self, sizes: Sizes) -> float:
        return self.delta or 1 / sizes.steps


def check_positive(field: str, value: float | None) -> None:
    if value is not None and not value > 0:
        raise InputError(field, value, "must be a positive number")


def best_stay(active: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Return, as an array of shape (1,), whether every context still has a best arm that has not been eliminated.
    active: (..., K), the arms not eliminated. means: (..., K), their true mean rewards."""
    best = means >= means.max(axis=-1, keepdims=True) - 1e-12
    return np.array([bool((active & best).any(axis=-1).all())])


def left_after(active: np.ndarray, scores: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Return which active arms (..., K) remain after an elimination by confidence intervals score +- width. An arm
    remains if its upper end is not below the lower end of any other active arm."""
    lowest = np.where(active, scores - width, -np.inf).max(axis=-1, keepdims=True)
    return np.asarray(active & (scores + width >= lowest))


class Line(Channel):
    """A channel for one replication of a rival algorithm, which may also send to and from single agents."""

    def with_agents(self, who: Sequence[int] | np.ndarray) -> None:
        """Begin a round in which the agents with these indices, in this order, send and receive."""
        self._counts["rounds"] += 1
        self._who = np.asarray(who)

    def deliver(self, field: str, messages: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """Send a different message from the server to each participant: messages[i] goes to the i-th participant.
        shape: of one message. field: name for error messages."""
        sent = self._checked(field, messages, shape)
        self._count("down", len(sent), sent.size, 64 * sent.size)
        return sent

    def collect(self, field: str, messages: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Make one round in which each agent m sends messages[m] to the server, and return what arrives. Lengths may
        differ, and empty messages are not sent. field: name for error messages."""
        received = []
        self._counts["rounds"] += 1
        for agent, message in enumerate(messages):
            self._who = np.array([agent])
            received.append(self.gather(field, message[None], message.shape)[0] if message.size else message)
        self._who = np.arange(self.agents)
        return received


class Game:
    """The state of a game that a rival algorithm plays: contexts, rewards, regret and messages.

    rng       the source of randomness of contexts, rewards and the algorithm
    ends      the steps after which epochs end; regret and messages are recorded by epoch
    acting    (T, M): which agents act in each step; None if all act in every step
    arms_of   number of arms of each agent
    """

    def __init__(
        self,
        world: Any,
        sizes: Sizes,
        ends: Sequence[int] | np.ndarray,
        replications: int,
        rng: np.random.Generator,
        link: Link | None = None,
        acting: np.ndarray | None = None,
        arms_of: Sequence[int] | None = None,
    ) -> None:
        self.world, self.sizes, self.rng = world, sizes, rng
        self.replications, self.agents = replications, sizes.agents
        self.arms, self.dimension, self.horizon = sizes.arms, sizes.dimension, int(ends[-1])
        self.arms_of = np.full(sizes.agents, sizes.arms) if arms_of is None else np.asarray(arms_of)
        self._acting = acting
        self.lines = [Line(sizes.agents, 1, link, stream) for stream in rng.spawn(replications)]
        for line in self.lines:
            line._counts["calls"] = 0
        self._ends = np.asarray(ends)
        self._clock = 0
        self._lost = np.zeros((replications, len(ends)))
        self._by_agent = np.zeros(sizes.agents)
        self._snapshots: list[list[Traffic]] = []
        self._each = np.ix_(range(replications), range(sizes.agents))

    @property
    def left(self) -> int:
        return self.horizon - self._clock

    @property
    def step(self) -> int:
        return self._clock

    def look(self, steps: int) -> Met:
        """Draw the contexts of the next `steps` steps, or of all that are left. `pull` must play them next."""
        return self.world.meet(self.replications, min(steps, self.left), self.rng)

    def pull(self, met: Met, arms: np.ndarray) -> np.ndarray:
        """Play the arms (R, M, n) in the contexts that `look` returned. Return their rewards, shape (R, M, n)."""
        return self._pull(met.means, arms)

    def runs(self, counts: np.ndarray) -> np.ndarray:
        """Pull arm k counts[m, k] times for each agent m, in the order of the arms, and return the sums of rewards,
        shape (M, K). The world must have one context, and the game one replication. Agents with fewer pulls than others
        repeat their last arm until all have equally many; these pulls do not enter the sums. There are no pulls beyond
        the horizon."""
        means = self._only_means
        ends, last = counts.cumsum(axis=1), int(np.flatnonzero(counts.any(axis=0))[-1])
        steps = min(int(ends[:, -1].max()), self.left)
        gap, begin = means.max(axis=1, keepdims=True) - means, ends - counts

        def lost_until(step: int) -> np.ndarray:
            late = np.maximum(step - ends[:, -1], 0)
            return np.asarray((gap * np.clip(step - begin, 0, counts)).sum(axis=1) + gap[:, last] * late)

        done = 0
        for epoch, length in self._epochs(steps):
            self._enter(epoch, length, lost_until(done + length) - lost_until(done))
            done += length
        played = np.clip(steps - begin, 0, counts)
        return draw_sums(played, means, self.world.rewards, self.rng)

    @cached_property
    def _only_means(self) -> np.ndarray:
        return self.world.meet(1, 1, self.rng).means[0, :, 0]

    def mixed(self, chances: np.ndarray, means: np.ndarray, gap: np.ndarray, steps: int) -> np.ndarray:
        """Play `steps` steps in which each agent draws one of C pairs (context, arm) at random. chances, means, gap:
        (C,), the probability, mean reward and regret of each pair. Return, shape (2, M, C), how often each pair was
        drawn and the sum of its rewards. The game must have one replication."""
        found = np.zeros((2, self.agents, len(chances)))
        for epoch, length in self._epochs(min(steps, self.left)):
            counts = self.rng.multinomial(length, chances, size=self.agents)
            values, numbers = draw_numbers(counts, means, self.world.rewards, self.rng)
            self._enter(epoch, length, counts @ gap)
            found += counts, (numbers * values).sum(axis=-1)
        return found

    def _epochs(self, steps: int) -> list[tuple[int, int]]:
        first, last = np.searchsorted(self._ends, (self._clock, self._clock + steps - 1), side="right")
        if first == last:
            return [(int(first), steps)]
        cut = np.diff(np.clip(self._ends - self._clock, 0, steps), prepend=0)
        return [(int(epoch), int(cut[epoch])) for epoch in np.flatnonzero(cut)]

    def _enter(self, epoch: int, steps: int, lost: np.ndarray) -> None:
        self._snapshot_until(self._clock + steps)
        self._lost[:, epoch] += lost.sum()
        self._by_agent += lost
        self._clock += steps

    def steps(self) -> Iterator[tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]]:
        """Yield, for each step, the features (R, M, K, d) and a function that plays arms (R, M) and returns their
        rewards (R, M). The function must be called before the next step."""
        size = self.replications * self.agents * self.arms * self.dimension
        chunk = max(1, CHUNK_NUMBERS // size)
        while self.left:
            met = self.look(chunk)
            highest = met.means.max(axis=3)
            for i in range(met.means.shape[2]):
                seen = met.features[:, :, i]
                if self._acting is not None:
                    seen = seen * self.acting[:, None, None]
                yield seen, partial(self._pull_once, met.means[:, :, i], highest[:, :, i])

    @property
    def acting(self) -> np.ndarray:
        who = self._who(1)
        return np.ones(self.agents, dtype=bool) if who is None else who[:, 0]

    def _who(self, steps: int) -> np.ndarray | None:
        return None if self._acting is None else self._acting[self._clock : self._clock + steps].T

    def _pull_once(self, means: np.ndarray, highest: np.ndarray, arms: np.ndarray) -> np.ndarray:
        chosen = means[(*self._each, arms)]
        lost = highest - chosen
        if self._acting is not None:
            lost *= self.acting
        self._snapshot_until(self._clock + 1)
        self._lost[:, len(self._snapshots)] += lost.sum(axis=1)
        self._by_agent += lost.sum(axis=0) / self.replications
        rewards = self._earned(arms[..., None], chosen[..., None])[..., 0]
        if self._acting is not None:
            rewards = rewards * self.acting
        self._clock += 1
        return rewards

    def _pull(self, means: np.ndarray, arms: np.ndarray) -> np.ndarray:
        steps = arms.shape[2]
        who = self._who(steps)
        self._snapshot_until(self._clock + steps)
        chosen = np.take_along_axis(means, arms[..., None], axis=3)[..., 0]
        lost = means.max(axis=3) - chosen
        if who is not None:
            lost = lost * who
        done = 0
        for epoch, length in self._epochs(steps):
            self._lost[:, epoch] += lost[:, :, done : done + length].sum(axis=(1, 2))
            done += length
        self._by_agent += lost.sum(axis=2).mean(axis=0)
        self._clock += steps
        rewards = self._earned(arms, chosen)
        return rewards if who is None else rewards * who

    def _earned(self, arms: np.ndarray, means: np.ndarray) -> np.ndarray:
        return draw(means.ravel(), self.world.rewards, self.rng).reshape(means.shape)

    def _snapshot_until(self, clock: int) -> None:
        while len(self._snapshots) < len(self._ends) and self._ends[len(self._snapshots)] < clock:
            self._snapshots.append([line.traffic for line in self.lines])

    def finish(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return, at the end of the game, the regret of each epoch (R, L), the counts of what was sent in each epoch
        (R, L, 8), as in Traffic, and the regret of each agent (M,), averaged over replications."""
        assert self.left == 0, f"{self.left} steps were not played"
        self._snapshot_until(self.horizon + 1)
        counted = np.array(
            [[tuple(vars(traffic).values()) for traffic in row] for row in self._snapshots], dtype=np.int64
        )
        return self._lost, np.diff(counted, axis=0, prepend=0).transpose(1, 0, 2), self._by_agent
