"""Compute the exact probability distribution (law) of a simulation: the functions that the policy uses form a Markov
chain, so expected regrets are finite sums.

Tests compare every simulated number with the exact one. Each kind of world defines how one epoch changes the law; the
loop over epochs is here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bounds.errors import InputError
from bounds.schedules import Segment
from fedigw.federation import Federation

Number = Any  # Fraction or float


class TooLarge(Exception):
    """Raised if the law has too many terms to be computed, in rationals or in floats."""


@dataclass(frozen=True)
class EpochLaw:
    """The exact results of one epoch.

    lengths       steps of each agent
    models        number of different functions that may be in use
    regret        expected regret over the counted steps
    excess_risk   expected excess risk of the function learned from this epoch, None if none is learned
    law           probability of each function in use, for a finite class of |F| functions numbered from 0; number |F|
                  is the zero function, in use at first
    a, b          if requested, the expected suprema over policies of R - 2 R' (a) and R' - 2 R (b). R is a policy's
                  true regret, summed over agents and steps, and R' the same if the function in use were true
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
    """Return the exact results of all epochs. start: distribution of the first function in use. move: computes, from
    the distribution of the function in use in an epoch, the epoch's results and the distribution of the function
    learned from it. If every epoch uses the model learned two epochs earlier, even and odd epochs are separate Markov
    chains."""
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
    """Return the exact probability law of a federation, in rationals if requested and not too large, else in floats.
    Raise InputError if it is too large for both. make(exact) computes the law. size: what is too large, for the
    message."""
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
