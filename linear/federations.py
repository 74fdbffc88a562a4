"""Federations with linear rewards, from Python: the fields of an instance file as arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.errors import InputError
from bounds.linear_communication import DEFAULT_TOLERANCE
from bounds.schedules import EpochPlan
from fedigw.channel import Link
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol, Policy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.rates import rates_of
from linear.model import Ridge
from linear.protocols.direct import Direct
from linear.world import Contexts, LinearWorld

KIND = "linear"


def linear_federation(
    agents: tuple[Contexts, ...],
    parameter: np.ndarray,
    plan: EpochPlan,
    learning_rate: Any = "sharpened",
    rewards: str = "bernoulli",
    regularisation: float = 1.0,
    accuracy: float = DEFAULT_TOLERANCE,
    protocol: FLProtocol | None = None,
    policy: Policy | None = None,
    link: Link | None = None,
) -> Federation:
    """FedIGW with ridge regression by the direct method unless told otherwise."""
    check_plan(plan)
    world = LinearWorld(agents, parameter, rewards)
    return Federation(
        kind=KIND,
        world=world,
        model=Ridge(world.dimension, regularisation, accuracy, world.heterogeneous, unit_box=world.unit_box),
        plan=plan,
        rates=rates_of(learning_rate, rational=False),
        protocol=protocol or Direct(),
        policy=policy or InverseGapWeighting(),
        link=link or Link(),
    )


def changed(federation: Federation, **changes: Any) -> Federation:
    """The federation with some of linear_federation's arguments changed."""
    world, model = LinearWorld.of(federation), Ridge.of(federation)
    fields: dict[str, Any] = {
        "agents": world.agents,
        "parameter": world.parameter,
        "plan": federation.plan,
        "learning_rate": federation.rates,
        "rewards": world.rewards,
        "regularisation": model.regularisation,
        "accuracy": model.tolerance,
        "protocol": federation.protocol,
        "policy": federation.policy,
        "link": federation.link,
    }
    return linear_federation(**(fields | changes))


def check_plan(plan: EpochPlan) -> None:
    """Counts are 64-bit integers."""
    longest = max(sum(row) for row in plan.full)
    if longest >= 2**62:
        raise InputError("horizon", f"an epoch of {longest} steps", "must be less than 2^62 over all agents")
