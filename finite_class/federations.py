"""Build finite-class federations in Python, and read instance files with kind = "finite_class".

functions = [[["1/2", "0"]], [["1/2", "1"]]]   # |F| x |X| x K, values in [0,1]
truth = 0                                      # which of them is f*
ties = "first"                                 # first | adversarial | uniform
rewards = "bernoulli"                          # bernoulli | deterministic | two_point
[[agents]]
contexts = ["1"]                               # probabilities over X
arms = [0, 1]                                  # all by default
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw import instance_file
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol
from fedigw.kind import Kind
from fedigw.law import ExactLaw
from fedigw.rates import rates_of
from fedigw.rewards import LAWS
from finite_class.losses import TIES
from finite_class.model import FiniteClass, Functions
from finite_class.protocols.exact_minimiser import ExactMinimiser
from finite_class.world import Agent, FiniteWorld


def finite_federation(
    functions: Functions,
    truth: int,
    agents: tuple[Agent, ...],
    plan: EpochPlan,
    ties: str = "first",
    learning_rate: Any = "sharpened",
    rewards: str = "bernoulli",
    protocol: FLProtocol | None = None,
    **parts: Any,
) -> Federation:
    """Return a federation that plays FedIGW, by default with the exact minimiser. functions: |F| x |X| x K values; f*
    is number `truth`. parts: further fields of Federation."""
    world = FiniteWorld(functions, truth, agents, rewards)
    return Federation(
        kind="finite_class",
        world=world,
        model=FiniteClass(functions, truth, lambda: world.table),
        plan=plan,
        rates=rates_of(learning_rate, rational=True),
        protocol=protocol or ExactMinimiser(ties),
        **parts,
        rational=True,
    )


def alike(
    functions: Functions,
    plan: EpochPlan,
    truth: int = 0,
    law: tuple[Fraction, ...] | None = None,
    **parts: Any,
) -> Federation:
    """Return a federation whose agents are all alike: they have all arms and draw contexts from `law`, by default
    uniform. There are as many agents as in the plan. parts: further arguments of finite_federation."""
    contexts, arms = len(functions[0]), len(functions[0][0])
    agent = Agent(law or (Fraction(1, contexts),) * contexts, tuple(range(arms)))
    return finite_federation(functions, truth, (agent,) * len(plan.full[0]), plan, **parts)


def changed(federation: Federation, **changes: Any) -> Federation:
    world = FiniteWorld.of(federation)
    fields: dict[str, Any] = {
        "functions": world.functions,
        "truth": world.truth,
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

    return exact_law(federation, suprema=True)


def _world(table: Mapping[str, Any], agent_tables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    functions = _functions(instance_file.required(table, "functions"))
    truth = instance_file.exact_number(instance_file.required(table, "truth"), "truth", "must be an index")
    if truth.denominator != 1 or not 0 <= truth < len(functions):
        raise InputError("truth", str(truth), f"must be an index of functions, 0 to {len(functions) - 1}")
    contexts, arms = len(functions[0]), len(functions[0][0])
    agents = tuple(_agent(agent, m, contexts, arms) for m, agent in enumerate(agent_tables))
    idle = set(range(arms)).difference(*(agent.arms for agent in agents))
    if idle:  # f* there is never played or compared with: most likely a slip in a list of arms
        raise InputError(
            "agents.arms", f"no agent has arm {min(idle)}", "every column of functions is somebody's arm"
        )
    return {
        "functions": functions,
        "truth": int(truth),
        "agents": agents,
        "ties": instance_file.choice(table, "ties", TIES, "first"),
        "rewards": instance_file.choice(table, "rewards", LAWS, "bernoulli"),
    }


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


def _unit(value: Any, field: str) -> Fraction:
    number = instance_file.exact_number(value, field, "must be a number in [0,1]")
    if not 0 <= number <= 1:
        raise InputError(field, str(number), "must be a number in [0,1]")
    return number


def _agent(table: Mapping[str, Any], m: int, contexts: int, arms: int) -> Agent:
    where = f"agents[{m}]."
    law = instance_file.probabilities(
        instance_file.required(table, "contexts", where), where + "contexts", contexts
    )
    chosen = table.get("arms", list(range(arms)))
    indices = []
    for i, value in enumerate(instance_file.array(chosen, where + "arms", "arm indices")):
        index = instance_file.exact_number(value, f"{where}arms[{i}]", "must be an arm index")
        if index.denominator != 1 or not 0 <= index < arms:
            raise InputError(f"{where}arms[{i}]", str(index), f"must be an arm index, 0 to {arms - 1}")
        indices.append(int(index))
    if len(set(indices)) != len(indices):
        raise InputError(where + "arms", indices, "arm indices must differ")
    return Agent(law, tuple(sorted(indices)))


KIND = Kind(
    name="finite_class",
    keys=("truth", "functions", "ties", "rewards"),
    agent_keys=("contexts", "arms"),
    world=_world,
    make=finite_federation,
    usual_protocol="exact_minimiser",
    protocols=("finite_class.protocols",),
    environments="finite_class.environments",
    exact_law=_exact_law,
)
