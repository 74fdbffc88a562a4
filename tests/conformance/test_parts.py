"""Every discovered policy, encoder, aggregator, clock, protocol and environment keeps its folder's contract."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest
from parts_example import Median

from fedigw import conformance, parts
from fedigw.aggregators.mean import Mean
from fedigw.discovery import modules
from fedigw.encoders.plain import Plain
from fedigw.interfaces import Attack, Clock, Fitted
from fedigw.policies.igw import InverseGapWeighting
from fedigw_extensions.robust.aggregators.krum import Krum
from linear.federations import losses
from linear.protocols.direct import Direct
from verify import instances
from verify.instances import kind_of

KINDS = {name: kind_of(name) for name in instances.KINDS}
PROTOCOLS = [(kind, name) for kind in KINDS for name in parts.protocols(KINDS[kind].protocols)]
ENVIRONMENTS = [
    (kind, name) for kind in KINDS for name in modules(KINDS[kind].environments, ("make", "EXAMPLES"))
]
CHECKS = {
    "policy": (parts.policies, conformance.check_policy),
    "encoder": (parts.encoders, conformance.check_encoder),
    "aggregator": (parts.aggregators, conformance.check_aggregator),
    "clock": (parts.clocks, conformance.check_clock),
    "attack": (parts.attacks, conformance.check_attack),
    "loss": (losses, conformance.check_loss),
}
SIMPLE = [(role, name) for role, (known, _) in CHECKS.items() for name in known()]


@pytest.mark.parametrize(("role", "name"), SIMPLE)
def test_a_part_keeps_its_contract(role, name):
    known, check = CHECKS[role]
    assert check(known()[name]()) == []


@pytest.mark.parametrize(("kind", "name"), PROTOCOLS)
def test_a_protocol_keeps_its_contract(kind, name):
    protocol = parts.protocols(KINDS[kind].protocols)[name]()
    if (kind, name) == ("neural", "fedprox"):
        protocol = replace(protocol, exact=False)  # a network's local problem has no closed solution
    if (getattr(protocol, "rounds", None) or 0) > 10:
        protocol = replace(protocol, rounds=10)  # a leak, or a number too many, is one in any round
    found = conformance.check_protocol(protocol, KINDS[kind])
    if kind == "neural" and "known_curvature" in protocol.needs:
        assert found == [f"no neural model offers what it needs: {', '.join(protocol.needs)}"]
    else:
        assert found == []


@pytest.mark.parametrize(("kind", "name"), ENVIRONMENTS)
def test_an_environment_keeps_its_contract(kind, name):
    module = modules(KINDS[kind].environments, ("make", "EXAMPLES"))[name]
    assert conformance.check_environment(module, KINDS[kind]) == []


# --- wrong programs that each check must refuse -----------------------------------------------------------------------


@dataclass(frozen=True)
class Unnormalised(InverseGapWeighting):
    def probabilities(self, scores: np.ndarray, rate: Any, widths: Any = None) -> np.ndarray:
        return super().probabilities(scores, rate) * 0.99


@dataclass(frozen=True)
class AcrossRows(InverseGapWeighting):
    def probabilities(self, scores: np.ndarray, rate: Any, widths: Any = None) -> np.ndarray:
        flat = super().probabilities(scores.reshape(-1, scores.shape[-1]).mean(axis=0), rate)
        return np.broadcast_to(flat, scores.shape)


@dataclass(frozen=True)
class Rounding(Plain):
    def encode(self, messages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.round(messages, 3)


@dataclass(frozen=True)
class Free(Plain):
    def bits(self, messages: np.ndarray) -> int:
        return 0


@dataclass(frozen=True)
class Boasting(Mean):
    def constant(self, agents: int, lying: int) -> Fraction:
        return Fraction(1, 2)


@dataclass(frozen=True)
class TwoFaced(Krum):
    def constant(self, agents: int, lying: int) -> Fraction:
        return Fraction(10**9)


@dataclass(frozen=True)
class Honest(Attack):
    agents: tuple[int, ...] = (0,)
    name: ClassVar[str] = "honest"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return messages


@dataclass(frozen=True)
class Framing(Honest):
    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return -messages


class Backwards(Clock):
    name = "backwards"

    def count(self, time: int) -> int:
        return time % 7


class Twice(Clock):
    name = "twice"

    def count(self, time: int) -> int:
        return 2 * time


class NotExact(Median):
    exact: ClassVar[bool] = True


@pytest.mark.parametrize(
    ("check", "part", "words"),
    [
        (conformance.check_policy, Unnormalised(), "do not sum to 1"),
        (conformance.check_policy, AcrossRows(), "depends on the other rows"),
        (conformance.check_encoder, Rounding(), "the sum does not arrive"),
        (conformance.check_encoder, Free(), "positive integer"),
        (conformance.check_clock, Backwards(), "decreases"),
        (conformance.check_clock, Twice(), "ticks twice"),
        (conformance.check_aggregator, NotExact(), "not the weighted mean"),
        (conformance.check_aggregator, Boasting(), "move it further than its constant 0.5"),
        (conformance.check_aggregator, TwoFaced(), "is called a reference, but claims a constant"),
        (conformance.check_attack, Honest(), "the lying agents tell the truth"),
        (conformance.check_attack, Framing(), "an honest message is changed"),
    ],
)
def test_a_part_that_breaks_its_contract_is_told(check, part, words):
    assert any(words in problem for problem in check(part))


@dataclass(frozen=True)
class Liar(Direct):
    """Ignores its data, sends what Direct sends, and promises what Direct promises."""

    def fit(self, problem: Any, channel: Any, memory: Any, rng: Any) -> Fitted:
        honest = super().fit(problem, channel, memory, rng)
        return replace(honest, parameters=np.zeros(problem.dimension))


@dataclass(frozen=True)
class Peeking(Direct):
    """Solves with the agents' matrices, of which it sends zeros."""

    def fit(self, problem: Any, channel: Any, memory: Any, rng: Any) -> Fitted:
        super().fit(problem, channel, memory, rng)
        grams = [problem.gram(m) for m in range(problem.count)]
        system = sum(grams) + problem.shrinkage * np.eye(problem.dimension)
        return Fitted(np.linalg.solve(system, problem.moments().sum(axis=0)))


@dataclass(frozen=True)
class Chatty(Direct):
    """Sends one number more than it declares."""

    def fit(self, problem: Any, channel: Any, memory: Any, rng: Any) -> Fitted:
        channel.gather("extra", np.zeros((problem.count, 1)), (1,))
        return super().fit(problem, channel, memory, rng)


@dataclass(frozen=True)
class Forgetful(Direct):
    """Draws from a generator of its own."""

    def fit(self, problem: Any, channel: Any, memory: Any, rng: Any) -> Fitted:
        found = super().fit(problem, channel, memory, rng)
        return replace(found, parameters=found.parameters + 1e-9 * np.random.default_rng().random())


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (Liar(), "VIOLATED"),
        (Peeking(), "never went through the channel"),
        (Chatty(), "numbers_up: sent"),
        (Forgetful(), "give another result"),
    ],
)
def test_a_protocol_that_breaks_its_contract_is_told(protocol, words):
    assert any(words in problem for problem in conformance.check_protocol(protocol, KINDS["linear"]))
