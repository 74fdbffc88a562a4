"""The parts of a federation, as base classes: the one page to read before writing a part.

World, model, policy, rates, protocol, link (encoder, aggregator, attack) and clock vary independently. A part derives
from its class here and overrides what it needs: methods marked abstract are required, everything else has a default
that means "not offered". Nothing is looked up by name elsewhere.

A world calls a function from contexts to arm probabilities (`Acting`), and knows neither policy nor model. A protocol
sees the agents' problem through the channel. Which theorem applies is computed from all parts, in fedigw.applicable.
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
    """An agent or the server sent something that is not a finite array of the agreed shape."""


class Part:
    """A part that an instance file may name: a frozen dataclass whose fields are its keys."""

    name: ClassVar[str]
    from_file: ClassVar[str] = ""  # file.py:Class of a user's own part

    def check_positive(self, *keys: str, most: int = 2**62) -> None:
        """Raise InputError unless each of these integer fields is None or from 1 to `most`."""
        for key in keys:
            value = vars(self)[key]
            if value is not None and not 1 <= value <= most:
                limit = "" if most == 2**62 else f" up to {most:.0e}"
                raise InputError(key, value, f"must be a positive integer{limit}")


def require(field: str, given: object, base: type) -> None:
    """Raise InputError unless the value of a field derives from its base class."""
    if not isinstance(given, base):
        allowed = f"must derive from {base.__module__}.{base.__name__}"
        raise InputError(field, type(given).__name__, allowed)


# What is played, and what is learned from it.


@dataclass(frozen=True)
class Steps:
    """An epoch of one agent: it plays and learns from `full` steps, and regret is counted over the first `played`.
    keep: record the samples themselves, not only their sums."""

    full: int
    played: int
    keep: bool = False


@dataclass(frozen=True)
class Experience:
    """The result of an epoch. data: the local dataset, in a form that the world and the model agree on. regret:
    expected regret of the counted steps, given the model in use (no action noise). by_agent (M,): the same by agent,
    averaged over replications, if all agents play together."""

    data: Data
    regret: Any
    by_agent: np.ndarray | None = None


@dataclass(frozen=True)
class Acting:
    """The function that a world calls: contexts -> arm probabilities (..., n, K). With replications there is a leading
    axis: `parameters` are the distinct models in use, and `index` (R,) says which replication uses which. Without
    replications index is None and there is no leading axis."""

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
    """Contexts, truth and rewards of M agents. Only the simulator knows f*."""

    range_rule: ClassVar[str] = ""  # why epoch_regret_range is as wide as it is, in a sentence
    checked: ClassVar[bool] = False  # refuses what the theorems exclude; a subclass has to say so itself

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.checked = bool(vars(cls).get("checked", False))

    @classmethod
    def of(cls, federation: Federation) -> Self:
        """Return the federation's world, which must be of this class."""
        if not isinstance(federation.world, cls):
            raise InputError("kind", federation.kind, f"must be a federation whose world is a {cls.__name__}")
        return federation.world

    @property
    @abstractmethod
    def arms(self) -> tuple[int, ...]:
        """Return K_m of every agent."""

    @abstractmethod
    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        """Play one epoch of one agent."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return its keys of the instance file, with `agents` as a list of tables. A world that only an environment
        makes returns the key `environment` instead."""

    def play_each(
        self, acts: Sequence[Acting], steps: Sequence[Steps], rng: np.random.Generator
    ) -> list[Experience]:
        """Play one epoch of every agent. Override it if that is faster than one by one."""
        return [self.play(m, *own, rng) for m, own in enumerate(zip(acts, steps, strict=True))]

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        """Return the largest expected regret of these steps of each agent, for any policy."""
        return [float(steps) for steps in played]

    @property
    def finite(self) -> bool:
        """Return whether there are finitely many contexts. Else they are drawn one by one."""
        return True

    @property
    def alike(self) -> bool:
        """Return whether all agents have one law of contexts, the same arms and the same truth."""
        return False

    @property
    def rests_on(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, (claim, variant), by which theorems about finitely many contexts also hold here."""
        return ()

    def check_lengths(self, samples: int) -> None:  # noqa: B027
        """Raise InputError if an epoch of so many samples cannot be represented."""

    # All agents and replications at once.
    @property
    def pools(self) -> bool:
        """Return whether play_together is offered: an epoch enters only through counts."""
        return False

    @property
    def cells(self) -> int:
        """Return how many numbers one replication needs in play_together."""
        return 1

    def play_together(
        self, act: Acting, full: Sequence[int], played: Sequence[int], rng: np.random.Generator, learns: bool
    ) -> Experience:
        """Play one epoch of all agents and replications: regret (R,), and pooled data (R, ...) if it learns."""
        raise NotImplementedError

    # What is known of regret and risk.
    def excess_risk(
        self, act: Callable[[int], Acting], learned: Callable[[int], Parameters], full: Sequence[int]
    ) -> np.ndarray | None:
        """Return sum_m (n_m/n) E (f_m - f*)^2 of the model learned in an epoch, or None if it cannot be computed."""
        return None

    def epoch_regret_range(self, federation: Federation) -> list[tuple[float, float]] | None:
        """Return the least and the largest expected regret of each epoch in any run, or None if unknown."""
        return None

    def largest_epoch_regret(self, federation: Federation) -> list[float] | None:
        """Return the expected regret of each epoch with the worst function that can be in use, or None if unknown."""
        return None

    @property
    def gap_one(self) -> bool:
        """Return whether every context has one arm of mean 1 and all others of mean 0, as own:lower_bound requires."""
        return False

    def in_steps(self) -> StepWorld | None:
        """Return the world step by step, for systems that do not play in epochs, or None if it has no such form."""
        return None


class Model(ABC):
    """A function class. Parameters are whatever identifies one function of it, or PerAgent of them."""

    usual_protocol: ClassVar[str]  # used where an instance file names none
    adapts: ClassVar[bool] = False  # offers `adapting`
    accumulates: ClassVar[bool] = False  # offers `accumulated`
    gives_widths: ClassVar[bool] = False  # offers `widths`
    unit_scores: ClassVar[bool] = False  # scores are in [0,1]
    needs_samples: ClassVar[bool] = False  # its problems are made of single samples, not only of their sums

    @classmethod
    def of(cls, federation: Federation | Setting) -> Self:
        """Return the model of a federation or setting, which must be of this class."""
        if not isinstance(federation.model, cls):
            given = type(federation.model).__name__
            raise InputError("model", given, f"must be a {cls.__name__} for this protocol or computation")
        return federation.model

    @abstractmethod
    def initial(self) -> Parameters:
        """Return the parameters of the zero function, used in epoch 1."""

    @abstractmethod
    def scores(self, parameters: Parameters, contexts: Contexts) -> np.ndarray:
        """Return the values of the function, shape (..., n, K)."""

    @abstractmethod
    def problem(self, datasets: Sequence[Data], epoch: int) -> Problem:
        """Return the agents' side of a call on their data."""

    @abstractmethod
    def describe(self, parameters: Parameters) -> Any:
        """Return the parameters as JSON."""

    def offers(self, need: str) -> bool:
        """Return whether its problems offer what a protocol names in `needs`."""
        return False

    def words(self, kind: str) -> str:
        """Return what messages call such models."""
        return f"{kind} models"

    def settings(self) -> dict[str, Any]:
        """Return its keys at the top of an instance file."""
        return {}

    def predicting(self, clip: bool) -> Model:
        """Return the model with predictions cut to [0,1] or not, as its protocol's theorem requires."""
        return self

    def widths(self, parameters: Parameters, contexts: Contexts) -> np.ndarray:
        """Return the uncertainty of each value, shape (..., n, K), for policies that need it."""
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
        """Return the different parameters in use, and which replication uses which, (R,)."""
        raise NotImplementedError

    # Learning rates from the data (own:adaptive).
    def adapting(self, federation: Federation, replications: int) -> Chooser:
        raise NotImplementedError

    def rates_sent(self, world: World) -> int:
        """Return how many rates are sent to an agent after a call."""
        return 1


class RiskModel(Model):
    """A model of vectors whose exact minimiser over n samples has a proved mean excess risk e(n)."""

    rounds_claim: ClassVar[str] = "col:convex"  # where the rounds of local methods are counted
    certified_claim: ClassVar[str] = "own:certificate"  # for protocols that end near the minimiser
    unequal_unproved: ClassVar[bool] = False  # schedules are proved only for agents with equally many samples
    tolerance: float  # delta: how far from the minimiser iterative protocols may stop

    @abstractmethod
    def risk(self, n: int) -> float:
        """Return the proved mean excess risk e(n)."""

    @property
    @abstractmethod
    def shared_width(self) -> int:
        """Return the number of coordinates that are sent."""

    @property
    def own_widths(self) -> tuple[int, ...]:
        """Return the coordinates of every agent's own estimate; one entry where they are the same for all."""
        return (self.shared_width,)

    @abstractmethod
    def known(self, n: int, agents: int, equal: bool) -> Known:
        """Return what a schedule may use before the data are seen."""

    @property
    def schedules(self) -> tuple[str, ...]:
        """Return the local methods whose schedules of rounds and step size are proved for this model."""
        return ()

    @property
    def coordinates(self) -> int:
        """Return the number of coordinates of the whole problem, which a schedule depends on."""
        return self.shared_width

    def on_any_data(self, n: int) -> tuple[float, float, float, float] | None:
        """Return beta, mu, and what norm(w_S)^2 and zeta^2 at w_S are at most, for any n samples; None: not known."""
        return None

    @property
    def rules(self) -> Mapping[str, tuple[str, ...]]:
        """Return the variants of the bounds that apply with this model, for each rule of learning rates."""
        return RULES_OF_EVERY_RISK

    def charged_risk(self, variant: str, n: int) -> float:
        """Return e(n) as the variant uses it."""
        return self.risk(n)

    def reach(self, n: int, tolerance: float) -> float:
        """Return the squared distance from the minimiser that keeps the excess risk within (1 + tolerance)^2 e(n)."""
        return tolerance**2 * self.risk(n)

    @property
    def risk_statements(self) -> tuple[tuple[str, str], ...]:
        """Return the statements, (claim, variant), that prove e(n)."""
        return ()

    @property
    def unproved(self) -> tuple[str, ...]:
        """Return why no excess risk is proved for the exact minimiser, in sentences."""
        return ()


class Loss(Part, ABC):
    """The loss of a score z = phi'w and a reward r in [0,1], convex in z, and the link of the world that it belongs to.

    F(w) = mean_i value(phi_i'w, r_i) + weight (Lam/(2n)) norm(w)^2. Mean rewards are link(phi'omega*), norm(omega*) <=
    radius, and so are predictions: scores beyond what norm(phi) <= 1 allows are the link's to cut.
    """

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
        """Return the mean rewards of scores, increasing, shape (...)."""

    @property
    @abstractmethod
    def curvatures(self) -> tuple[float, float]:
        """Return the least and the largest second derivative, over all scores and rewards."""

    @property
    def weight(self) -> float:
        """Return by how much the slope falls when the reward rises by 1: 1 where the slope is link(z) - r."""
        ends = self.slope(np.zeros(2), np.array([0.0, 1.0]))
        return float(ends[0] - ends[1])


class PerAgent(tuple[Any, ...]):
    """Parameters that differ between agents: one entry per agent."""


class Problem(ABC):
    """The agents' side of a call. Row m of every answer is computed from agent m's data only."""

    if TYPE_CHECKING:  # a field or a property

        @property
        def samples(self) -> int:
            """Return n, the number of samples of all agents."""

    @abstractmethod
    def distance(self, parameters: Parameters) -> Any:
        """Return the squared distance from the exact minimiser, for audits. Protocols do not see it."""

    def gap(self, parameters: Parameters) -> Any:
        """Return F - F*, the loss above its minimum, for audits; NaN if the minimum is not known."""
        return np.nan


class Policy(Part, ABC):
    """A rule that turns scores into arm probabilities."""

    rational: ClassVar[bool] = False  # Fractions in, Fractions out: the exact law may use it
    needs: ClassVar[tuple[str, ...]] = ()  # what the model must offer beyond scores: "widths"
    usual_rate: ClassVar[str] = "sharpened"  # learning_rate where the file gives none

    @property
    def fixed_share(self) -> float | None:
        """Return the share of uniform play if it is the same in every epoch and the rest is greedy, else None."""
        return None

    @property
    def fixed_temperature(self) -> float | None:
        """Return the temperature of softmax if it is the same in every epoch, else None."""
        return None

    theorem: ClassVar[Theorem | str] = ""  # about its regret: a value, or a label of bounds/theorems

    @abstractmethod
    def probabilities(self, scores: np.ndarray, rate: Number, widths: np.ndarray | None = None) -> np.ndarray:
        """Return arm probabilities (..., K) for scores (..., K), and widths (..., K) if it needs them."""


class Rates(ABC):
    """Learning rates gamma^l: by a theorem's rule, the same in every epoch, or as listed. gamma^1 = 1 by convention.
    Epoch 1 plays uniformly in any case, as the gaps of the zero function are 0."""

    adaptive: ClassVar[bool] = False  # chosen from the data while they come in

    if TYPE_CHECKING:  # a field or a class attribute

        @property
        def rule(self) -> str | None:
            """Return the name of the rule if a theorem prescribes the rates, else None."""
    else:
        rule = None

    @abstractmethod
    def of(self, plan: EpochPlan, arms: Arms, guarantee: Guarantee | None, rational: bool) -> tuple[Any, ...]:
        """Return gamma^l of every epoch, as Fractions if rational."""

    @abstractmethod
    def describe(self) -> Any:
        """Return the value of `learning_rate` in an instance file."""

    def check(self, policy: Policy) -> None:  # noqa: B027
        """Raise InputError for a policy that cannot use these rates."""


class Encoder(Part, ABC):
    """What happens to messages on their way to the server."""

    lossless: ClassVar[bool] = False  # the sum of the messages arrives as it was sent
    hides: ClassVar[bool] = False  # a single message is noise: only `total` can be computed

    @abstractmethod
    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return what arrives of messages (P, ...), in the same shape."""

    @abstractmethod
    def bits(self, messages: np.ndarray) -> int:
        """Return the number of bits of the messages."""

    def total(self, received: np.ndarray) -> np.ndarray:
        """Return the sum (...) of the messages behind what was received, (P, ...)."""
        return np.asarray(received.sum(axis=0))

    def setup_bits(self, agents: int) -> tuple[int, int]:
        """Return the bits up and down, once per call, for agreeing on secrets."""
        return 0, 0


class Aggregator(Part, ABC):
    """How the server combines messages."""

    exact: ClassVar[bool] = False  # combine is the weighted mean and total the sum
    coordinatewise: ClassVar[bool] = False  # every coordinate is combined by itself
    reference: ClassVar[bool] = False  # for comparison only, no constant is proved

    @abstractmethod
    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the aggregate (...) of messages (P, ...) with weights (P,) that sum to 1."""

    def total(self, messages: np.ndarray, own: np.ndarray | None) -> np.ndarray:
        """Return the number of messages times their aggregate with equal weights, plus the server's own message."""
        found = len(messages) * self.combine(messages, np.full(len(messages), 1 / len(messages)))
        return np.asarray(found if own is None else found + own)

    def check(self, agents: int) -> None:
        """Raise InputError if it cannot combine the messages of so many agents."""

    def constant(self, agents: int, lying: int) -> Fraction | float | None:
        """Return kappa of app:robust_mean: the squared distance from the honest mean, in honest variances, if `lying`
        of the agents lie. Return None if none is proved."""
        return None


class Attack(Part, ABC):
    """What lying agents send in place of their messages. They may have seen all honest messages."""

    agents: tuple[int, ...]  # who lies
    falsifies: ClassVar[bool] = False  # the lie is in the data: offers `falsify`

    @abstractmethod
    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return the messages (P, ...) with the rows of lying agents, those marked in `bad` (P,), replaced."""

    def corrupt_knowing(
        self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator, aggregator: Aggregator
    ) -> np.ndarray:
        """Return the corrupted messages, which may be chosen for the aggregator in use."""
        return self.corrupt(messages, bad, rng)

    def falsify(self, data: Data) -> Data:
        """Return the dataset that a lying agent pretends to have."""
        return data

    @property
    def scale(self) -> float:
        """Return the size of the lies, 0 if they have none."""
        return 0.0


class Clock(Part, ABC):
    """The global times at which an agent acts."""

    @abstractmethod
    def count(self, time: int) -> int:
        """Return t_m(t), the number of steps up to global time t."""


@dataclass(frozen=True)
class Setting:
    """What a protocol's guarantee may depend on: the model and the number of agents. equal: whether agents always have
    equally many samples. link, plan: for guarantees that are about lying agents."""

    model: Model
    agents: int
    equal: bool = False
    link: Link | None = None
    plan: EpochPlan | None = None


@dataclass(frozen=True)
class Guarantee:
    """What a protocol promises, with the claim that proves it.

    risk(variant, n): the mean excess risk after n samples, including the solver's error. distance(n): the largest
    squared distance from the exact minimiser of the n samples; 0 for an exact solver, None if the guarantee is about
    predictions. cost(n): the most that the call sends. variants: the bounds that apply for each rule of learning
    rates. missing: why no regret bound follows, if none does. robust: it is about the link's aggregator, its lying
    agents, and the honest agents' regret. rests_on: further statements, (claim, variant), behind the risk; a bound is
    no surer than the weakest. on_all_data: the statements by which risk(n) also holds for n samples of all epochs so
    far, whose choice depends on earlier ones; none if that is not proved. risk_claim: the statement of the excess
    risk, if it is not `claim`, which may also count messages.
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
    """The result of a call. parameters: one function for all, or PerAgent. memory: for the next call."""

    parameters: Any
    memory: Any = None


class FLProtocol(Part, ABC):
    """FLroutine(.) of alg:FedIGW_agent. It uses data only through the problem, and sends only through the channel."""

    widths: ClassVar[bool] = False  # what it learns carries widths, for policies that need them
    clips: ClassVar[bool] = False  # its theorem is about predictions cut to [0,1]
    predicts: ClassVar[bool] = False  # learns predictions, not one estimate
    in_unit_box: ClassVar[bool] = False  # its estimate lies in [0,1]^d
    informs: ClassVar[bool] = False  # offers `knowledge`

    @abstractmethod
    def fit(self, problem: Any, channel: Channel, memory: Memory, rng: np.random.Generator) -> Fitted:
        """Make one call on the data of one epoch. problem: the model's, with what `needs` names."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Return what it requires of the model's problems. `Model.offers` answers."""
        return ()

    @property
    def adaptive(self) -> bool:
        """Return whether a call ends when its target is met. The declared cost is then the most that it sends."""
        return False

    @property
    def needs_samples(self) -> bool:
        """Return whether it requires single samples, not only their sums."""
        return False

    def guarantee(self, setting: Setting) -> Guarantee | None:
        """Return its guarantee in this setting. None means that no bound is printed."""
        return None

    def check(self, setting: Setting) -> None:
        """Raise InputError if its fields do not fit the federation."""

    def check_link(self, link: Link, agents: int) -> None:
        """Raise InputError for a link that it cannot work with."""

    def settings(self) -> dict[str, Any]:
        """Return those of its fields that are keys at the top of an instance file."""
        return {}

    def notes(self, setting: Setting) -> tuple[str, ...]:
        """Return lines that `simulate` and `fit` print."""
        return ()

    def distance(self, problem: Any, parameters: Parameters) -> Any:
        """Return the squared distance from the protocol's target, for audits."""
        return problem.distance(parameters)

    # stop = "certificate" (fedigw/certificate.py).
    def gradient(self, problem: Any, channel: Channel, parameters: Parameters) -> np.ndarray:
        """Return the gradient of F by one exchange of messages. Override it if the server knows the gradient anyway."""
        return np.asarray(problem.gradient(channel, parameters))

    def asked(self, setting: Setting, samples: int, tolerance: float) -> int | None:
        """Return the number of rounds after which norm(w - w_S)^2 <= tolerance^2 e(n) is proved, or None."""
        return None

    @property
    def leaps(self) -> bool:
        """Return whether it computes many rounds at once where it can, and refuses too many by itself."""
        return False

    # All replications at once.
    @property
    def pools(self) -> bool:
        """Return whether `pooled` is offered."""
        return False

    def pooled(self, problem: Any, rng: np.random.Generator) -> Parameters:
        """Return what it learns from a pooled problem, with the same law as the result of `fit`."""
        raise NotImplementedError

    def knowledge(self, problem: Any, memory: Memory) -> np.ndarray:
        """Return the summed statistics behind the last fit, (R, ...), for data-driven learning rates."""
        raise NotImplementedError

    @property
    def keeps_variates(self) -> bool:
        """Return whether control variates are used in later calls."""
        return False


class PrivateProtocol(FLProtocol):
    """A protocol whose calls spend privacy. where: who adds the noise. delta: that of the requested privacy."""

    where: str
    delta: float

    @abstractmethod
    def spends(self, setting: Setting, samples: int) -> Spending:
        """Return the privacy that a call on so many samples spends."""


@dataclass(frozen=True)
class Promise:
    """The promise of one call and what was delivered, for the audit of a protocol."""

    epoch: int
    promised: float
    delivered: float
    kept: bool = True
