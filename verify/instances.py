"""Instance files of every kind, and how each kind is simulated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bounds.errors import InputError, choose
from fedigw import instance_file
from fedigw.discovery import modules
from fedigw.record import RunRecord

KINDS = ("finite_class",)


def load(path: Path) -> Any:
    """The instance in `path`, of whatever kind it says it is."""
    table = instance_file.read_toml(path)
    kind = instance_file.required(table, "kind")
    if not isinstance(kind, str):
        raise InputError("kind", kind, "must be one of " + ", ".join(KINDS))
    choose("kind", kind, KINDS)
    from finite_class.instance import parse

    return parse(table)


def simulate(instance: Any, protocol: str | None, replications: int, seed: int) -> RunRecord:
    """Replications of `instance` with an FL routine; the exact minimiser goes through the vectorised simulator."""
    from finite_class.replicate import PROTOCOL, replicate

    name = (
        PROTOCOL
        if protocol is None
        else choose("--protocol", protocol, modules("finite_class.protocols", ("build",)))
    )
    if name == PROTOCOL:
        return replicate(instance, replications, seed)
    return _simulate_one_by_one(instance, name, replications, seed)


def _simulate_one_by_one(instance: Any, protocol: str, replications: int, seed: int) -> RunRecord:
    import numpy as np

    from fedigw.federation import run
    from fedigw.record import of_runs
    from finite_class.environment import FiniteClassEnvironment

    environment = FiniteClassEnvironment(instance)
    routine = modules("finite_class.protocols", ("build",))[protocol].build(instance)
    rates = [float(rate) for rate in instance.learning_rates()]
    streams = np.random.SeedSequence(seed).spawn(replications)
    return of_runs(
        [
            run(environment, routine, instance.plan, rates, np.random.default_rng(stream))
            for stream in streams
        ],
        instance=instance.describe(),
        protocol=protocol,
        seed=seed,
        full=instance.plan.full,
        played=instance.plan.played,
        learning_rates=tuple(rates),
    )
