"""Make federations with partly shared parameters in Python, or from instance files with kind = "linear_personalised".

shared_parameter = ["1/2", "1/4"]              # the shared part of the true parameters
[[agents]]
parameter = ["1/2"]                            # the agent's own part; left out: none
features = [[["1/2", "1/2", "0"], ["1", "0", "0"]]]   # |X| x K x (shared + own coordinates)
contexts = ["1"]                               # probabilities of the contexts, by default uniform
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bounds.linear_communication import DEFAULT_TOLERANCE
from bounds.schedules import EpochPlan
from fedigw import instance_file
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol
from fedigw.kind import Kind
from fedigw.rates import rates_of
from fedigw.rewards import Law, law_of
from linear.contexts.finite import FiniteContexts
from linear.federations import check_plan, finite_contexts, numbers, positive_number
from linear.personalised.model import PersonalisedRidge
from linear.personalised.protocols.cg import SchurConjugateGradient
from linear.personalised.world import PersonalisedWorld
from linear.world import check_parameter


def personalised_federation(
    shared: int,
    agents: tuple[FiniteContexts, ...],
    parameters: tuple[np.ndarray, ...],
    plan: EpochPlan,
    accuracy: float = DEFAULT_TOLERANCE,
    rewards: Law = "bernoulli",
    learning_rate: Any = "sharpened",
    protocol: FLProtocol | None = None,
    **parts: Any,
) -> Federation:
    """Return a federation that plays FedIGW with partly shared parameters, by default with ridge regression by
    conjugate gradient. shared: number of shared coordinates, which come first. agents, parameters: the contexts and the
    true parameter (d_m,) of each agent m. parts: other fields of Federation, such as policy and link."""
    check_plan(plan)
    common = parameters[0][:shared] if parameters and shared >= 1 else np.zeros(0)
    world = PersonalisedWorld(agents, common, rewards, parameters)
    return Federation(
        kind="linear_personalised",
        world=world,
        model=PersonalisedRidge(world.shared, tuple(len(p) for p in parameters), accuracy),
        plan=plan,
        rates=rates_of(learning_rate, rational=False),
        protocol=protocol or SchurConjugateGradient(),
        **parts,
    )


def _world(table: Mapping[str, Any], agent_tables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    shared = numbers(instance_file.required(table, "shared_parameter"), "shared_parameter", 1)
    check_parameter(shared, "shared_parameter")
    parameters, agents = [], []
    for m, agent in enumerate(agent_tables):
        own = agent.get("parameter", [])
        # an agent may have nothing of its own, so here an empty list is right
        personal = np.zeros(0) if own == [] else numbers(own, f"agents[{m}].parameter", 1)
        parameters.append(np.concatenate([shared, personal]))
        agents.append(
            finite_contexts(agent, m, table.get("features"), len(agent_tables), len(parameters[-1]))
        )
    return {
        "shared": len(shared),
        "agents": tuple(agents),
        "parameters": tuple(parameters),
        "accuracy": positive_number(table, "accuracy", DEFAULT_TOLERANCE, "must be a positive number"),
        "rewards": law_of(table.get("rewards", "bernoulli")),
    }


KIND = Kind(
    name="linear_personalised",
    keys=("shared_parameter", "features", "rewards", "accuracy"),
    agent_keys=("parameter", "contexts", "features"),
    world=_world,
    make=personalised_federation,
    usual_protocol="cg",
    protocols=("linear.personalised.protocols", "fedigw.protocols"),
    environments="linear.personalised.environments",
)
