"""Define a kind of instance file: the keys that a kind of world adds to those of every federation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedigw.federation import Federation
from fedigw.law import ExactLaw


@dataclass(frozen=True)
class Kind:
    """A kind of instance file. keys, agent_keys: its own keys at the top of the file and in every [[agents]] table.
    world(table, agents): returns the arguments of `make` for these keys. make(plan=..., learning_rate=...,
    protocol=..., policy=..., link=..., **arguments): returns the federation. protocols, environments: the packages
    whose files are offered. exact_law: the function that computes the exact law of a run, or None."""

    name: str
    keys: tuple[str, ...]
    agent_keys: tuple[str, ...]
    world: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], dict[str, Any]]
    make: Callable[..., Federation]
    usual_protocol: str
    protocols: tuple[str, ...]
    environments: str
    exact_law: Callable[[Federation], ExactLaw] | None = None
