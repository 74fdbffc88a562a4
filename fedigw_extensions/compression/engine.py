"""Run protocols with compressed gradients: in each round every agent sends one compressed vector, and the server moves
its point x.

    message of agent m     c_m = compress(grad f_m(x) - h_m)
    agent m                h_m <- h_m + learning c_m
    server                 x <- x - step (h + sum p_m c_m),   h <- h + learning sum p_m c_m

Agent m has the weight p_m and the loss f_m, and stores a reference vector h_m. The server stores h, the weighted mean
of the references. `learning` decides which method this is:

* 0: compressed gradient descent
* 1/(1 + omega), omega the compressor's mean squared error relative to the squared norm of the message: DIANA
* 1: EF21

Error feedback sends other messages. Personal coordinates are never sent: each agent moves its own by exact gradients.
The server sends its points uncompressed, 64 bits per number; the first point is 0 and is not sent.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds import compression
from bounds.errors import InputError
from fedigw.channel import Channel
from fedigw.interfaces import Encoder, Fitted, FLProtocol, Guarantee, RiskModel, Setting
from fedigw.ledger import Traffic
from fedigw.running import SolverError
from fedigw_extensions.compression.encoders.quantise import Quantise
from fedigw_extensions.compression.encoders.top_k import TopK

MOST = 10**7  # rounds of a call


@dataclass
class State:
    """The state of one execution of a compressed protocol, with M agents and D coordinates, of which `a` are shared.

    * point (a,): the server's point
    * personal (M, D - a): the agents' personal coordinates
    * own (M, a): each agent's reference vector or, in error feedback, what it has not sent yet
    * mean (a,): the weighted mean of the references
    * rng: random numbers for the compressor
    """

    channel: Channel
    step: float
    rng: np.random.Generator
    point: np.ndarray
    personal: np.ndarray
    own: np.ndarray
    mean: np.ndarray


@dataclass(frozen=True)
class CompressedMethod(FLProtocol):
    """Base class of the protocols with compressed gradients.

    By default step size and number of rounds are those for which the theorem `claim` proves a squared distance of at
    most delta^2 e(n) from the minimiser, where e(n) is the minimiser's excess risk on n samples.

    * tolerance: delta; by default that of the reward model
    * rounds: a fixed number of rounds per execution instead, without a guarantee
    * step_size: the server's step; by default the largest that the theorem allows
    """

    tolerance: float | None = None
    rounds: int | None = None
    step_size: float | None = None

    def __post_init__(self) -> None:
        if self.tolerance is not None and not 1e-12 <= self.tolerance < math.inf:
            raise InputError("tolerance", self.tolerance, "must be a number of at least 1e-12")
        self.check_positive("rounds", most=MOST)
        if self.step_size is not None and not 0 < self.step_size < math.inf:
            raise InputError("step_size", self.step_size, "must be a positive number")

    # What a method adds to the engine: its table.
    claim: ClassVar[str] = ""
    proved: ClassVar[Any]  # (known, quality, target): the schedule of its theorem
    limit: ClassVar[Any]  # (beta, quality, ...): the largest step of its theorem
    needs: ClassVar[tuple[str, ...]] = ("local_gradients", "known_curvature")
    in_the_mean: ClassVar[bool] = (
        True  # whether its promise is about the mean over compression or data, not about every run
    )
    average: ClassVar[bool] = False  # whether the weighted average of the points is the estimate

    @abstractmethod
    def compressor(self, width: int) -> Encoder: ...

    @abstractmethod
    def bits(self, width: int) -> int:
        """Return the bits of one message of `width` numbers, by formula. Tests compare the formula with the bits
        counted in a run."""

    @abstractmethod
    def quality(self, width: int) -> float:
        """Return the constant that describes the compressor in the method's convergence theorem.

        This is omega in E norm(Q(v) - v)^2 <= omega norm(v)^2 for an unbiased compressor Q, and alpha in norm(C(v) -
        v)^2 <= (1 - alpha) norm(v)^2 for any other compressor C, v being a message."""

    @abstractmethod
    def largest_step(self, known: compression.Known, width: int) -> float:
        """Return the largest step size for which the method's convergence theorem holds. known: bounds on the
        problem."""

    def learning(self, width: int) -> float:
        return 0.0

    def decay(self, step: float, mu: float) -> float:
        """Return q for methods whose estimate is a weighted average of their points: each point has q <= 1 times the
        weight of the next one. mu: the strong convexity."""
        return 1.0

    @property
    def scheduled(self) -> bool:
        return self.tolerance is not None or self.rounds is None

    def schedule(self, known: compression.Known, width: int, target: float) -> compression.Schedule:
        if self.scheduled and self.step_size is None:
            found: compression.Schedule = self.proved(known, self.quality(width), target)
            return found
        step = self.largest_step(known, width) if self.step_size is None else self.step_size
        if self.rounds is None:
            raise InputError(
                "protocol.step_size", self.step_size, "goes with rounds: a schedule has its own step"
            )
        return compression.Schedule(step, self.rounds)

    def fit(self, problem: Any, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        local = problem.local
        agents, a = channel.agents, local.shared
        known = problem.known()
        plan = self.schedule(known, a, problem.target(self.tolerance))
        zeros = np.zeros(a), np.zeros((agents, local.width - a)), np.zeros((agents, a)), np.zeros(a)
        state = State(channel, plan.step, rng, *zeros)
        averages = (np.zeros(a), np.zeros((agents, local.width - a)))
        total, decay = 0.0, self.decay(plan.step, known.mu)
        channel.observe(problem.parameters(state.point, state.personal))
        with np.errstate(over="ignore", invalid="ignore"):  # reported at the end, or by the channel
            for number in range(1, plan.rounds + 1):
                who = channel.begin_round()
                if number > 1:
                    state.point = channel.broadcast("point", state.point, (a,))
                if self.average:
                    total = decay * total + 1
                    parts = zip((state.point, state.personal), averages, strict=True)
                    averages = tuple(old + (new - old) / total for new, old in parts)  # type: ignore[assignment]
                self._round(local, state, who)
                channel.observe(problem.parameters(state.point, state.personal))
        if not np.isfinite(state.point).all():
            raise SolverError(f"epoch {channel.epoch}, step {plan.step:g}: the iterates overflow")
        shared, personal = averages if self.average else (state.point, state.personal)
        shared = channel.broadcast("estimate", shared, (a,), everyone=True)
        return Fitted(problem.parameters(shared, personal))

    def _round(self, local: Any, state: State, who: np.ndarray) -> None:
        a, everyone = local.shared, len(who) == len(local.weights)
        points = np.empty((len(who), local.width))
        points[:, :a], points[:, a:] = state.point, state.personal[who]
        slopes = local.local_gradients(points, who, None, state.rng)
        weights = local.weights if everyone else local.weights[who] / local.weights[who].sum()
        state.point = state.point - self.exchange(slopes[:, :a], weights, state, who)
        state.personal[who] -= state.step * slopes[:, a:]

    def exchange(self, slopes: np.ndarray, weights: np.ndarray, state: State, who: np.ndarray) -> np.ndarray:
        """Send one round of messages from the agents `who`, and return the vector (a,) that the server subtracts from
        its point, for `a` shared coordinates. slopes, weights: gradients and weights of these agents."""
        width = slopes.shape[1]
        compressor = self.compressor(width)
        sent = compressor.encode(slopes - state.own[who], state.rng)
        arrived = state.channel.mean("difference", sent, (width,), weights, packed=compressor)
        move = state.step * (state.mean + arrived)
        if rate := self.learning(width):
            state.own[who] += rate * sent
            state.mean = state.mean + rate * arrived
        return np.asarray(move)

    def guarantee(self, setting: Setting) -> Guarantee:
        model, agents = RiskModel.of(setting), setting.agents
        width = model.shared_width
        delta = model.tolerance if self.tolerance is None else self.tolerance

        def cost(n: int) -> Traffic:
            known = model.known(n, agents, setting.equal)
            k = self.schedule(known, width, delta**2 * model.risk(n)).rounds
            sent, numbers = agents * k, agents * k * width
            return Traffic(1, k, sent, sent, numbers, numbers, sent * self.bits(width), 64 * numbers)

        missing = [*model.unproved]
        if not self.scheduled:
            missing.append(f"{self.rounds} rounds of {self.name} have no proved excess risk")
        if model.unequal_unproved and not setting.equal:
            missing.append("agents have different numbers of samples: the schedule is proved for equal ones")
        surely = not missing and not self.in_the_mean
        return Guarantee(
            claim=self.claim,
            risk=lambda variant, n: (1 + delta) ** 2 * float(model.risk(n)),
            distance=lambda n: delta**2 * float(model.risk(n)) if surely else math.inf,
            cost=cost,
            missing=tuple(missing),
        )

    def notes(self, setting: Setting) -> tuple[str, ...]:
        width = RiskModel.of(setting).shared_width
        each = self.bits(width)
        return (f"a message of {width} numbers takes {each} bits, {each / width:.4g} a number",)


@dataclass(frozen=True)
class Rounded(CompressedMethod):
    """Base class of the methods that round each number of a message at random, without bias. bits_each: the bits of
    each number."""

    bits_each: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.bits_each <= compression.MOST_BITS:
            most = compression.MOST_BITS
            allowed = f"must be an integer from 1 to {most}: a message's scale travels in 32 bits"
            raise InputError("bits_each", self.bits_each, allowed)

    def compressor(self, width: int) -> Encoder:
        return Quantise(self.bits_each)

    def bits(self, width: int) -> int:
        return compression.rounding_bits(width, self.bits_each)

    def quality(self, width: int) -> float:
        return compression.rounding_variance(width, self.bits_each)

    def largest_step(self, known: compression.Known, width: int) -> float:
        return float(self.limit(known.beta, self.quality(width), known.largest_share))


@dataclass(frozen=True)
class Sparse(CompressedMethod):
    """Base class of the methods that send only the largest coordinates of a vector. keep: how many, or all if there are
    fewer."""

    keep: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_positive("keep")

    def check(self, setting: Setting) -> None:
        width = RiskModel.of(setting).shared_width
        if self.keep > width:
            raise InputError("protocol.keep", self.keep, f"must be at most the {width} numbers of a message")

    def compressor(self, width: int) -> Encoder:
        return TopK(self.keep)

    def bits(self, width: int) -> int:
        return compression.top_k_bits(width, self.keep)

    def quality(self, width: int) -> float:
        return compression.kept_share(width, self.keep)

    def largest_step(self, known: compression.Known, width: int) -> float:
        return float(self.limit(known.beta, self.quality(width)))
