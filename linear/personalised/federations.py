"""Federations with partially shared parameters, from Python: the fields of an instance file as arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.linear_communication import DEFAULT_TOLERANCE
from bounds.schedules import EpochPlan
from fedigw.channel import Link
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol, Policy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.rates import rates_of
from linear.contexts.finite import FiniteContexts
from linear.federations import check_plan
from linear.personalised.model import PersonalisedRidge
from linear.personalised.protocols.cg import SchurConjugateGradient
from linear.personalised.world import personalised_world

KIND = "linear_personalised"


def personalised_federation(
    shared: int,
    agents: tuple[FiniteContexts, ...],
    parameters: tuple[np.ndarray, ...],
    plan: EpochPlan,
    accuracy: float = DEFAULT_TOLERANCE,
    rewards: str = "bernoulli",
    learning_rate: Any = "sharpened",
    protocol: FLProtocol | None = None,
    policy: Policy | None = None,
    link: Link | None = None,
) -> Federation:
    """FedIGW with conjugate gradient on the shared block unless told otherwise."""
    check_plan(plan)
    world = personalised_world(shared, agents, parameters, rewards)
    return Federation(
        kind=KIND,
        world=world,
        model=PersonalisedRidge(world.shared, tuple(len(p) for p in parameters), accuracy),
        plan=plan,
        rates=rates_of(learning_rate, rational=False),
        protocol=protocol or SchurConjugateGradient(),
        policy=policy or InverseGapWeighting(),
        link=link or Link(),
    )
