"""Define a kind of instance file, such as kind = "linear": the keys that it adds to those of every federation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedigw.federation import Federation
from fedigw.law import ExactLaw


@dataclass(frozen=True)
class Kind:
    """A kind of instance file, such as "linear", which describes federations with one kind of world.

    keys, agent_keys          its own keys, at the top of the file and in every [[agents]] table
    world                     world(table, agents) turns these keys into keyword arguments of `make`
    make                      returns the federation; it also takes plan, learning_rate, protocol, policy and link
    usual_protocol            the protocol used if the file names none
    protocols, environments   the packages in which its protocols and environments are found
    exact_law                 computes the exact expected regret; None if there is no such function
    """

    name: str
    keys: tuple[str, ...]
    agent_keys: tuple[str, ...]
    world: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], dict[str, Any]]
    make: Callable[..., Federation]
    usual_protocol: str
    protocols: tuple[str, ...]
    environments: str
    exact_law: Callable[[Federation], ExactLaw] | None = None
