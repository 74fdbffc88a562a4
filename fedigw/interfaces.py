"""The base classes of the parts of a federation. Read this file before writing a part.

World, model, policy, learning rates, protocol, link (encoder, aggregator, attack) and clock vary independently. A
part derives from its class here and overrides what it needs. Methods marked abstract are required; everything else
has a default that means "not offered". Nothing is looked up by name elsewhere.

A world calls a function from contexts to arm probabilities (`Acting`), and knows neither policy nor model. A protocol
sees the agents' data only through a problem and a channel. It minimises F = sum_m p_m f_m, where p_m and f_m are
weight and objective of agent m. Which theorem applies is computed from all parts, in fedigw/applicable.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from bounds.errors import InputError
from bounds.theorem import Theorem
from fedigw.ledger import Traffic

if TYPE_CHECKING:
    from bounds.compression import Known
    from bounds.local_steps import OnAnyData
    from bounds.schedules import EpochPlan
    from fedigw.adapting import Chooser
    from fedigw.channel import Channel, Link
    from fedigw.federation import Federation
    from fedigw.game import StepWorld
    from fedigw.privacy.spending import Spending

# Values whose form a world and its model, or a model and its protocols, agree on:
Contexts = Any  # a batch of contexts
# One function of a model, or PerAgent of them; may carry a leading axis of replications.
Parameters = Any
Data = Any  # a local dataset
Memory = Any  # what a protocol keeps until its next call
Number = Any  # a learning rate: float, Fraction, or an array of floats
Arms = tuple[int, ...]  # K_m of every agent

# rule of learning rates -> the bounds that it has for any excess risk
RULES_OF_EVERY_RISK: dict[str, tuple[str, ...]] = {"printed": ("repaired",), "sharpened": ("sharpened",)}


class MessageError(RuntimeError):
    """Raised when an agent or the server sent something that is not a finite array of the agreed shape."""


class Part:
    """Base class of everything that an instance file may name: a frozen dataclass whose fields are keys in the
    file."""

    name: ClassVar[str]
    from_file: ClassVar[str] = ""  # file.py:Class of a user's own part

    def check_positive(self, *keys: str, most: int = 2**62) -> None:
        """Raise InputError unless each of the named integer fields is None or from 1 to `most`."""
        for key in keys:
            value = vars(self)[key]
            if value is not None and not 1 <= value <= most:
                limit = "" if most == 2**62 else f" up to {most:.0e}"
                raise InputError(key, value, f"must be a positive integer{limit}")


def require(field: str, given: object, base: type) -> None:
    """Raise InputError unless the value `given` for a field is an instance of its base class."""
    if not isinstance(given, base):
        allowed = f"must derive from {base.__module__}.{base.__name__}"
        raise InputError(field, type(given).__name__, allowed)


# What is played, and what is learned from it.


@dataclass(frozen=True)
class Steps:
    """The lengths of an epoch of one agent. It plays and learns from `full` steps; regret is counted over the first
    `played`. keep: whether to record the samples themselves, not only their sums."""

    full: int
    played: int
    keep: bool = False


@dataclass(frozen=True)
class Experience:
    """The result of an epoch.

    data       the local dataset, in a form that the world and the model agree on
    regret     expected regret of the counted steps given the model in use, averaged over the choice of arms
    by_agent   (M,): the same for each agent, averaged over replications, if all agents are played together
    """

    data: Data
    regret: Any
    by_agent: np.ndarray | None = None


@dataclass(frozen=True)
class Acting:
    """A function from contexts to arm probabilities, shape (..., n, K), made of a policy and a model. A world calls
    it without knowing either. With replications, arrays have a leading axis: `parameters` are the distinct models
    in use, and `index` (R,) gives the model of each replication. Without replications `index` is None."""

    model: Model
    parameters: Parameters
    policy: Policy
    rate: Number
    index: np.ndarray | None = None

    def __call__(self, contexts: Contexts) -> np.ndarray:
        scores = self.model.scores(self.parameters, contexts)
        widths = self.model.widths(self.parameters, contexts) if "widths" in self.policy.needs else None
        return self.policy.probabilities(scores, self.rate, widths)


class World(ABC):
    """The contexts, true mean rewards and reward noise of M agents. Only the simulator knows the true mean
    rewards."""

    range_rule: ClassVar[str] = ""  # why epoch_regret_range is as wide as it is, in a sentence
    checked: ClassVar[bool] = False  # refuses what the theorems exclude; a subclass has to say so itself

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.checked = bool(vars(cls).get("checked", False))

    @classmethod
    def of(cls, federation: Federation) -> Self:
        """Return the federation's world. Raise InputError if it is not of this class."""
        if not isinstance(federation.world, cls):
            raise InputError("kind", federation.kind, f"must be a federation whose world is a {cls.__name__}")
        return federation.world

    @property
    @abstractmethod
    def arms(self) -> tuple[int, ...]:
        """Return the number of arms K_m of every agent."""

    @abstractmethod
    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        """Play one epoch of one agent, and return its data and regret."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the world's keys of an instance file, with `agents` as a list of tables. A world that only an
        environment can make returns the key `environment` instead."""

    def play_each(
        self, acts: Sequence[Acting], steps: Sequence[Steps], rng: np.random.Generator
    ) -> list[Experience]:
        """Play one epoch of every agent, by default one agent after the other. Override it if playing them together
        is faster."""
        return [self.play(m, *own, rng) for m, own in enumerate(zip(acts, steps, strict=True))]

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        """Return each agent's largest possible expected regret over its `played` steps, for any policy."""
        return [float(steps) for steps in played]

    @property
    def finite(self) -> bool:
        """Return whether there are finitely many contexts. Otherwise they are drawn one by one."""
        return True

    @property
    def alike(self) -> bool:
        """Return whether all agents have the same distribution of contexts, the same arms and the same mean
        rewards."""
        return False

    @property
    def rests_on(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, as (claim, variant), by which theorems about finitely many contexts also hold in
        this world."""
        return ()

    def check_lengths(self, samples: int) -> None:  # noqa: B027
        """Raise InputError if an epoch with this many samples cannot be represented."""

    # All agents and replications at once.
    @property
    def pools(self) -> bool:
        """Return whether the world offers `play_together`, which plays all replications at once."""
        return False

    @property
    def cells(self) -> int:
        """Return how many numbers one replication holds in memory in `play_together`."""
        return 1

    def play_together(
        self, act: Acting, full: Sequence[int], played: Sequence[int], rng: np.random.Generator, learns: bool
    ) -> Experience:
        """Play one epoch of all agents in R replications at once. Return regret (R,) and, if `learns`, the data
        summed over agents (R, ...)."""
        raise NotImplementedError

    # What is known of regret and risk.
    def excess_risk(
        self, act: Callable[[int], Acting], learned: Callable[[int], Parameters], full: Sequence[int]
    ) -> np.ndarray | None:
        """Return the excess risk of the models learned from an epoch, or None if it cannot be computed. It is the
        mean over all samples, under the way they were collected, of (learned - true mean reward)^2. act(m): policy
        and model with which agent m played. learned(m): its new model. full[m]: its number of samples."""
        return None

    def epoch_regret_range(self, federation: Federation) -> list[tuple[float, float]] | None:
        """Return the least and the largest expected regret of each epoch in any run, or None if unknown."""
        return None

    def largest_epoch_regret(self, federation: Federation) -> list[float] | None:
        """Return the expected regret of each epoch if the worst possible function of the class is in use, or None if
        unknown."""
        return None

    @property
    def gap_one(self) -> bool:
        """Return whether every context has one arm of mean 1 and all others of mean 0, as the lower bound
        own:lower_bound requires."""
        return False

    def in_steps(self) -> StepWorld | None:
        """Return the world in a form that is played step by step, for algorithms without epochs, or None if it has
        none."""
        return None


class Model(ABC):
    """A function class. Parameters are whatever identifies one function of it. If functions differ between agents,
    they are a PerAgent list."""

    usual_protocol: ClassVar[str]  # used where an instance file names none
    adapts: ClassVar[bool] = False  # offers `adapting`
    accumulates: ClassVar[bool] = False  # offers `accumulated`
    gives_widths: ClassVar[bool] = False  # offers `widths`
    unit_scores: ClassVar[bool] = False  # scores are in [0,1]
    needs_samples: ClassVar[bool] = False  # its problems are made of single samples, not only of their sums

    @classmethod
    def of(cls, federation: Federation | Setting) -> Self:
        """Return the model of a federation or setting. Raise InputError if it is not of this class."""
        if not isinstance(federation.model, cls):
            given = type(federation.model).__name__
            raise InputError("model", given, f"must be a {cls.__name__} for this protocol or computation")
        return federation.model

    @abstractmethod
    def initial(self) -> Parameters:
        """Return the parameters of the zero function, which is in use in epoch 1."""

    @abstractmethod
    def scores(self, parameters: Parameters, contexts: Contexts) -> np.ndarray:
        """Return the estimated reward of every arm in n contexts, shape (..., n, K)."""

    @abstractmethod
    def problem(self, datasets: Sequence[Data], epoch: int) -> Problem:
        """Return the learning problem of the agents' data, which answers a protocol's requests in one call."""

    @abstractmethod
    def describe(self, parameters: Parameters) -> Any:
        """Return the parameters as a JSON value."""

    def offers(self, need: str) -> bool:
        """Return whether the model's learning problems offer what a protocol lists in `needs`, such as
        "gradients"."""
        return False

    def serving(self, needs: Sequence[str]) -> Model:
        """Return the model in the form that offers what a protocol needs: itself, unless the class has several
        forms."""
        return self

    def unmet(self, promised: Guarantee) -> tuple[str, ...]:
        """Return, as sentences, which hypotheses behind a protocol's guarantee this model lacks."""
        return ()

    def words(self, kind: str) -> str:
        return f"{kind} models"

    def settings(self) -> dict[str, Any]:
        """Return the model's keys at the top of an instance file."""
        return {}

    def predicting(self, clip: bool) -> Model:
        """Return the model with predictions cut to [0,1] if `clip`, as some protocols' theorems require."""
        return self

    def widths(self, parameters: Parameters, contexts: Contexts) -> np.ndarray:
        """Return the uncertainty of each estimated reward, shape (..., n, K), for policies that need it."""
        raise NotImplementedError

    def accumulated(self, before: Data, after: Data) -> Data:
        """Merge two datasets, or two lists of them agent by agent."""
        raise NotImplementedError

    # All replications at once: parameters and data with a leading axis R.
    def pooled_problem(self, data: Data, epoch: int) -> Problem:
        raise NotImplementedError

    def repeated(self, parameters: Parameters, replications: int) -> Parameters:
        raise NotImplementedError

    def distinct(self, parameters: Parameters) -> tuple[Parameters, np.ndarray]:
        """Return the distinct parameters in use, and for each of R replications the index of its own, (R,)."""
        raise NotImplementedError

    # Learning rates from the data (own:adaptive).
    def adapting(self, federation: Federation, replications: int) -> Chooser:
        raise NotImplementedError

    def rates_sent(self, world: World) -> int:
        """Return how many learning rates each agent receives after a call, if rates are chosen from the data."""
        return 1


class RiskModel(Model):
    """A model with vector parameters. The mean excess risk of its exact minimiser over n samples is proved (method
    `risk`)."""

    rounds_claim: ClassVar[str] = "col:convex"  # where the rounds of local methods are counted
    certified_claim: ClassVar[str] = "own:certificate"  # for protocols that end near the minimiser
    unequal_unproved: ClassVar[bool] = False  # schedules are proved only for agents with equally many samples
    tolerance: float  # delta: how far from the minimiser iterative protocols may stop

    @abstractmethod
    def risk(self, n: int) -> float:
        """Return the proved mean excess risk of the exact minimiser over `n` samples."""

    @property
    @abstractmethod
    def shared_width(self) -> int:
        """Return the number of coordinates that agents and server exchange."""

    @property
    def own_widths(self) -> tuple[int, ...]:
        """Return the number of coordinates of each agent's own estimate; one entry if it is the same for all
        agents."""
        return (self.shared_width,)

    @abstractmethod
    def known(self, n: int, agents: int, equal: bool) -> Known:
        """Return the constants that are known before the data are seen, on which rounds and step sizes may depend.
        `equal`: whether agents have equally many of the `n` samples."""

    @property
    def schedules(self) -> tuple[str, ...]:
        """Return the names of the local methods whose number of rounds and step size are proved to suffice for this
        model."""
        return ()

    @property
    def coordinates(self) -> int:
        """Return the number of shared and personal coordinates of all agents, on which the number of rounds may
        depend."""
        return self.shared_width

    def on_any_data(self, n: int) -> OnAnyData | None:
        """Return the constants of a call that hold for any data of `n` samples; None if none are known."""
        return None

    @property
    def rules(self) -> Mapping[str, tuple[str, ...]]:
        """Return, for each rule of learning rates, which variants of the regret bound apply with this model."""
        return RULES_OF_EVERY_RISK

    def charged_risk(self, variant: str, n: int) -> float:
        """Return the excess risk after `n` samples as this variant of the regret bound uses it."""
        return self.risk(n)

    def reach(self, n: int, tolerance: float) -> float:
        """Return the squared distance from the minimiser within which the excess risk grows by at most (1 +
        tolerance)^2."""
        return tolerance**2 * self.risk(n)

    @property
    def risk_statements(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, as (claim, variant), that prove the excess risk."""
        return ()

    @property
    def unproved(self) -> tuple[str, ...]:
        """Return why no excess risk is proved for the exact minimiser, as sentences; () if one is."""
        return ()


class Loss(Part, ABC):
    """A loss of a score z and a reward r in [0,1], convex in z, with the link function that maps scores to mean
    rewards. The score of features phi is z = phi'w, where norm(phi) <= 1. With regularisation Lam the objective on
    n samples is F(w) = mean_i value(phi_i'w, r_i) + weight (Lam/(2n)) norm(w)^2. The true parameter has norm at
    most `radius`, so true scores lie in [-radius, radius]; the link must cut scores beyond."""

    quadratic: ClassVar[bool] = False  # data are sums of phi phi' and of r phi; the link is the identity
    radius: float = 1.0

    @abstractmethod
    def value(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """Return the losses, shape (...)."""

    @abstractmethod
    def slope(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """Return the derivatives of the losses in the scores, shape (...)."""

    @abstractmethod
    def bend(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """Return the second derivatives of the losses in the scores, shape (...)."""

    @abstractmethod
    def link(self, scores: np.ndarray) -> np.ndarray:
        """Return the mean rewards that belong to scores, shape (...). The function must be increasing."""

    @property
    @abstractmethod
    def curvatures(self) -> tuple[float, float]:
        """Return the least and the largest second derivative, over all scores and rewards."""

    @property
    def weight(self) -> float:
        """Return by how much the derivative of the loss in the score falls when the reward rises by 1. It is 1 for
        losses whose derivative in the score is the mean reward minus the reward."""
        ends = self.slope(np.zeros(2), np.array([0.0, 1.0]))
        return float(ends[0] - ends[1])


class RewardLaw(Part, ABC):
    """A probability distribution of rewards in [0,1] with a given mean: finitely many values with probabilities."""

    @abstractmethod
    def points(self, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the J possible values of a reward and their probabilities, both (..., J), for means (...) in [0,1].
        For object arrays of Fractions they must be Fractions."""


class ContextLaw(Part, ABC):
    """A probability distribution of contexts. Override `chances` for contexts that an instance file lists, or `draw`
    for features that are drawn step by step (linear worlds)."""

    def chances(self, contexts: int) -> Sequence[Any]:
        """Return the probabilities of this number of contexts: numbers, or strings "p/q", which sum to 1."""
        raise InputError("contexts", self.name, "has no probabilities of listed contexts (method chances)")

    def draw(self, steps: int, arms: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        """Return features in the unit ball, shape (steps, arms, dimension). All randomness comes from `rng`."""
        raise InputError("contexts", self.name, "draws no features (method draw): list them")


class PerAgent(tuple[Any, ...]):
    """Parameters that differ between agents: one entry per agent."""


class Problem(ABC):
    """The agents' side of a call of a protocol. Row m of every answer is computed from agent m's data only."""

    if TYPE_CHECKING:  # a field or a property

        @property
        def samples(self) -> int:
            """Return the number of samples of all agents."""

    @abstractmethod
    def distance(self, parameters: Parameters) -> Any:
        """Return the squared distance of the parameters from the exact minimiser, for audits. Protocols do not see
        it."""

    def gap(self, parameters: Parameters) -> Any:
        """Return how far the objective is above its minimum, for audits; NaN if the minimum is not known."""
        return np.nan


class Policy(Part, ABC):
    """A rule that turns the scores of a context's arms into arm probabilities."""

    rational: ClassVar[bool] = False  # Fractions in, Fractions out: the exact law may use it
    needs: ClassVar[tuple[str, ...]] = ()  # what the model must offer beyond scores: "widths"
    usual_rate: ClassVar[str] = "sharpened"  # learning_rate where the file gives none

    @property
    def fixed_share(self) -> float | None:
        """Return the probability of uniform play if it is the same in every epoch and play is greedy otherwise; else
        None."""
        return None

    @property
    def fixed_temperature(self) -> float | None:
        """Return the temperature of softmax if it is the same in every epoch; else None."""
        return None

    theorem: ClassVar[Theorem | str] = ""  # about its regret: a value, or a label of bounds/theorems

    @abstractmethod
    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        """Return arm probabilities (..., K) for estimated rewards `scores` (..., K). `rate`: learning rate of the
        epoch. `widths` (..., K): uncertainty of the scores, for policies that need it."""


class Rates(ABC):
    """The learning rates of all epochs: by a theorem's rule, the same in every epoch, or as listed. The rate of epoch
    1 is 1 by convention. Epoch 1 plays uniformly in any case, because all scores of the zero function are equal."""

    adaptive: ClassVar[bool] = False  # chosen from the data while they come in

    if TYPE_CHECKING:  # a field or a class attribute

        @property
        def rule(self) -> str | None:
            """Return the name of the rule if a theorem prescribes the rates, else None."""
    else:
        rule = None

    @abstractmethod
    def of(self, plan: EpochPlan, arms: Arms, guarantee: Guarantee | None, rational: bool) -> tuple[Any, ...]:
        """Return the learning rate of every epoch, as Fractions if `rational`. `guarantee`: that of the protocol,
        whose excess risk a theorem's rule uses."""

    @abstractmethod
    def describe(self) -> Any:
        """Return the value of `learning_rate` in an instance file."""

    def check(self, policy: Policy) -> None:  # noqa: B027
        """Raise InputError if the policy cannot use these rates."""


class Encoder(Part, ABC):
    """A transformation of messages on their way to the server, which also counts their bits."""

    lossless: ClassVar[bool] = False  # the sum of the messages arrives as it was sent
    hides: ClassVar[bool] = False  # a single message is noise: only `total` can be computed

    @abstractmethod
    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return what the server receives of messages (P, ...), in the same shape."""

    @abstractmethod
    def bits(self, messages: np.ndarray) -> int:
        """Return the number of bits of the messages."""

    def total(self, received: np.ndarray) -> np.ndarray:
        """Return the sum (...) of the original messages, computed from the received ones (P, ...)."""
        return np.asarray(received.sum(axis=0))

    def setup_bits(self, agents: int) -> tuple[int, int]:
        """Return the bits sent up and down once per call, for agreeing on secrets."""
        return 0, 0


class Aggregator(Part, ABC):
    """A rule by which the server combines the agents' messages."""

    exact: ClassVar[bool] = False  # combine is the weighted mean and total the sum
    coordinatewise: ClassVar[bool] = False  # every coordinate is combined by itself
    reference: ClassVar[bool] = False  # for comparison only, no constant is proved

    @abstractmethod
    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the aggregate (...) of messages (P, ...) with weights (P,) that sum to 1."""

    def total(self, messages: np.ndarray, own: np.ndarray | None) -> np.ndarray:
        """Return P times the aggregate of the P messages with equal weights, plus the server's own message if
        given."""
        found = len(messages) * self.combine(messages, np.full(len(messages), 1 / len(messages)))
        return np.asarray(found if own is None else found + own)

    def check(self, agents: int) -> None:
        """Raise InputError if the rule cannot combine the messages of this many agents."""

    def constant(self, agents: int, lying: int) -> Fraction | float | None:
        """Return the proved constant of robustness, or None if there is none (app:robust_mean). If `lying` of the
        agents lie, the squared distance of the aggregate from the mean of the honest messages is at most this
        constant times their variance."""
        return None


class Attack(Part, ABC):
    """A rule that says what lying agents send in place of their messages. They may have seen all honest messages."""

    agents: tuple[int, ...]  # who lies
    falsifies: ClassVar[bool] = False  # the lie is in the data: offers `falsify`

    @abstractmethod
    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return the messages (P, ...) with the rows of lying agents, which are marked in `bad` (P,), replaced."""

    def corrupt_knowing(
        self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator, aggregator: Aggregator
    ) -> np.ndarray:
        """Return the messages after the attack, which may be chosen against the aggregator in use. By default the
        aggregator is ignored."""
        return self.corrupt(messages, bad, rng)

    def falsify(self, data: Data) -> Data:
        """Return the dataset that a lying agent pretends to have."""
        return data

    @property
    def scale(self) -> float:
        """Return the size of the lies; 0 if the attack has no such field."""
        return 0.0


class Clock(Part, ABC):
    """A rule that says at which global times an agent acts."""

    @abstractmethod
    def count(self, time: int) -> int:
        """Return the number of the agent's steps up to global time `time`."""


@dataclass(frozen=True)
class Setting:
    """What a protocol's guarantee may depend on: the model, the number of agents, and the fields below.

    equal        whether agents always have equally many samples
    link, plan   used by guarantees about lying agents
    """

    model: Model
    agents: int
    equal: bool = False
    link: Link | None = None
    plan: EpochPlan | None = None


@dataclass(frozen=True)
class Guarantee:
    """What a protocol promises about every call, with the claim that proves it.

    risk          risk(variant, n): mean excess risk after n samples, including the solver's error
    distance      distance(n): largest squared distance from the exact minimiser of n samples; 0 for an exact
                  solver, None if the guarantee is about predictions
    cost          cost(n): the most that a call on n samples sends
    variants      the variants of the regret bound that apply for each rule of learning rates
    missing       why no regret bound follows, if none does
    robust        whether it covers the link's aggregator and lying agents, and bounds the honest agents' regret
    rests_on      further statements, as (claim, variant), behind the risk
    on_all_data   the statements by which `risk` also holds for the data of all epochs so far, which depend on
                  earlier ones
    risk_claim    the statement of the excess risk, if it is not `claim`, which may also count messages
    """

    claim: str
    risk: Callable[[str, int], float]
    distance: Callable[[int], float] | None
    cost: Callable[[int], Traffic]
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: RULES_OF_EVERY_RISK)
    missing: tuple[str, ...] = ()
    rests_on: tuple[tuple[str, str], ...] = ()
    robust: bool = False
    on_all_data: tuple[tuple[str, str], ...] = ()
    risk_claim: str = ""


@dataclass(frozen=True)
class Fitted:
    """The result of a call of a protocol. parameters: one function for all agents, or PerAgent. memory: what the next
    call receives."""

    parameters: Any
    memory: Any = None


class FLProtocol(Part, ABC):
    """Base class of federated-learning protocols, each of which learns one model from the data of an epoch. A
    protocol uses data only through the problem, and sends only through the channel."""

    widths: ClassVar[bool] = False  # what it learns carries widths, for policies that need them
    clips: ClassVar[bool] = False  # its theorem is about predictions cut to [0,1]
    predicts: ClassVar[bool] = False  # learns predictions, not one estimate
    in_unit_box: ClassVar[bool] = False  # its estimate lies in [0,1]^d
    informs: ClassVar[bool] = False  # offers `knowledge`

    @abstractmethod
    def fit(self, problem: Any, channel: Channel, memory: Memory, rng: np.random.Generator) -> Fitted:
        """Make one call: learn from the agents' data by messages. `problem`: offers what the protocol lists in
        `needs`."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Return what the protocol requires of learning problems, as names that `Model.offers` accepts."""
        return ()

    @property
    def adaptive(self) -> bool:
        """Return whether a call ends as soon as its accuracy is reached. The declared cost is then an upper bound."""
        return False

    @property
    def needs_samples(self) -> bool:
        """Return whether the protocol requires single samples, not only their sums."""
        return False

    def guarantee(self, setting: Setting) -> Guarantee | None:
        """Return the protocol's guarantee in this setting, or None; then no regret bound is printed."""
        return None

    def check(self, setting: Setting) -> None:
        """Raise InputError if the protocol's fields do not fit the setting."""

    def check_link(self, link: Link, agents: int) -> None:
        """Raise InputError if the protocol cannot work over this link."""

    def settings(self) -> dict[str, Any]:
        """Return those fields of the protocol that stand at the top of an instance file, not in the protocol's
        table."""
        return {}

    def notes(self, setting: Setting) -> tuple[str, ...]:
        """Return additional lines that the commands `simulate` and `fit` print."""
        return ()

    def distance(self, problem: Any, parameters: Parameters) -> Any:
        """Return the squared distance of the parameters from what the protocol should compute, for audits."""
        return problem.distance(parameters)

    # stop = "certificate" (fedigw/certificate.py).
    def gradient(self, problem: Any, channel: Channel, parameters: Parameters) -> np.ndarray:
        """Return the gradient of the objective at the parameters, by one exchange of messages. Override it if the
        server knows the gradient anyway."""
        return np.asarray(problem.gradient(channel, parameters))

    def asked(self, setting: Setting, samples: int, tolerance: float) -> int | None:
        """Return the number of rounds that is proved to bring a call on this many samples near the minimiser; None if
        none is proved. Near means: the squared distance is at most tolerance^2 times the excess risk that is
        proved for the minimiser."""
        return None

    @property
    def leaps(self) -> bool:
        """Return whether the protocol computes many rounds at once where possible, and itself refuses too many
        rounds."""
        return False

    # All replications at once.
    @property
    def pools(self) -> bool:
        """Return whether the protocol offers `pooled`, which computes many replications at once without simulating
        messages."""
        return False

    def pooled(self, problem: Any, rng: np.random.Generator) -> Parameters:
        """Return what the protocol learns from the data summed over agents, with the same distribution as the result
        of `fit`."""
        raise NotImplementedError

    def knowledge(self, problem: Any, memory: Memory) -> np.ndarray:
        """Return the statistics, summed over agents, that the last call learned from, (R, ...). Learning rates from
        the data use them."""
        raise NotImplementedError

    @property
    def keeps_variates(self) -> bool:
        """Return whether control variates of one call are used again in later calls."""
        return False


class PrivateProtocol(FLProtocol):
    """Base class of protocols that add noise for differential privacy. where: who adds the noise. delta: that of the
    (epsilon, delta) guarantee."""

    where: str
    delta: float

    @abstractmethod
    def spends(self, setting: Setting, samples: int) -> Spending:
        """Return the privacy that a call on this many samples spends."""


@dataclass(frozen=True)
class Promise:
    """The accuracy that one call of a protocol promised and the one that it delivered, for audits."""

    epoch: int
    promised: float
    delivered: float
    kept: bool = True
