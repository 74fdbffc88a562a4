"""What the command line needs of a kind of instance: parse, simulate, applicable_bounds, largest_regret."""

from __future__ import annotations

from typing import Any

from bounds import col_linear_per
from bounds.errors import choose
from bounds.own_agd_rate import rounds_for_distance
from fedigw.discovery import modules
from fedigw.record import RunRecord
from linear.interface import bounds_for, refuse_hours, replicate_runs
from linear.personalised.instance import PersonalisedEnvironment, PersonalisedInstance
from linear.personalised.parsing import parse

__all__ = ["applicable_bounds", "largest_regret", "parse", "simulate"]

DEFAULT_PROTOCOL = "cg"


def protocols() -> dict[str, Any]:
    return modules("linear.personalised.protocols", ("build",))


def simulate(instance: PersonalisedInstance, protocol: str | None, replications: int, seed: int) -> RunRecord:
    """Replications of `instance` with an FL routine, one by one through the federation loop."""
    name = DEFAULT_PROTOCOL if protocol is None else choose("--protocol", protocol, protocols())
    routine = protocols()[name].build(instance)
    if name == "agd":
        learned = [sum(row) for l, row in enumerate(instance.plan.full) if instance.plan.learns(l)]
        risks = [
            col_linear_per.excess_risk(instance.lifted_dimension, len(instance.agents), n) for n in learned
        ]
        rounds = (
            rounds_for_distance(n, instance.accuracy**2 * e) for n, e in zip(learned, risks, strict=True)
        )
        refuse_hours(name, max(rounds, default=0))
    return replicate_runs(instance, PersonalisedEnvironment(instance), routine, replications, seed)


def applicable_bounds(instance: PersonalisedInstance, protocol: str = DEFAULT_PROTOCOL) -> dict[str, float]:
    """Variant -> bound on the expected regret for the learning rates in use; none where a hypothesis fails."""
    return bounds_for(instance, protocols()[protocol].build(instance).accuracy)


def largest_regret(instance: PersonalisedInstance) -> float:
    """The most that a run can lose in expectation: every step the worst arm."""
    return instance.largest_regret()
