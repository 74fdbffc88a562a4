"""What the command line needs of a kind of instance: parse, simulate, applicable_bounds, largest_regret."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.errors import choose
from fedigw.discovery import modules
from fedigw.federation import run
from fedigw.record import RunRecord, of_runs
from finite_class import comparison
from finite_class.comparison import largest_regret
from finite_class.environment import FiniteClassEnvironment
from finite_class.instance import FiniteClassInstance, parse
from finite_class.replicate import PROTOCOL, replicate

__all__ = ["applicable_bounds", "largest_regret", "parse", "simulate"]


def protocols() -> dict[str, Any]:
    return modules("finite_class.protocols", ("build",))


def simulate(instance: FiniteClassInstance, protocol: str | None, replications: int, seed: int) -> RunRecord:
    """Replications of `instance` with an FL routine; the exact minimiser goes through the vectorised simulator."""
    name = PROTOCOL if protocol is None else choose("--protocol", protocol, protocols())
    if name == PROTOCOL:
        return replicate(instance, replications, seed)
    environment = FiniteClassEnvironment(instance)
    routine = protocols()[name].build(instance)
    rates = [float(rate) for rate in instance.learning_rates()]
    streams = np.random.SeedSequence(seed).spawn(replications)
    return of_runs(
        [run(environment, routine, instance.plan, rates, np.random.default_rng(s)) for s in streams],
        instance=instance.describe(),
        protocol=name,
        seed=seed,
        full=instance.plan.full,
        played=instance.plan.played,
        learning_rates=tuple(rates),
    )


def applicable_bounds(instance: FiniteClassInstance, protocol: str) -> dict[str, float]:
    """Variant -> bound; every protocol here is an exact minimiser."""
    return comparison.applicable_bounds(instance)
