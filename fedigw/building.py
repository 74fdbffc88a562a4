"""Build a federation from the contents of an instance file (TOML), for every kind of world."""

import dataclasses
import inspect
import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InputError, choose
from bounds.schedules import (
    MOST_EPOCHS,
    EpochPlan,
    asynchronous_plan,
    capped_lengths,
    doubling_lengths,
    doubling_plan,
    lengths_of_ends,
    synchronous_plan,
)
from fedigw import instance_file, outside
from fedigw.certificate import Certificate
from fedigw.channel import Link
from fedigw.clocks.periodic import Periodic
from fedigw.discovery import CatalogueError, modules
from fedigw.federation import Federation
from fedigw.interfaces import Policy
from fedigw.kind import Kind
from fedigw.maxima import refuse_larger
from fedigw.parts import aggregators, attacks, clock, encoders, named, of_fields, policies, protocols
from fedigw.privacy.ledger import Request
from fedigw.rates import rates_of
from fedigw.timing import Timing, ends_until

COMMON = (
    *("kind", "horizon", "schedule", "floor", "data", "learning_rate", "delta"),
    *("policy", "protocol", "link", "attack", "privacy", "stop", "agents"),
)
TIMES = ("epochs", "clock")
LINK = ("encoder", "aggregator", "participants")


def build(table: Mapping[str, Any], kind: Kind) -> Federation:
    """Return the federation that the contents of an instance file describe. kind: the kind of world that the file
    names. Raise InputError, which names the first wrong key."""
    if "environment" in table:
        return _from_environment(table, kind)
    instance_file.refuse_unknown(table, (*COMMON, "environment", *kind.keys))
    horizon = instance_file.positive_integer(instance_file.required(table, "horizon"), "horizon")
    agents = _agents(table, kind)
    arguments = kind.world(table, agents)
    plan, timing = _plan(table, horizon, agents)
    plan = _floored(table, _with_data(table, plan, kind))
    chosen = _parts(table, kind, len(agents))
    chosen |= {"timing": timing, "privacy": request_of(table)}
    return kind.make(
        plan=plan, learning_rate=_rates(table, True, chosen.get("policy")), **chosen, **arguments
    )


def _rates(table: Mapping[str, Any], rational: bool, policy: Policy | None) -> Any:
    usual = Policy.usual_rate if policy is None else policy.usual_rate
    value = table.get("learning_rate", usual)
    plain = value != "adaptive" and not isinstance(value, dict) and "delta" not in table
    return value if plain else rates_of(value, rational, table.get("delta"))


def _agents(table: Mapping[str, Any], kind: Kind) -> list[Mapping[str, Any]]:
    given = instance_file.required(table, "agents", more="; one table [[agents]] for each")
    tables = instance_file.array(given, "agents", "one table [[agents]] for each")
    for m, agent in enumerate(tables):
        if not isinstance(agent, dict):
            raise InputError(f"agents[{m}]", agent, "must be a table")
        instance_file.refuse_unknown(agent, (*kind.agent_keys, *TIMES), f"agents[{m}].", COMMON)
    return tables


def _parts(table: Mapping[str, Any], kind: Kind, agents: int) -> dict[str, Any]:
    sorts = {"policy": policies, "protocol": partial(protocols, kind.protocols)}
    found = {key: named(key, table[key], known()) for key, known in sorts.items() if key in table}
    if "stop" in table:
        found["stop"] = _stop(table["stop"])
    if "link" in table or "attack" in table:
        found["link"] = link_of(table.get("link", {}), agents, table.get("attack"))
    return found


def _stop(value: Any) -> Certificate:
    given = {"name": value} if isinstance(value, str) else value
    if not isinstance(given, Mapping):
        raise InputError("stop", value, f"must be a name or a table with a name: {Certificate.name}")
    choose("stop", instance_file.required(given, "name", "stop."), (Certificate.name,))
    found: Certificate = of_fields("stop", Certificate, {k: v for k, v in given.items() if k != "name"})
    return found


def link_of(value: Any, agents: int, attack: Any = None) -> Link:
    if not isinstance(value, Mapping):
        said = "must be a table: " + ", ".join(LINK) + "; the link of mean rewards comes with the loss"
        raise InputError("link", value, said)
    instance_file.refuse_unknown(value, LINK, "link.")
    sorts = {"encoder": encoders, "aggregator": aggregators}
    found = {key: named(f"link.{key}", value[key], known()) for key, known in sorts.items() if key in value}
    if "participants" in value:
        found["participants"] = instance_file.positive_integer(value["participants"], "link.participants")
    if attack is not None:
        found["attack"] = named("attack", attack, attacks())
    return Link(**found)


def request_of(table: Mapping[str, Any]) -> Request | None:
    """Return the limits that the key `privacy` of an instance file sets, as in privacy = {epsilon = 1, delta = 1e-5};
    None if the file has no such key."""
    if "privacy" not in table:
        return None
    value = table["privacy"]
    if not isinstance(value, Mapping):
        raise InputError("privacy", value, "must be a table: epsilon, delta")
    for key in ("epsilon", "delta"):
        instance_file.required(value, key, "privacy.", ", e.g. {epsilon = 1, delta = 1e-5}")
    found: Request = of_fields("privacy", Request, value)
    return found


def _from_environment(table: Mapping[str, Any], kind: Kind) -> Federation:
    """Return the federation that the key `environment` generates, as in environment = {name = "sphere", agents = 50,
    seed = 3}, changed by the other keys of the instance file."""
    value = table["environment"]
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping):
        raise InputError("environment", value, "must be a name or a table with a name")
    known = modules(kind.environments, ("make", "EXAMPLES"))
    name = instance_file.required(value, "name", "environment.", "; one of " + ", ".join(known))
    if not isinstance(name, str):
        raise InputError("environment.name", name, "must be one of " + ", ".join(known))
    module = outside_environment(name) if outside.is_file(name) else known[choose("environment", name, known)]
    make = module.make
    seed = instance_file.exact_number(value.get("seed", 0), "environment.seed", "must be an integer")
    if seed.denominator != 1 or seed < 0:
        raise InputError("environment.seed", str(seed), "must be a non-negative integer")
    # keys of the kind, at the top of the file or inside the table
    own = [key for key in kind.keys if key in inspect.signature(make).parameters]
    instance_file.refuse_unknown(table, (*COMMON, "environment", *own))
    arguments = _arguments(make, {k: v for k, v in value.items() if k not in ("name", "seed")})
    arguments |= {key: table[key] for key in own if key in table}
    if "horizon" in table:
        arguments["horizon"] = instance_file.positive_integer(table["horizon"], "horizon")
    made: Federation = make(np.random.default_rng(int(seed)), **arguments)
    agents = _times(table, len(made.arms))
    changes = _parts(table, kind, len(agents))
    if "schedule" in table or any(agents):
        horizon = max(sum(row[m] for row in made.plan.played) for m in range(len(agents)))
        changes["plan"], changes["timing"] = _plan(table, horizon, agents)
    if "data" in table:
        changes["plan"] = _with_data(table, changes.get("plan", made.plan), kind)
    if "floor" in table:
        changes["plan"] = _floored(table, changes.get("plan", made.plan))
    policy = changes.get("policy")
    if "learning_rate" in table or "delta" in table or (policy and policy.usual_rate != Policy.usual_rate):
        changes["rates"] = rates_of(_rates(table, made.rational, policy), made.rational)
    return dataclasses.replace(made, privacy=request_of(table), **changes)


def _times(table: Mapping[str, Any], agents: int) -> list[Mapping[str, Any]]:
    tables = (
        instance_file.array(table["agents"], "agents", "one table per agent") if "agents" in table else []
    )
    if tables and len(tables) != agents:
        raise InputError(
            "agents", f"{len(tables)} tables", f"must be one per agent of the environment, {agents}"
        )
    for m, agent in enumerate(tables):
        if not isinstance(agent, dict):
            raise InputError(f"agents[{m}]", agent, "must be a table")
        instance_file.refuse_unknown(agent, TIMES, f"agents[{m}].", COMMON)
    return tables or [{} for _ in range(agents)]


def outside_environment(name: str) -> Any:
    module = outside.load(Path(name))
    missing = [offer for offer in ("make", "EXAMPLES") if offer not in vars(module)]
    if missing:
        raise CatalogueError(f"{name}: lacks {', '.join(missing)}")
    return module


def _arguments(make: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments for an environment's function `make`, from the keys that an instance file gives. Each value
    is read in the type of the argument's default: an integer, a number or a string."""
    defaults = {n: p.default for n, p in inspect.signature(make).parameters.items() if n != "rng"}
    instance_file.refuse_unknown(given, list(defaults), "environment.")
    found: dict[str, Any] = {}
    for key, value in given.items():
        field, default = f"environment.{key}", defaults[key]
        if isinstance(default, str):
            if not isinstance(value, str):
                raise InputError(field, value, "must be a string")
            found[key] = value
        elif isinstance(default, int):
            number = instance_file.exact_number(value, field, "must be a non-negative integer")
            least = 0 if key == "own" else 1  # personal coordinates there may be none of
            if number.denominator != 1 or not least <= number < 2**62:
                raise InputError(field, value, f"must be an integer of at least {least}")
            refuse_larger(key, int(number), field)
            found[key] = int(number)
        else:
            number = instance_file.exact_number(value, field)
            found[key] = type(default)(number)
    _refuse_size({name: found.get(name, default) for name, default in defaults.items()})
    return found


MOST_NUMBERS = 500_000_000  # that a generated world may hold: 4 GB


def _refuse_size(sizes: Mapping[str, Any]) -> None:
    counts = {
        k: v for k, v in sizes.items() if isinstance(v, int) and not isinstance(v, bool) and k != "horizon"
    }
    if not counts:  # a user's own generator, of sizes that are its own affair
        return
    agents = max(1, counts.get("agents", 1))
    cells = math.prod(max(1, count) for count in counts.values())
    if "functions" in counts:  # tables of a class are everybody's; an agent has a law of contexts
        cells = cells // agents + agents * max(1, counts.get("contexts", 1))
    square = counts.get("dimension", 1) ** 2 * counts.get("agents", 1)
    largest = max(counts, key=counts.__getitem__)
    if max(cells, square) > MOST_NUMBERS:
        raise InputError(f"environment.{largest}", counts[largest], "makes a world of over 4 GB")


def _plan(
    table: Mapping[str, Any], horizon: int, agents: Sequence[Mapping[str, Any]]
) -> tuple[EpochPlan, Timing | None]:
    """Return the lengths of all agents' epochs: from the agents' own key `epochs` if given, else from the key
    `schedule`. If agents have clocks, also return the clocks and the global times at which epochs end, else None.
    table: the instance file; agents: its [[agents]] tables."""
    own = [agent.get("epochs") for agent in agents]
    ticking = [m for m, agent in enumerate(agents) if "clock" in agent]
    if any(epochs is not None for epochs in own):
        if ticking:
            raise InputError(f"agents[{ticking[0]}].clock", None, "give clocks or epochs, not both")
        _lengths(table.get("schedule", "doubling"))  # not used here, but nonsense all the same
        return _own_epochs(own, horizon), None
    schedule = table.get("schedule", "doubling")
    if schedule in ("interleaved", "parallel"):
        if ticking:
            raise InputError("schedule", schedule, "is for agents without clocks")
        doubling, stream = doubling_plan(horizon, len(agents)), schedule == "parallel"
        return dataclasses.replace(doubling, lag=2, cumulative=stream), None
    lengths = _lengths(schedule)
    if not ticking:
        return synchronous_plan(iter(lengths), horizon, len(agents)), None
    clocks = tuple(
        clock(f"agents[{m}].clock", agent["clock"]) if "clock" in agent else Periodic()
        for m, agent in enumerate(agents)
    )
    timing = Timing(horizon, ends_until(lengths, horizon), clocks)
    if timing.ends[-1] < horizon:
        raise InputError("horizon", horizon, f"must be at most {timing.ends[-1]}, where the schedule ends")
    return timing.plan(), timing


def _with_data(table: Mapping[str, Any], plan: EpochPlan, kind: Kind) -> EpochPlan:
    if "data" not in table or "data" in kind.keys:  # a kind of that key means the data themselves
        return plan
    chosen = instance_file.choice(table, "data", ("epoch", "cumulative"), "epoch")
    if plan.lag != 1:
        raise InputError("data", chosen, "is for epochs that follow each other; the schedule says the rest")
    return dataclasses.replace(plan, cumulative=chosen == "cumulative")


def _floored(table: Mapping[str, Any], plan: EpochPlan) -> EpochPlan:
    floor = instance_file.positive_integer(table.get("floor", 1), "floor")
    return dataclasses.replace(plan, floor=floor)


def _own_epochs(own: Sequence[Any], horizon: int) -> EpochPlan:
    if any(epochs is None for epochs in own):
        missing = list(own).index(None)
        said = "missing: give epochs for every agent or for none"
        raise InputError(f"agents[{missing}].epochs", None, said)
    lengths = [
        [
            0
            if e in (0, "0") and e is not False
            else instance_file.positive_integer(e, f"agents[{m}].epochs[{i}]")
            for i, e in enumerate(instance_file.array(epochs, f"agents[{m}].epochs", "lengths"))
        ]
        for m, epochs in enumerate(own)
    ]
    for m, epochs in enumerate(lengths):
        if not any(epochs):
            raise InputError(
                f"agents[{m}].epochs", epochs, "has no step: an agent acts in one epoch at least"
            )
    return asynchronous_plan(lengths, horizon)


def _lengths(schedule: Any) -> Sequence[int]:
    if isinstance(schedule, str):
        choose("schedule", schedule, ["doubling", "interleaved", "parallel"])
        return list(islice(doubling_lengths(), 64))  # 2^63 steps: more than any horizon
    if isinstance(schedule, dict):
        instance_file.refuse_unknown(schedule, ["doubling_capped"], "schedule.")
        cap = instance_file.required(schedule, "doubling_capped", "schedule.")
        cap = instance_file.positive_integer(cap, "schedule.doubling_capped")
        return list(islice(capped_lengths(cap), MOST_EPOCHS + 1))
    ends = [
        instance_file.positive_integer(e, f"schedule[{i}]")
        for i, e in enumerate(instance_file.array(schedule, "schedule", "epoch ends"))
    ]
    for i in range(1, len(ends)):
        if ends[i] <= ends[i - 1]:
            raise InputError(f"schedule[{i}]", ends[i], f"epoch ends must increase: more than {ends[i - 1]}")
    return list(lengths_of_ends(ends))
