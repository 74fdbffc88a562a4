"""Linear instances from parsed TOML tables; InputError names the first wrong field.

kind = "linear"
horizon = 1024
parameter = ["1/2", "1/2"]                     # omega*
features = [[["1", "0"], ["0", "1"]]]          # |X| x K x d for all agents, or M x |X| x K x d, or per agent
[[agents]]
contexts = ["1"]                               # probabilities over X, or "sphere" (then give arms = K)
epochs = [2, 2, 4]                             # optional; otherwise `schedule`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.errors import InputError, choose
from bounds.linear_communication import DEFAULT_ACCURACY
from fedigw import instance_file
from linear.contexts.finite import FiniteContexts
from linear.contexts.sphere import ENGINES, SphereContexts
from linear.instance import LEARNING_RATES, REWARDS, ROUNDING, Contexts, LinearInstance, check_parameter

KEYS = (
    "kind",
    "horizon",
    "schedule",
    "parameter",
    "features",
    "learning_rate",
    "rewards",
    "regularisation",
    "accuracy",
    "engine",
    "agents",
)
AGENT_KEYS = ("contexts", "features", "arms", "epochs")


def parse(table: Mapping[str, Any]) -> LinearInstance:
    instance_file.refuse_unknown(table, KEYS)
    horizon = instance_file.positive_integer(instance_file.required(table, "horizon"), "horizon")
    parameter = numbers(instance_file.required(table, "parameter"), "parameter", 1)
    check_parameter(parameter)
    tables = instance_file.array(instance_file.required(table, "agents"), "agents", "one table per agent")
    engine = choice(table, "engine", ENGINES, "plane")
    made: dict[str, Contexts] = {}
    agents = []
    for m, agent in enumerate(tables):
        contexts = _contexts(agent, m, table.get("features"), len(tables), len(parameter), engine)
        agents.append(made.setdefault(repr(contexts.describe()), contexts))  # equal agents share one object
    return LinearInstance(
        agents=tuple(agents),
        parameter=parameter,
        plan=instance_file.plan(table, horizon, tables),
        learning_rate=learning_rates(table.get("learning_rate", "sharpened")),
        rewards=choice(table, "rewards", REWARDS, "bernoulli"),
        regularisation=positive_number(table, "regularisation", 1.0, "lambda must be positive"),
        accuracy=positive_number(table, "accuracy", DEFAULT_ACCURACY, "must be a positive number"),
    )


def _contexts(agent: Any, m: int, shared: Any, agents: int, dimension: int, engine: str) -> Contexts:
    where = f"agents[{m}]."
    if not isinstance(agent, dict):
        raise InputError(f"agents[{m}]", agent, "must be a table")
    instance_file.refuse_unknown(agent, AGENT_KEYS, where)
    law = agent.get("contexts")
    if isinstance(law, str):
        choose(where + "contexts", law, ("sphere",))
        arms = instance_file.positive_integer(instance_file.required(agent, "arms", where), where + "arms")
        return SphereContexts(arms, dimension, engine)
    return finite_contexts(agent, m, shared, agents, dimension)


def finite_contexts(
    agent: Mapping[str, Any], m: int, shared: Any, agents: int, dimension: int
) -> FiniteContexts:
    """Agent m's features and probabilities; `shared` is the `features` of the whole file, if given."""
    where, law = f"agents[{m}].", agent.get("contexts")
    if "features" in agent:
        features = numbers(agent["features"], where + "features", 3)
    elif shared is not None:
        own, name = (
            (shared[m], f"features[{m}]") if _depth(shared) == 4 and m < len(shared) else (shared, "features")
        )
        if _depth(shared) == 4 and len(shared) != agents:
            raise InputError("features", f"{len(shared)} tables", f"must have one per agent, {agents}")
        features = numbers(own, name, 3)
    else:
        raise InputError(where + "features", "missing", "give features for the agent or for all")
    if features.shape[2] != dimension:
        raise InputError(
            where + "features", f"dimension {features.shape[2]}", f"must be the parameter's, {dimension}"
        )
    size = len(features)
    if law is None:
        return FiniteContexts(features, np.full(size, 1 / size))
    return FiniteContexts(features, probabilities(law, where + "contexts", size))


def probabilities(value: Any, field: str, size: int) -> np.ndarray:
    """Probabilities of the contexts; everything here is in floats, so their sum may be off by rounding."""
    law = numbers(value, field, 1)
    if len(law) != size:
        raise InputError(field, f"{len(law)} numbers", f"must have one probability per context, {size}")
    for i, p in enumerate(law):
        if not 0 <= p <= 1:
            raise InputError(f"{field}[{i}]", float(p), "must be a probability between 0 and 1")
    if abs(law.sum() - 1) > ROUNDING:
        raise InputError(field, f"sum {law.sum():.10g}", "probabilities must sum to 1")
    return law


def _depth(value: Any) -> int:
    return 1 + _depth(value[0]) if isinstance(value, list) and value else 0


def numbers(value: Any, field: str, depth: int) -> np.ndarray:
    """A rectangular array of finite numbers, `depth` lists deep."""
    if depth == 0:
        return np.asarray(float(instance_file.exact_number(value, field, "must be a finite number")))
    rows = instance_file.array(value, field, f"numbers, {depth} lists deep")
    parts = [numbers(row, f"{field}[{i}]", depth - 1) for i, row in enumerate(rows)]
    for i, part in enumerate(parts):
        if part.shape != parts[0].shape:
            raise InputError(
                f"{field}[{i}]", f"shape {part.shape}", f"must be {parts[0].shape}, as the first"
            )
    return np.stack(parts)


def positive_number(table: Mapping[str, Any], key: str, default: float, allowed: str) -> float:
    value = float(instance_file.exact_number(table.get(key, default), key, allowed))
    if value <= 0:
        raise InputError(key, value, allowed)
    return value


def choice(table: Mapping[str, Any], key: str, known: tuple[str, ...], default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InputError(key, value, "must be one of " + ", ".join(known))
    return choose(key, value, known)


def learning_rates(value: Any) -> str | tuple[float, ...]:
    if isinstance(value, str):
        return choose("learning_rate", value, LEARNING_RATES)
    rates = []
    for i, item in enumerate(instance_file.array(value, "learning_rate", "gamma^2, gamma^3, ...")):
        rate = float(instance_file.exact_number(item, f"learning_rate[{i}]", "must be a non-negative number"))
        if rate < 0:
            raise InputError(f"learning_rate[{i}]", rate, "must be a non-negative number")
        rates.append(rate)
    return tuple(rates)
