"""Parts that only tests need: a lossy encoder, a robust aggregator, another policy, and protocols that break their
promises.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Aggregator, Encoder, Fitted, FLProtocol, Guarantee, Policy, Setting
from finite_class.protocols.exact_minimiser import ExactMinimiser
from linear.personalised.protocols.cg import SchurConjugateGradient
from linear.protocols.direct import Direct


@dataclass(frozen=True)
class Halves(Encoder):
    """Round every number to the nearest half, sent as one byte."""

    name: ClassVar[str] = "halves"

    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.asarray(np.round(2 * messages) / 2)

    def bits(self, messages: np.ndarray) -> int:
        return 8 * messages.size


@dataclass(frozen=True)
class Median(Aggregator):
    """Take the median of each coordinate; a sum is the number of messages times their median."""

    name: ClassVar[str] = "median"

    def combine(self, messages: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return np.asarray(np.median(messages, axis=0))


@dataclass(frozen=True)
class Uniform(Policy):
    """Play all arms with equal probability, whatever the scores."""

    name: ClassVar[str] = "uniform"

    def probabilities(self, scores: np.ndarray, rate: Any, widths: np.ndarray | None = None) -> np.ndarray:
        return np.full_like(scores, 1 / scores.shape[-1], dtype=float)


@dataclass(frozen=True)
class Zeros(FLProtocol):
    """Learn nothing: return zero without looking at data, and promise what the direct method promises."""

    name: ClassVar[str] = "zeros"
    pools: ClassVar[bool] = True

    def fit(self, problem: Any, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        channel.begin_round()
        return Fitted(channel.broadcast("estimate", np.zeros(problem.dimension), (problem.dimension,)))

    def pooled(self, problem: Any, rng: np.random.Generator) -> np.ndarray:
        return np.zeros_like(problem.moment)

    def guarantee(self, setting: Setting) -> Guarantee:
        return Direct().guarantee(setting)


@dataclass(frozen=True)
class LastFunction(FLProtocol):
    """Return always the last function of a finite class, and promise what the exact minimiser promises."""

    name: ClassVar[str] = "last_function"
    pools: ClassVar[bool] = True

    def fit(self, problem: Any, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        channel.begin_round()
        return Fitted(problem.model.size - 1)

    def pooled(self, problem: Any, rng: np.random.Generator) -> np.ndarray:
        return np.full(len(problem.counts), problem.model.size - 1)

    def guarantee(self, setting: Setting) -> Guarantee:
        return ExactMinimiser().guarantee(setting)


@dataclass(frozen=True)
class OwnBlocksForgotten(FLProtocol):
    """Learn the shared block correctly by conjugate gradients, but return zero in every personal block."""

    name: ClassVar[str] = "own_blocks_forgotten"

    def fit(self, problem: Any, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        honest = SchurConjugateGradient().fit(problem, channel, memory, rng).parameters
        for estimate in honest:
            estimate[problem.shared :] = 0
        return Fitted(honest)

    def guarantee(self, setting: Setting) -> Guarantee:
        return SchurConjugateGradient().guarantee(setting)
