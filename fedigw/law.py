"""The exact law of a run: the model in use is a Markov chain, so expected regrets are finite sums.

This is the second way to every simulated number. A kind of world says how one epoch moves the law; the loop is here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bounds.errors import InputError
from bounds.schedules import Segment
from fedigw.federation import Federation

Number = Any  # Fraction or float


class TooLarge(Exception):
    """The law has too many terms for this arithmetic."""


@dataclass(frozen=True)
class EpochLaw:
    """One epoch. regret: expected, over the played lengths. excess_risk: E[Err^l]/W^l of what is learned here, None if
    nothing is. models: how many different models may be in use.

    law: model -> probability, where models can be named (a finite class; |F| is the initial function). a, b: E sup_pi
    S^l[Reg - 2 Reghat^l] and E sup_pi S^l[Reghat^l - 2 Reg], full lengths, where asked for.
    """

    lengths: tuple[int, ...]
    learning_rate: Number
    models: int
    regret: Number
    excess_risk: Number | None
    law: Mapping[int, Number] | None = None
    a: Number | None = None
    b: Number | None = None


@dataclass(frozen=True)
class ExactLaw:
    epochs: tuple[EpochLaw, ...]
    total_regret: Number
    arithmetic: str  # "rational" or "float"


# (epoch, segment, law of the model in use) -> the epoch's law, and the law of the model learned from it
Move = Callable[[int, Segment, Any], tuple[EpochLaw, Any]]


def walk(federation: Federation, start: Any, move: Move, exact: bool) -> ExactLaw:
    """Return the loop: every epoch moves the law once. Interleaved runs have each a law of its own."""
    if federation.plan.cumulative:
        said = "the exact law is for calls that learn from one epoch; use simulate"
        raise InputError("data", "cumulative", said)
    laws, epochs = [start] * federation.plan.lag, []
    for epoch, segment in enumerate(federation.plan.segments):
        run = epoch % federation.plan.lag
        found, laws[run] = move(epoch, segment, laws[run])
        epochs.append(found)
    return ExactLaw(tuple(epochs), sum(e.regret for e in epochs), "rational" if exact else "float")


def in_rationals_or_floats(
    federation: Federation, make: Callable[[bool], ExactLaw], rational: bool, size: str
) -> ExactLaw:
    """Compute in rationals if they stay small (and are asked for), else in floats; InputError if too large."""
    if not federation.policy.rational:
        raise InputError("policy", federation.policy.name, "has no rational probabilities; use simulate")
    if federation.protocol.name != federation.model.usual_protocol:
        said = f"the exact law is for the exact minimiser ({federation.model.usual_protocol}); use simulate"
        raise InputError("protocol", federation.protocol.name, said)
    if federation.link.missing:
        raise InputError("link", federation.link.missing[0], "the exact law is for plain sums; use simulate")
    if rational:
        try:
            return make(True)
        except TooLarge:
            pass
    try:
        return make(False)
    except TooLarge:
        raise InputError("instance", size, "too large for the exact law; use simulate") from None
