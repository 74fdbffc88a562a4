"""Federations over a finite class, from Python: the fields of an instance file as arguments."""

from __future__ import annotations

from typing import Any

from bounds.schedules import EpochPlan
from fedigw.channel import Link
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol, Policy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.rates import rates_of
from finite_class.model import FiniteClass, Functions
from finite_class.protocols.exact_minimiser import ExactMinimiser
from finite_class.world import Agent, FiniteWorld

KIND = "finite_class"


def finite_federation(
    functions: Functions,
    truth: int,
    agents: tuple[Agent, ...],
    plan: EpochPlan,
    ties: str = "first",
    learning_rate: Any = "sharpened",
    rewards: str = "bernoulli",
    protocol: FLProtocol | None = None,
    policy: Policy | None = None,
    link: Link | None = None,
) -> Federation:
    """FedIGW with the exact minimiser unless told otherwise."""
    world = FiniteWorld(functions, truth, agents, rewards)
    return Federation(
        kind=KIND,
        world=world,
        model=FiniteClass(functions, truth, lambda: world.table),
        plan=plan,
        rates=rates_of(learning_rate, rational=True),
        protocol=protocol or ExactMinimiser(ties),
        policy=policy or InverseGapWeighting(),
        link=link or Link(),
        rational=True,
    )


def changed(federation: Federation, **changes: Any) -> Federation:
    """The federation with some of finite_federation's arguments changed."""
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
