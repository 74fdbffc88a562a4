"""What the parts of a federation offer each other. World, model, policy, rates, protocol, link and clock vary alone.

A world calls a function from contexts to arm probabilities (`Acting`), and knows neither policy nor model. A protocol
sees the agents' problem through the channel. Which theorem applies is computed from the whole, in fedigw.applicable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fedigw.ledger import Traffic

if TYPE_CHECKING:
    from bounds.schedules import EpochPlan
    from fedigw.channel import Channel, Link

Contexts = Any  # a batch of contexts, in the form that a world and a model agree on


class MessageError(RuntimeError):
    """An agent or the server sent something that is not a finite array of the agreed shape."""


@dataclass(frozen=True)
class Steps:
    """An epoch of one agent: `full` steps are played and taught from, regret is counted over the first `played`.
    keep: the samples themselves are wanted, not only what they add up to."""

    full: int
    played: int
    keep: bool = False


@dataclass(frozen=True)
class Experience:
    """What an agent brings home from an epoch.

    data: its local dataset, in the form that the world and the model agree on.
    regret: expected regret of the counted steps, given the model in use (no action noise).
    by_agent: (M,) the same by agent, the mean over replications, where all agents play together.
    """

    data: Any
    regret: Any
    by_agent: Any = None


@dataclass(frozen=True)
class Acting:
    """The function that a world calls: contexts -> arm probabilities (..., n, K).

    Replications carry a leading axis: `parameters` are the distinct models in use and `index` (R,) says which
    replication uses which; without replications index is None and there is no leading axis.
    """

    model: Model
    parameters: Any
    policy: Policy
    rate: Any
    index: np.ndarray | None = None

    def __call__(self, contexts: Contexts) -> np.ndarray:
        scores = self.model.scores(self.parameters, contexts)
        widths = self.model.widths(self.parameters, contexts) if "widths" in self.policy.needs else None
        return self.policy.probabilities(scores, self.rate, widths)


Act = Callable[[Contexts], np.ndarray]


class World(Protocol):
    """Contexts, truth and rewards of M agents. f* is known to the simulator and to nobody else. A world may also offer
    play_each(acts, steps, rng): the epoch of all agents, where that is faster than one by one."""

    @property
    def arms(self) -> tuple[int, ...]:
        """K_m of every agent."""
        ...

    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        """One agent plays one epoch."""
        ...

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        """The most that these steps of each agent can lose in expectation, whatever is played."""
        ...

    def describe(self) -> dict[str, Any]:
        """Its keys of the instance file; `agents` is a list of tables."""
        ...


class Model(Protocol):
    """A function class. Parameters: whatever names one function of it, or PerAgent of them."""

    def initial(self) -> Any:
        """The zero function of epoch 1."""
        ...

    def scores(self, parameters: Any, contexts: Contexts) -> np.ndarray:
        """(..., n, K): the function's values."""
        ...

    def widths(self, parameters: Any, contexts: Contexts) -> np.ndarray:
        """(..., n, K): how uncertain each value is, for policies that need it; a model without widths has no such."""
        ...

    def problem(self, datasets: Sequence[Any], epoch: int) -> Problem:
        """The agents' side of an FL call on their data."""
        ...

    def describe(self, parameters: Any) -> Any:
        """The parameters as JSON."""
        ...


class PerAgent(tuple[Any, ...]):
    """Parameters that differ between agents: one entry each."""


class Problem(Protocol):
    """The agents' side of a call: answers to the server's questions, row m computed from agent m's data alone."""

    @property
    def samples(self) -> int: ...

    def distance(self, parameters: Any) -> Any:
        """Squared distance from the exact minimiser, for the audit: never shown to a protocol."""
        ...

    def gap(self, parameters: Any) -> Any:
        """F - F*, the loss above the least; NaN where the least is not known. For audits."""
        ...


class Policy(Protocol):
    """From scores to arm probabilities. needs: what the model must offer beyond scores ("widths")."""

    @property
    def name(self) -> str: ...
    @property
    def rational(self) -> bool: ...
    @property
    def needs(self) -> tuple[str, ...]: ...

    def probabilities(
        self, scores: np.ndarray, rate: Any, widths: np.ndarray | None = None
    ) -> np.ndarray: ...


class Encoder(Protocol):
    """What happens to messages on their way up. lossless: their sum arrives as it was sent. One that hides messages
    (`hides`) also has total(received), the sum behind them, and setup_bits(agents), up and down, once a call."""

    @property
    def name(self) -> str: ...
    @property
    def lossless(self) -> bool: ...
    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray: ...
    def bits(self, messages: np.ndarray) -> int: ...


class Attack(Protocol):
    """What lying agents send in place of their messages; they may have seen all honest ones. It may also offer
    falsify(data), the dataset that a lying agent pretends to have, or be `aware`: corrupt is told the aggregator."""

    @property
    def name(self) -> str: ...
    @property
    def agents(self) -> tuple[int, ...]: ...
    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray: ...


class Aggregator(Protocol):
    """How the server combines messages. exact: combine is the weighted mean and total the sum. It may also offer
    coordinatewise: every coordinate is combined by itself; constant(M, f): kappa of app:robust_mean, the squared
    distance from the honest mean in honest variances, f of M agents lying, None where none is proved; reference: for
    comparison alone, no constant is proved of it."""

    @property
    def name(self) -> str: ...
    @property
    def exact(self) -> bool: ...
    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray: ...
    def total(self, messages: np.ndarray, own: np.ndarray | None) -> np.ndarray: ...


class Clock(Protocol):
    """When an agent acts. count(t): its steps up to global time t."""

    @property
    def name(self) -> str: ...
    def count(self, time: int) -> int: ...


@dataclass(frozen=True)
class Setting:
    """What a protocol's guarantee may depend on: the model, which knows whether laws differ, how many agents, whether
    they always have equally many samples, and for guarantees that are about lying agents the link and the plan."""

    model: Any
    agents: int
    equal: bool = False
    link: Link | None = None
    plan: EpochPlan | None = None


@dataclass(frozen=True)
class Guarantee:
    """What a protocol promises, with the claim that proves it.

    risk(variant, n): the mean excess risk after n samples, solver error included. distance(n): the largest squared
    distance from the exact minimiser of the n samples; 0 for an exact solver; None where the guarantee is about
    predictions. cost(n): what the call sends, at most. variants: which bounds each rule of learning rates has.
    missing: why no regret bound follows, if none does.
    robust: it is about the link's own aggregator and its lying agents, and about the honest agents' regret.
    rests_on: further statements, (claim, variant), that the risk rests on here: a bound is no surer than the weakest.
    on_all_data: those by which risk(n) also holds for n samples of all epochs so far, each chosen in the light of
    earlier ones; none where that is not proved.
    """

    claim: str
    risk: Callable[[str, int], float]
    distance: Callable[[int], float] | None
    cost: Callable[[int], Traffic]
    variants: Mapping[str, tuple[str, ...]]
    missing: tuple[str, ...] = ()
    rests_on: tuple[tuple[str, str], ...] = ()
    robust: bool = False
    on_all_data: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Fitted:
    """parameters: one function for all, or PerAgent. memory: what the protocol keeps until its next call."""

    parameters: Any
    memory: Any = None


class FLProtocol(Protocol):
    """FLroutine(.) of alg:FedIGW_agent: a frozen dataclass whose fields are its keys in a file.

    Agents' data may be touched only through the problem, and everything that travels goes through the channel.
    It may offer distance(problem, parameters), for the audit, where it aims at something else than the minimiser.
    """

    @property
    def name(self) -> str: ...

    def fit(self, problem: Any, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        """One call on one epoch's data."""
        ...

    def guarantee(self, setting: Setting) -> Guarantee | None:
        """What is promised here; None: nothing, and no bound is printed."""
        ...


@dataclass(frozen=True)
class Promise:
    """One call's promise and what was delivered: the audit of a protocol's word."""

    epoch: int
    promised: float
    delivered: float
    kept: bool = field(default=True)
