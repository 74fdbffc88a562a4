"""What the command line needs of a kind of instance: parse, simulate, applicable_bounds, largest_regret."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from bounds import thm_global_regret
from bounds.errors import InputError, choose
from fedigw.discovery import modules
from fedigw.federation import run
from fedigw.interfaces import Environment
from fedigw.ledger import MessageError
from fedigw.record import RunRecord, of_runs
from linear.environment import LinearEnvironment
from linear.instance import LinearInstance
from linear.parsing import parse
from linear.ridge import DataError, SolverError

__all__ = ["applicable_bounds", "largest_regret", "parse", "simulate"]

DEFAULT_PROTOCOL = "direct"
MOST_ROUNDS = 10**7


def protocols() -> dict[str, Any]:
    return modules("linear.protocols", ("build",))


def simulate(instance: LinearInstance, protocol: str | None, replications: int, seed: int) -> RunRecord:
    """Replications of `instance` with an FL routine, one by one through the federation loop."""
    name = DEFAULT_PROTOCOL if protocol is None else choose("--protocol", protocol, protocols())
    routine = protocols()[name].build(instance)
    return replicate_runs(instance, LinearEnvironment(instance), routine, replications, seed)


def replicate_runs(
    instance: Any, environment: Environment, routine: Any, replications: int, seed: int
) -> RunRecord:
    """The record of runs of `routine`; data or messages that cannot be learned from end them with an InputError."""
    check_rounds(instance, routine)
    rates = instance.learning_rates(routine.accuracy)
    streams = np.random.SeedSequence(seed).spawn(replications)
    try:
        runs = [run(environment, routine, instance.plan, rates, np.random.default_rng(s)) for s in streams]
    except (SolverError, DataError, MessageError) as error:
        raise InputError("simulation", routine.name, f"cannot go on: {error}") from None
    return of_runs(
        runs,
        instance=instance.describe(),
        protocol=routine.name,
        seed=seed,
        full=instance.plan.full,
        played=instance.plan.played,
        learning_rates=rates,
    )


def check_rounds(instance: Any, routine: Any) -> None:
    """A schedule of so many rounds that passing the messages would take hours is refused before it begins."""
    if not hasattr(routine, "rounds") or getattr(routine, "early_stopping", False):
        return
    samples = [sum(row) for epoch, row in enumerate(instance.plan.full) if instance.plan.learns(epoch)]
    refuse_hours(routine.name, max((routine.rounds(n, instance.dimension) for n in samples), default=0))


def refuse_hours(name: str, rounds: int) -> None:
    if rounds > MOST_ROUNDS:
        raise InputError(
            "--protocol", name, f"a call needs {rounds:.3g} rounds, over {MOST_ROUNDS:.0e}; try cg"
        )


def applicable_bounds(instance: LinearInstance, protocol: str = DEFAULT_PROTOCOL) -> dict[str, float]:
    """Variant -> bound on the expected regret for the learning rates in use; none where a hypothesis fails.

    printed rates (g = 1): the repaired bound, as the paper's own is an order. sharpened: its own. An explicit list:
    C(g) S^l/gamma^l if it does not decrease (H5). Only lambda = 1/n has a proved excess risk here.
    """
    return bounds_for(instance, protocols()[protocol].build(instance).accuracy)


def bounds_for(instance: Any, accuracy: float) -> dict[str, float]:
    rates, risks = instance.learning_rates(accuracy), instance.risks(accuracy)
    if instance.regularisation != 1.0 or any(after < before for before, after in pairwise(rates[1:])):
        return {}
    if isinstance(instance.learning_rate, str):
        variant = "repaired" if instance.learning_rate == "printed" else "sharpened"
        return {variant: sum(thm_global_regret.epoch_terms(variant, instance.plan, instance.arms, risks))}
    if not all(rates):
        return {}
    terms = thm_global_regret.regret_given_learning_rates(instance.plan, instance.arms, rates, risks)
    return {"sharpened": sum(terms)}


def largest_regret(instance: LinearInstance) -> float:
    """The most that a run can lose in expectation: every step the worst arm."""
    rates = {id(c): c.largest_regret_rate(instance.parameter) for c in instance.agents}
    return sum(
        steps * rates[id(instance.agents[m])]
        for played in instance.plan.played
        for m, steps in enumerate(played)
    )
