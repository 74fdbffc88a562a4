"""The base classes of the parts of a federation. Read this file before writing a part of your own.

A federation plays a contextual bandit in epochs. In an epoch every agent draws arms with probabilities that a policy
computes from the estimates of a model (the function learned last). After the epoch a protocol of federated learning is
called once, and learns the next model from the agents' data. The parts vary independently:

World                         contexts, mean rewards and reward noise of the agents; known to the simulator only
Model                         the class of functions that is fitted; it gives the estimated reward of every arm
Policy, Rates                 turn estimated rewards into arm probabilities; Rates are the exploration parameters
FLProtocol                    learns a function of the model from the agents' data, by messages
Encoder, Aggregator, Attack   what happens to the messages on their way to the server
Clock                         at which times an agent acts
Loss, RewardLaw, ContextLaw   choices within some worlds and models

To write a part, derive a frozen dataclass from its class here; CONTRIBUTING.md has complete examples. Methods marked
abstract are required; everything else has a default that means "not offered". Nothing else is looked up by name.

A world calls a function from contexts to arm probabilities (`Acting`), and knows neither policy nor model. A protocol
sees the agents' data only through a `Problem` and a channel. It minimises F = sum_m p_m f_m, where f_m is the objective
of agent m on its own data, and p_m its share of the samples. Which regret theorem applies is computed from all parts,
in fedigw/applicable.py.

A claim is a statement with checks, named by a label such as "thm:main". Its variants are the statement as printed in
the paper, repaired, sharpened, or with the best constants.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
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
    """Raised when an agent or the server sends something that is not a finite array of the agreed shape."""


class Part:
    """Base class of what an instance file may name, such as a policy: a frozen dataclass. Its fields are keys in the
    file."""

    name: ClassVar[str]
    from_file: ClassVar[str] = ""  # file.py:Class of a user's own part

    def check_positive(self, *keys: str, most: int = 2**62) -> None:
        """Raise InputError unless each of the named integer fields is None or between 1 and `most`."""
        for key in keys:
            value = vars(self)[key]
            if value is not None and not 1 <= value <= most:
                limit = "" if most == 2**62 else f" up to {most:.0e}"
                raise InputError(key, value, f"must be a positive integer{limit}")


def require(field: str, given: object, base: type) -> None:
    """Raise InputError, which names `field`, unless the object given for it is an instance of the class `base`."""
    if not isinstance(given, base):
        allowed = f"must derive from {base.__module__}.{base.__name__}"
        raise InputError(field, type(given).__name__, allowed)


# What is played, and what is learned from it.


@dataclass(frozen=True)
class Steps:
    """How many steps one agent makes in one epoch. full: simulated steps; the model learns from their samples. played:
    how many of them, from the first, count as regret; fewer than `full` only if the horizon ends within the epoch.
    keep: whether to keep every sample, not only the sums that the model needs."""

    full: int
    played: int
    keep: bool = False


@dataclass(frozen=True)
class Experience:
    """The result of playing one epoch.

    data       the agent's dataset, in a form that the world and the model agree on; the sum of all agents' data if it
               comes from `World.play_together`
    regret     expected regret over the counted steps (expectation over the choice of arms), given the model in use
    by_agent   (M,): the regret of each agent, averaged over replications, if all agents are played together
    """

    data: Data
    regret: Any
    by_agent: np.ndarray | None = None


@dataclass(frozen=True)
class Acting:
    """A function from contexts to arm probabilities, shape (..., n, K): the policy applied to the model's estimates. A
    world calls it and need not know policy or model. rate: the policy's learning rate. For R replications at once,
    `parameters` are the distinct functions in use, and `index` (R,) is the position in them of each replication's
    function; else `index` is None."""

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
    """Base class of simulated environments: the contexts, true mean rewards and reward noise of M agents. Only the
    simulator knows the true mean rewards."""

    range_rule: ClassVar[str] = ""  # why epoch_regret_range is as wide as it is, in a sentence
    checked: ClassVar[bool] = False  # refuses what the theorems exclude; a subclass has to say so itself

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.checked = bool(vars(cls).get("checked", False))

    @classmethod
    def of(cls, federation: Federation) -> Self:
        """Return the federation's world. Raise InputError if it is not an instance of this class."""
        if not isinstance(federation.world, cls):
            raise InputError("kind", federation.kind, f"must be a federation whose world is a {cls.__name__}")
        return federation.world

    @property
    @abstractmethod
    def arms(self) -> tuple[int, ...]:
        """Return the number of arms K_m of every agent."""

    @abstractmethod
    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        """Play one epoch of one agent, with the arm probabilities of `act`, and return its data and regret."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the world's keys in an instance file, among them `agents`, a list of tables. A world that is generated
        by a named environment may return the key `environment` instead."""

    def play_each(
        self, acts: Sequence[Acting], steps: Sequence[Steps], rng: np.random.Generator
    ) -> list[Experience]:
        """Play one epoch of every agent, one after the other. Override it if playing them together is faster."""
        return [self.play(m, *own, rng) for m, own in enumerate(zip(acts, steps, strict=True))]

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        """Return, for each agent, the largest expected regret that any policy can have in its `played` steps."""
        return [float(steps) for steps in played]

    @property
    def finite(self) -> bool:
        """Return whether there are finitely many contexts. Otherwise they are drawn one by one."""
        return True

    @property
    def alike(self) -> bool:
        """Return whether all agents have the same distribution of contexts, the same arms and the same mean rewards."""
        return False

    @property
    def rests_on(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, as (label of the claim, variant), that extend theorems about finitely many contexts to
        this world; () if none is needed."""
        return ()

    def check_lengths(self, samples: int) -> None:  # noqa: B027
        """Raise InputError if the world cannot count this many samples of an epoch in its integers."""

    # All agents and replications at once.
    @property
    def pools(self) -> bool:
        """Return whether the world offers `play_together`, which plays many replications at once."""
        return False

    @property
    def cells(self) -> int:
        """Return how many numbers `play_together` stores for one replication; the available memory then limits how many
        are played at once."""
        return 1

    def play_together(
        self, act: Acting, full: Sequence[int], played: Sequence[int], rng: np.random.Generator, learns: bool
    ) -> Experience:
        """Play one epoch of all agents in R replications at once. Return the regret (R,) and, if `learns`, the data
        summed over agents (R, ...). full, played: each agent's simulated steps, and those counted for regret. learns:
        whether a model is learned from the epoch."""
        raise NotImplementedError

    # What is known of regret and risk.
    def excess_risk(
        self, act: Callable[[int], Acting], learned: Callable[[int], Parameters], full: Sequence[int]
    ) -> np.ndarray | None:
        """Return the excess risk (R,) of the functions that the protocol learned from an epoch, or None if unknown: the
        mean of (learned reward - true mean reward)^2 over contexts and arms drawn as they were in the epoch. act(m):
        how agent m chose arms. learned(m): its new parameters. full[m]: its number of samples."""
        return None

    def epoch_regret_range(self, federation: Federation) -> list[tuple[float, float]] | None:
        """Return the least and the largest expected regret of each epoch, whatever is learned; None if unknown."""
        return None

    def largest_epoch_regret(self, federation: Federation) -> list[float] | None:
        """Return the expected regret of each epoch if the worst function of the model is in use; None if unknown."""
        return None

    @property
    def gap_one(self) -> bool:
        """Return whether every context has one arm of mean reward 1 and all others of mean 0, as the lower bound on
        regret requires (own:lower_bound)."""
        return False

    def in_steps(self) -> StepWorld | None:
        """Return the world in a form that is played step by step, for rivals without epochs; None if it has none."""
        return None


class Model(ABC):
    """Base class of classes of reward functions, one of which is learned. Parameters are whatever identifies one
    function of the class. If agents learn different functions, they are a `PerAgent` tuple."""

    usual_protocol: ClassVar[str]  # used where an instance file names none
    adapts: ClassVar[bool] = False  # offers `adapting`
    accumulates: ClassVar[bool] = False  # offers `accumulated`
    gives_widths: ClassVar[bool] = False  # offers `widths`
    unit_scores: ClassVar[bool] = False  # scores are in [0,1]
    needs_samples: ClassVar[bool] = False  # its problems are made of single samples, not only of their sums

    @classmethod
    def of(cls, federation: Federation | Setting) -> Self:
        """Return the model of a federation or setting. Raise InputError if it is not an instance of this class."""
        if not isinstance(federation.model, cls):
            given = type(federation.model).__name__
            raise InputError("model", given, f"must be a {cls.__name__} for this protocol or computation")
        return federation.model

    @abstractmethod
    def initial(self) -> Parameters:
        """Return the parameters of the zero function, which the policy uses in epoch 1."""

    @abstractmethod
    def scores(self, parameters: Parameters, contexts: Contexts) -> np.ndarray:
        """Return the estimated reward of every arm in n contexts, shape (..., n, K)."""

    @abstractmethod
    def problem(self, datasets: Sequence[Data], epoch: int) -> Problem:
        """Return the learning problem of the agents' datasets, which answers a protocol's requests in one call."""

    @abstractmethod
    def describe(self, parameters: Parameters) -> Any:
        """Return the parameters as a JSON value."""

    def offers(self, need: str) -> bool:
        """Return whether this model's problems offer a thing that protocols may need, such as "local_gradients"."""
        return False

    def serving(self, needs: Sequence[str]) -> Model:
        """Return the model in the form that offers what a protocol needs: itself, unless the class has several forms (a
        finite class also allows linear combinations, which have gradients)."""
        return self

    def unmet(self, promised: Guarantee) -> tuple[str, ...]:
        """Return, as sentences, the hypotheses behind a protocol's guarantee that this model does not satisfy."""
        return ()

    def words(self, kind: str) -> str:
        return f"{kind} models"

    def settings(self) -> dict[str, Any]:
        """Return the model's own keys in an instance file; they stand at its top level."""
        return {}

    def predicting(self, clip: bool) -> Model:
        """Return the model whose predictions are cut to [0,1] if `clip`, as the theorems of some protocols require."""
        return self

    def widths(self, parameters: Parameters, contexts: Contexts) -> np.ndarray:
        """Return the uncertainty of each estimated reward, shape (..., n, K), for policies such as UCB that need it."""
        raise NotImplementedError

    def accumulated(self, before: Data, after: Data) -> Data:
        """Merge an earlier and a later dataset, or two lists of them, to learn from the data of all epochs so far."""
        raise NotImplementedError

    # All replications at once: parameters and data with a leading axis R.
    def pooled_problem(self, data: Data, epoch: int) -> Problem:
        raise NotImplementedError

    def repeated(self, parameters: Parameters, replications: int) -> Parameters:
        raise NotImplementedError

    def distinct(self, parameters: Parameters) -> tuple[Parameters, np.ndarray]:
        """Return the distinct functions that R replications use, and the index of each replication's function, (R,)."""
        raise NotImplementedError

    # Learning rates from the data (own:adaptive).
    def adapting(self, federation: Federation, replications: int) -> Chooser:
        raise NotImplementedError

    def rates_sent(self, world: World) -> int:
        """Return how many learning rates each agent receives per epoch, if rates are chosen from the data."""
        return 1


class RiskModel(Model):
    """Base class of models with vector parameters whose exact minimiser has a proved mean excess risk."""

    rounds_claim: ClassVar[str]  # where the rounds of local methods are counted
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
        """Return the number of coordinates of each agent's own estimate; a single entry if all are equal."""
        return (self.shared_width,)

    @abstractmethod
    def known(self, n: int, agents: int, equal: bool) -> Known:
        """Return bounds that hold for any data, such as the largest curvature, on which rounds and step sizes may
        depend. equal: whether all agents have the same share of the `n` samples."""

    @property
    def schedules(self) -> tuple[str, ...]:
        """Return the names of the local methods, such as "fedavg", for which a number of rounds and a step size are
        proved to reach a required accuracy on this model."""
        return ()

    @property
    def coordinates(self) -> int:
        """Return the total number of shared and personal coordinates. Proved numbers of rounds may depend on it."""
        return self.shared_width

    def on_any_data(self, n: int) -> OnAnyData | None:
        """Return constants, such as curvatures, that hold for every learning problem with `n` samples and from which
        numbers of rounds are proved; None if there are none."""
        return None

    @property
    def rules(self) -> Mapping[str, tuple[str, ...]]:
        """Return, for each rule of learning rates, the variants of the regret bound that hold with this model."""
        return RULES_OF_EVERY_RISK

    def charged_risk(self, variant: str, n: int) -> float:
        """Return the excess risk after `n` samples in a variant of the regret bound ("repaired", "sharpened" or
        "best")."""
        return self.risk(n)

    def reach(self, n: int, tolerance: float) -> float:
        """Return the squared distance from the minimiser within which the excess risk is at most (1 + tolerance)^2
        times the minimiser's."""
        return tolerance**2 * self.risk(n)

    @property
    def risk_statements(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, as (label of the claim, variant), that prove the excess risk."""
        return ()

    @property
    def unproved(self) -> tuple[str, ...]:
        """Return, as sentences, why no excess risk is proved for the exact minimiser; () if one is."""
        return ()


class Loss(Part, ABC):
    """Base class of losses of a score z and a reward r in [0,1], convex in z, each with a link function that maps
    scores to mean rewards. The score of an arm with features phi is z = phi'w, where norm(phi) <= 1 and w is the
    parameter. The objective on n samples is F(w) = mean_i value(phi_i'w, r_i) + c Lam norm(w)^2/(2n), with
    regularisation Lam and the constant c = `weight`. The true parameter has norm at most `radius`, so true scores lie
    in [-radius, radius]. Beyond, the link must be constant (for a quadratic loss it is the identity)."""

    quadratic: ClassVar[bool] = False  # data are sums of phi phi' and of r phi; the link is the identity
    radius: float = 1.0

    @abstractmethod
    def value(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """Return the loss of each score and reward, in an array of their common shape."""

    @abstractmethod
    def slope(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """Return the derivatives of the losses with respect to the scores, in an array of the same shape."""

    @abstractmethod
    def bend(self, scores: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """Return the second derivatives of the losses with respect to the scores, in an array of the same shape."""

    @abstractmethod
    def link(self, scores: np.ndarray) -> np.ndarray:
        """Return the mean reward that belongs to each score. The function must be increasing."""

    @property
    @abstractmethod
    def curvatures(self) -> tuple[float, float]:
        """Return the least and the largest second derivative in the score, over all scores and rewards."""

    @cached_property
    def weight(self) -> float:
        """Return by how much the derivative with respect to the score falls when the reward rises from 0 to 1. It is 1
        for losses whose derivative is the mean reward minus the reward."""
        ends = self.slope(np.zeros(2), np.array([0.0, 1.0]))
        return float(ends[0] - ends[1])


class RewardLaw(Part, ABC):
    """Base class of distributions of a reward in [0,1] with a given mean: finitely many values with probabilities."""

    @abstractmethod
    def points(self, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the J possible values of a reward and their probabilities, both (..., J), for mean rewards (...) in
        [0,1]. If the means are Fractions, the results must be Fractions too."""


class ContextLaw(Part, ABC):
    """Base class of probability distributions of contexts. Override `chances` for contexts that an instance file lists,
    or `draw` for features that are drawn step by step (linear worlds)."""

    def chances(self, contexts: int) -> Sequence[Any]:
        """Return the probability of each of `contexts` contexts: numbers, or strings "p/q", which sum to 1."""
        raise InputError("contexts", self.name, "has no probabilities of listed contexts (method chances)")

    def draw(self, steps: int, arms: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        """Draw features in the unit ball, shape (steps, arms, dimension). All randomness must come from `rng`."""
        raise InputError("contexts", self.name, "draws no features (method draw): list them")


class PerAgent(tuple[Any, ...]):
    """Parameters that differ between agents: a tuple with one entry per agent."""


class Problem(ABC):
    """Base class of learning problems: the agents' data in one call of a protocol, and the answers that agents compute
    from them. Row m of every answer is computed from the data of agent m only."""

    if TYPE_CHECKING:  # a field or a property

        @property
        def samples(self) -> int:
            """Return the number of samples of all agents."""

    @abstractmethod
    def distance(self, parameters: Parameters) -> Any:
        """Return the squared distance from the exact minimiser, for audits. Protocols must not use it."""

    def gap(self, parameters: Parameters) -> Any:
        """Return the objective at these parameters minus its minimum, for audits; NaN if the minimum is not known."""
        return np.nan


class Policy(Part, ABC):
    """Base class of policies, which turn the scores (estimated rewards) of a context's arms into arm probabilities."""

    rational: ClassVar[bool] = False  # Fractions in, Fractions out: the exact law may use it
    needs: ClassVar[tuple[str, ...]] = ()  # what the model must offer beyond scores: "widths"
    usual_rate: ClassVar[str] = "sharpened"  # learning_rate where the file gives none

    @property
    def fixed_share(self) -> float | None:
        """Return epsilon if the policy is epsilon-greedy with the same epsilon in every epoch; else None."""
        return None

    @property
    def fixed_temperature(self) -> float | None:
        """Return the temperature if the policy is softmax with the same temperature in every epoch; else None."""
        return None

    theorem: ClassVar[Theorem | str] = ""  # about its regret: a value, or a label of bounds/theorems

    @abstractmethod
    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        """Return arm probabilities (..., K) for estimated rewards `scores` (..., K). rate: the policy's learning rate
        in this epoch. widths: (..., K), the uncertainty of the scores, for policies that list "widths" in `needs`."""


class Rates(ABC):
    """Base class of the policy's learning rates (exploration parameter gamma) in all epochs: prescribed by a theorem,
    constant, or listed. The rate of epoch 1 is 1 by convention: it has no effect, because all scores are then equal."""

    adaptive: ClassVar[bool] = False  # chosen from the data while they come in

    if TYPE_CHECKING:  # a field or a class attribute

        @property
        def rule(self) -> str | None:
            """Return the name of the rule by which a theorem prescribes the rates; None if none does."""
    else:
        rule = None

    @abstractmethod
    def of(self, plan: EpochPlan, arms: Arms, guarantee: Guarantee | None, rational: bool) -> tuple[Any, ...]:
        """Return the learning rate of every epoch, as Fractions if `rational`. plan: the epoch lengths. guarantee: what
        the protocol promises; a theorem's rule uses its excess risk."""

    @abstractmethod
    def describe(self) -> Any:
        """Return the value of the key `learning_rate` in an instance file."""

    def check(self, policy: Policy) -> None:  # noqa: B027
        """Raise InputError if the policy cannot use these rates."""


class Encoder(Part, ABC):
    """Base class of encoders, which transform messages on their way to the server (compression, masks)."""

    lossless: ClassVar[bool] = False  # the sum of the messages arrives as it was sent
    hides: ClassVar[bool] = False  # a single message is noise: only `total` can be computed

    @abstractmethod
    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return P messages (P, ...) as the server receives them, in the same shape."""

    @abstractmethod
    def bits(self, messages: np.ndarray) -> int:
        """Return the total number of bits of the messages (P, ...) when encoded."""

    def total(self, received: np.ndarray) -> np.ndarray:
        """Return the sum (...) of the original messages, computed from the P received ones (P, ...)."""
        return np.asarray(received.sum(axis=0))

    def setup_bits(self, agents: int) -> tuple[int, int]:
        """Return the bits sent to the server and back to agree on secrets, once per call of the protocol."""
        return 0, 0


class Aggregator(Part, ABC):
    """Base class of rules by which the server combines the agents' messages, such as their mean."""

    exact: ClassVar[bool] = False  # combine is the weighted mean and total the sum
    coordinatewise: ClassVar[bool] = False  # every coordinate is combined by itself
    reference: ClassVar[bool] = False  # for comparison only, no constant is proved

    @abstractmethod
    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Combine P messages (P, ...) into one (...). weights: (P,), which sum to 1."""

    def total(self, messages: np.ndarray, own: np.ndarray | None) -> np.ndarray:
        """Return an estimate (...) of the sum of the P messages (P, ...): P times their combination with equal weights.
        own: the server's own message, which is added."""
        found = len(messages) * self.combine(messages, np.full(len(messages), 1 / len(messages)))
        return np.asarray(found if own is None else found + own)

    def check(self, agents: int) -> None:
        """Raise InputError if the rule cannot combine the messages of this many agents."""

    def constant(self, agents: int, lying: int) -> Fraction | float | None:
        """Return the proved constant of robustness, or None if there is none. If `lying` of the agents lie, the squared
        distance of the result from the mean of the honest messages is at most this constant times their variance."""
        return None


class Attack(Part, ABC):
    """Base class of attacks: what lying agents send in place of their own messages. They may know all honest ones."""

    agents: tuple[int, ...]  # who lies
    falsifies: ClassVar[bool] = False  # the lie is in the data: offers `falsify`

    @abstractmethod
    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return the P messages (P, ...) with those of lying agents replaced. bad: (P,), which agents lie."""

    def corrupt_knowing(
        self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator, aggregator: Aggregator
    ) -> np.ndarray:
        """Return the P messages (P, ...) after the attack, as `corrupt` does. An attack that is chosen against the
        aggregator in use overrides this method; by default the aggregator is ignored."""
        return self.corrupt(messages, bad, rng)

    def falsify(self, data: Data) -> Data:
        """Return the dataset that a lying agent pretends to have, if the attack is on data."""
        return data

    @property
    def scale(self) -> float:
        """Return the factor that sets the size of the lies; 0 if the attack has none."""
        return 0.0


class Clock(Part, ABC):
    """Base class of clocks, which say at which global times an agent acts."""

    @abstractmethod
    def count(self, time: int) -> int:
        """Return the number of steps that the agent has made up to and including global time `time`."""


@dataclass(frozen=True)
class Setting:
    """The properties of a federation on which a protocol's guarantee may depend.

    agents       number of agents
    equal        whether all agents have equally many samples in every epoch
    link, plan   how messages reach the server, and the epoch lengths; for guarantees about lying agents
    """

    model: Model
    agents: int
    equal: bool = False
    link: Link | None = None
    plan: EpochPlan | None = None


@dataclass(frozen=True)
class Guarantee:
    """A protocol's promise about every call, and the claim that proves the promise.

    claim         label of the claim
    risk          risk(variant, n): bound on the mean excess risk of what is learned from n samples, also if the
                  protocol stops before the exact minimiser
    distance      distance(n): largest squared distance from the exact minimiser of n samples; 0 for an exact solver,
                  None if the guarantee is about predictions
    cost          cost(n): the most that a call on n samples sends
    variants      for each rule of learning rates, the variants of the regret bound that hold
    missing       sentences that say why no regret bound follows; () if one does
    robust        whether the guarantee holds for the aggregator in use and with lying agents; the regret bound is then
                  about the honest agents
    rests_on      further statements behind the risk, as (label of the claim, variant)
    on_all_data   the statements by which `risk` also holds if a call learns from the data of all epochs so far
    risk_claim    label of the statement about the excess risk, if it is not `claim`
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
    """The result of one call of a protocol. parameters: of the learned function. memory: passed to the next call."""

    parameters: Any
    memory: Any = None


class FLProtocol(Part, ABC):
    """Base class of federated-learning protocols. A call of a protocol learns one function of the model from the
    agents' data of an epoch. It uses the data only through the problem, and sends only through the channel."""

    widths: ClassVar[bool] = False  # what it learns carries widths, for policies that need them
    clips: ClassVar[bool] = False  # its theorem is about predictions cut to [0,1]
    predicts: ClassVar[bool] = False  # learns predictions, not one estimate
    in_unit_box: ClassVar[bool] = False  # its estimate lies in [0,1]^d
    informs: ClassVar[bool] = False  # offers `knowledge`

    @abstractmethod
    def fit(self, problem: Any, channel: Channel, memory: Memory, rng: np.random.Generator) -> Fitted:
        """Learn from the agents' data by messages: one call of the protocol. problem: the learning problem, which
        offers what the protocol lists in `needs`. memory: what the previous call left, None in the first."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Return the protocol's requirements on learning problems, such as "local_gradients" (see `Model.offers`)."""
        return ()

    @property
    def adaptive(self) -> bool:
        """Return whether the protocol may stop early, so that its declared cost is only an upper bound."""
        return False

    @property
    def needs_samples(self) -> bool:
        """Return whether the protocol requires every single sample, not only sums over samples."""
        return False

    def guarantee(self, setting: Setting) -> Guarantee | None:
        """Return the protocol's guarantee in this setting; None if it has none: then no regret bound is printed."""
        return None

    def check(self, setting: Setting) -> None:
        """Raise InputError if the protocol's fields do not fit the setting."""

    def check_link(self, link: Link, agents: int) -> None:
        """Raise InputError if the protocol cannot send its messages over this link."""

    def settings(self) -> dict[str, Any]:
        """Return the fields that are keys at the top level of an instance file, not in the protocol's table."""
        return {}

    def notes(self, setting: Setting) -> tuple[str, ...]:
        """Return additional lines about the protocol that the commands `simulate` and `fit` print."""
        return ()

    def distance(self, problem: Any, parameters: Parameters) -> Any:
        """Return the squared distance of the parameters from those that the protocol should compute, for audits."""
        return problem.distance(parameters)

    # stop = "certificate" (fedigw/certificate.py).
    def gradient(self, problem: Any, channel: Channel, parameters: Parameters) -> np.ndarray:
        """Return the gradient of the joint objective at these parameters, for which server and agents exchange messages
        once. Override it if the server knows the gradient anyway."""
        return np.asarray(problem.gradient(channel, parameters))

    def asked(self, setting: Setting, samples: int, tolerance: float) -> int | None:
        """Return the number of rounds that is proved to bring the protocol near the minimiser on this many samples: the
        excess risk is then at most (1 + tolerance)^2 times the minimiser's proved one. None if no number is proved."""
        return None

    @property
    def leaps(self) -> bool:
        """Return whether the protocol may compute many rounds at once. It must then itself refuse numbers of rounds
        that are too large.
        """
        return False

    # All replications at once.
    @property
    def pools(self) -> bool:
        """Return whether the protocol offers `pooled`, to compute many replications at once."""
        return False

    def pooled(self, problem: Any, rng: np.random.Generator) -> Parameters:
        """Return the parameters that the protocol learns in R replications at once, from data summed over agents. Their
        distribution must be that of the result of `fit`."""
        raise NotImplementedError

    def knowledge(self, problem: Any, memory: Memory) -> np.ndarray:
        """Return the statistics, summed over agents, from which the last model was learned, shape (R, ...). They are
        used to choose learning rates from the data."""
        raise NotImplementedError

    @property
    def keeps_variates(self) -> bool:
        """Return whether control variates (corrections of gradients) are used again in later calls of the protocol."""
        return False


class PrivateProtocol(FLProtocol):
    """Base class of protocols that add noise for (epsilon, delta) differential privacy. where: who adds it: the server
    ("central"), each agent to its messages ("agent") or to every sample ("local"). delta: that of the guarantee."""

    where: str
    delta: float

    @abstractmethod
    def spends(self, setting: Setting, samples: int) -> Spending:
        """Return the differential privacy that one call of the protocol on this many samples spends on each sample."""


@dataclass(frozen=True)
class Promise:
    """The squared distance from the minimiser that one call of a protocol promised, and the one that it delivered.
    kept: whether the promise was kept, up to rounding."""

    epoch: int
    promised: float
    delivered: float
    kept: bool = True
