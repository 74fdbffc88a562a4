"""Make the instance file for a protocol of the plan, and the federation on which its regret is estimated.

M agents that act at the same steps, with the same distribution of contexts, pool their samples. Their regret then
depends on M and on the length E of an epoch only through M E, so one agent with epochs of M E steps is simulated
instead. All agents are simulated if their number matters: if each adds noise, some lie, or they act at different times.
"""

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bounds.errors import InputError
from bounds.schedules import EpochPlan, doubling_plan, synchronous_plan
from verify.verbs.plan.question import Question

if TYPE_CHECKING:
    from fedigw.federation import Federation

CONTEXTS = 5
MOST_CELLS = 60_000  # numbers of one world
MOST_STEPS = 2**60  # of a run with pooled samples
MOST_AGENTS = 200  # of a run in which they are simulated one by one
MOST_TIMES = 2_000_000  # at which agents with clocks act


def file(question: Question, row: Mapping[str, Any], seed: int = 0) -> dict[str, Any]:
    """Return an instance file with the protocol of `row` in a random environment. Raise InputError if it is too large
    to simulate."""
    if row.get("file") is None:
        raise InputError("protocol", row["protocol"], "its computed schedule is too long to be simulated")
    found = _table(question, row, seed, question.agents)
    if not question.asynchronous:
        return found
    refuse_size(question, row)
    from verify.instances import parse

    world = parse({k: found[k] for k in ("kind", "horizon", "environment")}).world.describe()
    agents = world.pop("agents")
    if question.linear:
        world["features"] = agents[0]["features"]
    own = [{"contexts": agent["contexts"], "clock": clock(m)} for m, agent in enumerate(agents)]
    del found["environment"], world["rewards"]
    return found | world | {"agents": own}


def clock(agent: int) -> dict[str, Any]:
    return {"name": "periodic", "period": 1 + agent % 2}


def federation(question: Question, row: Mapping[str, Any], seed: int = 0) -> "Federation":
    """Return a federation whose regret has the same distribution as that of `file`; it has one agent if that is
    possible. Raise InputError if it is too large to simulate."""
    from verify.instances import parse

    refuse_size(question, row)
    if not pools(question, row):
        return parse(file(question, row, seed))
    return dataclasses.replace(parse(_table(question, row, seed, 1)), plan=pooled_plan(question))


def pools(question: Question, row: Mapping[str, Any]) -> bool:
    """Return whether one agent with the samples of all agents has the same distribution of regret as the federation."""
    return not question.asynchronous and bool(row["pools"])


def pooled_plan(question: Question) -> EpochPlan:
    steps = [question.agents * row[0] for row in doubling_plan(question.horizon).full]
    return synchronous_plan(iter(steps), question.agents * question.horizon, 1)


def refuse_size(question: Question, row: Mapping[str, Any]) -> None:
    if row.get("file") is None:
        raise InputError("protocol", row["protocol"], "its computed schedule is too long to be simulated")
    if cells(question) > MOST_CELLS:
        raise InputError("size", f"{cells(question):.3g} numbers", "a world that large is not simulated here")
    steps = question.agents * question.horizon
    if steps > MOST_STEPS:
        raise InputError("horizon", question.horizon, "more than 2^60 steps are too many to count")
    if not pools(question, row) and question.agents > MOST_AGENTS:
        raise InputError("agents", question.agents, f"more than {MOST_AGENTS} are not simulated one by one")
    if question.asynchronous and steps > MOST_TIMES:
        raise InputError("horizon", question.horizon, f"more than {MOST_TIMES:.0e} times are not simulated")


def cells(question: Question) -> int:
    """Return how many numbers are needed to store a random environment of the requested size."""
    if question.linear:
        dimension = int(question.dimension or 1)
        return CONTEXTS * question.arms * dimension + dimension**2
    return CONTEXTS * question.arms * int(question.class_size or 1)


def environment(question: Question, agents: int = 1) -> tuple[str, dict[str, Any]]:
    kind = "linear" if question.linear else "finite_class"
    name, size = ("finite_contexts", "dimension") if question.linear else ("random_table", "functions")
    sizes = {size: question.dimension or question.class_size, "contexts": CONTEXTS, "arms": question.arms}
    return kind, {"name": name} | sizes | {"agents": agents}


def _table(question: Question, row: Mapping[str, Any], seed: int, agents: int) -> dict[str, Any]:
    kind, made = environment(question, agents)
    first = {"kind": kind, "horizon": question.horizon, "learning_rate": row["learning_rate"]}
    return first | dict(row["file"]) | {"environment": made | {"seed": seed}}
