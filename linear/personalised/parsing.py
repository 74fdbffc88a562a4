"""Personalised linear instances from parsed TOML tables; InputError names the first wrong field.

kind = "linear_personalised"
horizon = 1024
shared_parameter = ["1/2", "1/4"]              # omega^a
[[agents]]
parameter = ["1/2"]                            # omega^b_m; left out: nothing of its own
features = [[["1/2", "1/2", "0"], ["1", "0", "0"]]]   # |X| x K x (d^a + d^b_m), shared coordinates first
contexts = ["1"]                               # probabilities over X, optional, uniform by default
epochs = [2, 2, 4]                             # optional; otherwise `schedule`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.linear_communication import DEFAULT_ACCURACY
from fedigw import instance_file
from linear import parsing
from linear.instance import REWARDS, check_parameter
from linear.personalised.instance import PersonalisedInstance

KEYS = (
    "kind",
    "horizon",
    "schedule",
    "shared_parameter",
    "features",
    "learning_rate",
    "rewards",
    "accuracy",
    "agents",
)
AGENT_KEYS = ("parameter", "contexts", "features", "epochs")


def parse(table: Mapping[str, Any]) -> PersonalisedInstance:
    instance_file.refuse_unknown(table, KEYS)
    horizon = instance_file.positive_integer(instance_file.required(table, "horizon"), "horizon")
    shared = parsing.numbers(instance_file.required(table, "shared_parameter"), "shared_parameter", 1)
    check_parameter(shared, "shared_parameter")
    tables = instance_file.array(instance_file.required(table, "agents"), "agents", "one table per agent")
    parameters, agents = [], []
    for m, agent in enumerate(tables):
        if not isinstance(agent, dict):
            raise InputError(f"agents[{m}]", agent, "must be a table")
        instance_file.refuse_unknown(agent, AGENT_KEYS, f"agents[{m}].")
        own = agent.get("parameter", [])
        # an agent may have nothing of its own, so here an empty list is right
        personal = np.zeros(0) if own == [] else parsing.numbers(own, f"agents[{m}].parameter", 1)
        parameters.append(np.concatenate([shared, personal]))
        agents.append(
            parsing.finite_contexts(agent, m, table.get("features"), len(tables), len(parameters[-1]))
        )
    return PersonalisedInstance(
        shared=len(shared),
        agents=tuple(agents),
        parameters=tuple(parameters),
        plan=instance_file.plan(table, horizon, tables),
        accuracy=parsing.positive_number(table, "accuracy", DEFAULT_ACCURACY, "must be a positive number"),
        rewards=parsing.choice(table, "rewards", REWARDS, "bernoulli"),
        learning_rate=parsing.learning_rates(table.get("learning_rate", "sharpened")),
    )
