"""Build finite-class federations in Python, and read instance files with kind = "finite_class".

functions = [[["1/2", "0"]], [["1/2", "1"]]]   # |F| x |X| x K, values in [0,1]
truth = 0                                      # index of the true function, or weights of a mixture, ["1/2", "1/2"]
ties = "first"                                 # first | adversarial | uniform
rewards = "bernoulli"                          # bernoulli | deterministic | two_point | FILE.py
[[agents]]
contexts = ["1"]                               # probabilities of the contexts, or a user's law, FILE.py
arms = [0, 1]                                  # all by default
truth = 0                                      # its own true function: then every agent learns its own
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw import instance_file
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol, Model, PerAgent, World
from fedigw.kind import Kind
from fedigw.law import ExactLaw
from fedigw.parts import context_laws, named
from fedigw.rates import rates_of
from fedigw.rewards import Law, law_of
from finite_class.losses import TIES
from finite_class.model import FiniteClass, Functions
from finite_class.personal import PersonalClass, PersonalTruths
from finite_class.protocols.exact_minimiser import ExactMinimiser
from finite_class.protocols.own_minimiser import OwnMinimiser
from finite_class.world import Agent, FiniteWorld

LISTED = ("a list of probabilities",)  # what may stand in place of a law


def finite_federation(
    functions: Functions,
    truth: int | tuple[Fraction, ...] | PerAgent,
    agents: tuple[Agent, ...],
    plan: EpochPlan,
    ties: str = "first",
    learning_rate: Any = "sharpened",
    rewards: Law = "bernoulli",
    protocol: FLProtocol | None = None,
    **parts: Any,
) -> Federation:
    """Return a federation that plays FedIGW with a finite class of functions, by default with the protocol
    exact_minimiser. functions: |F| x |X| x K values. truth: the index of the true function, the weights of a mixture,
    or for different truths `PerAgent`, an index for each agent. parts: further fields of Federation."""
    usual: type[ExactMinimiser] = ExactMinimiser
    world: World
    model: Model
    if isinstance(truth, PerAgent):
        pairs = zip(truth, agents, strict=True)
        worlds = tuple(FiniteWorld(functions, own, (agent,), rewards) for own, agent in pairs)
        world, usual = PersonalTruths(worlds), OwnMinimiser
        model = PersonalClass(tuple(map(_class_of, worlds)))
    else:
        world = (
            FiniteWorld((*functions, _mixed(functions, truth)), len(functions), agents, rewards, truth)
            if isinstance(truth, tuple)
            else FiniteWorld(functions, truth, agents, rewards)
        )
        model = _class_of(world)
    return Federation(
        kind="finite_class",
        world=world,
        model=model,
        plan=plan,
        rates=rates_of(learning_rate, rational=True),
        protocol=protocol or usual(ties),
        **parts,
        rational=True,
    )


def _class_of(world: FiniteWorld) -> FiniteClass:
    truth = None if world.weights else world.truth
    return FiniteClass(world.members, truth, lambda: world.table, world.alike)


def alike(
    functions: Functions,
    plan: EpochPlan,
    truth: int | tuple[Fraction, ...] = 0,
    law: tuple[Fraction, ...] | None = None,
    **parts: Any,
) -> Federation:
    """Return a federation whose agents are all alike: they have all arms and the same distribution of contexts. law:
    the probabilities of contexts, by default uniform. plan: the epoch lengths of each agent. parts: further arguments
    of finite_federation."""
    contexts, arms = len(functions[0]), len(functions[0][0])
    agent = Agent(law or (Fraction(1, contexts),) * contexts, tuple(range(arms)))
    return finite_federation(functions, truth, (agent,) * len(plan.full[0]), plan, **parts)


def changed(federation: Federation, **changes: Any) -> Federation:
    world = FiniteWorld.of(federation)
    fields: dict[str, Any] = {
        "functions": world.members,
        "truth": world.weights or world.truth,
        "agents": world.agents,
        "plan": federation.plan,
        "learning_rate": federation.rates,
        "rewards": world.rewards,
        "protocol": None if "ties" in changes else federation.protocol,
        "policy": federation.policy,
        "link": federation.link,
    }
    return finite_federation(**(fields | changes))


def _exact_law(federation: Federation) -> ExactLaw:
    from finite_class.law import exact_law

    if isinstance(federation.world, PersonalTruths):
        said = "has no joint exact law: every agent is a federation of its own; use simulate"
        raise InputError("agents.truth", "one per agent", said)
    return exact_law(federation, suprema=True)


def _world(table: Mapping[str, Any], agent_tables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    functions = _functions(instance_file.required(table, "functions"))
    truth = _truth(table, agent_tables, len(functions))
    contexts, arms = len(functions[0]), len(functions[0][0])
    agents = tuple(_agent(agent, m, contexts, arms) for m, agent in enumerate(agent_tables))
    idle = set(range(arms)).difference(*(agent.arms for agent in agents))
    if idle:  # f* there is never played or compared with: most likely a slip in a list of arms
        raise InputError(
            "agents.arms", f"no agent has arm {min(idle)}", "every column of functions is somebody's arm"
        )
    return {
        "functions": functions,
        "truth": truth,
        "agents": agents,
        "ties": instance_file.choice(table, "ties", TIES, "first"),
        "rewards": law_of(table.get("rewards", "bernoulli")),
    }


def _truth(
    table: Mapping[str, Any], agents: Sequence[Mapping[str, Any]], size: int
) -> int | tuple[Fraction, ...] | PerAgent:
    if any("truth" in agent for agent in agents):
        own = [
            agent["truth"] if "truth" in agent else instance_file.required(table, "truth") for agent in agents
        ]
        return PerAgent(_index(value, f"agents[{m}].truth", "functions", size) for m, value in enumerate(own))
    given = instance_file.required(table, "truth")
    if isinstance(given, list):
        return instance_file.probabilities(given, "truth", size, "function")
    return _index(given, "truth", "functions", size)


def _functions(value: Any) -> Functions:
    tables = instance_file.array(value, "functions", "|F| tables of |X| rows of K values")
    rows = [instance_file.array(t, f"functions[{f}]", "|X| rows of K values") for f, t in enumerate(tables)]
    shape: tuple[int, int] | None = None
    known: dict[Fraction, Fraction] = {}  # equal values are one object: 8 bytes a cell
    result = []
    for f, table in enumerate(rows):
        parsed = []
        for x, row in enumerate(table):
            where = f"functions[{f}][{x}]"
            cells = instance_file.array(row, where, "K values in [0,1]")
            shape = shape or (len(table), len(cells))
            if (len(table), len(cells)) != shape:
                raise InputError(
                    where,
                    f"{len(table)} x {len(cells)}",
                    f"every table must be {shape[0]} x {shape[1]} (|X| x K)",
                )
            numbers = (_unit(v, f"{where}[{a}]") for a, v in enumerate(cells))
            parsed.append(tuple(known.setdefault(number, number) for number in numbers))
        result.append(tuple(parsed))
    return tuple(result)


def _mixed(functions: Functions, weights: tuple[Fraction, ...]) -> tuple[tuple[Fraction, ...], ...]:
    found = np.tensordot(np.array(weights, dtype=object), np.array(functions, dtype=object), 1)
    return tuple(tuple(row) for row in found)


def _index(value: Any, field: str, of: str, size: int) -> int:
    allowed = f"must be an index of {of}, 0 to {size - 1}"
    index = instance_file.exact_number(value, field, allowed)
    if index.denominator != 1 or not 0 <= index < size:
        raise InputError(field, str(index), allowed)
    return int(index)


def _unit(value: Any, field: str) -> Fraction:
    number = instance_file.exact_number(value, field, "must be a number in [0,1]")
    if not 0 <= number <= 1:
        raise InputError(field, str(number), "must be a number in [0,1]")
    return number


def _agent(table: Mapping[str, Any], m: int, contexts: int, arms: int) -> Agent:
    where = f"agents[{m}]."
    given = instance_file.required(table, "contexts", where)
    if isinstance(given, (str, Mapping)):
        given = [str(p) for p in named(where + "contexts", given, context_laws(), LISTED).chances(contexts)]
    law = instance_file.probabilities(given, where + "contexts", contexts)
    chosen = table.get("arms", list(range(arms)))
    indices = []
    for i, value in enumerate(instance_file.array(chosen, where + "arms", "arm indices")):
        indices.append(_index(value, f"{where}arms[{i}]", "arms", arms))
    if len(set(indices)) != len(indices):
        raise InputError(where + "arms", indices, "arm indices must differ")
    return Agent(law, tuple(sorted(indices)))


KIND = Kind(
    name="finite_class",
    keys=("truth", "functions", "ties", "rewards"),
    agent_keys=("contexts", "arms", "truth"),
    world=_world,
    make=finite_federation,
    usual_protocol="exact_minimiser",
    protocols=("finite_class.protocols", "linear.protocols", "fedigw.protocols"),
    environments="finite_class.environments",
    exact_law=_exact_law,
)
