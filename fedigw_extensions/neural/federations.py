"""Federations on multi-label data, from Python: the fields of an instance file as arguments."""

from __future__ import annotations

from typing import Any

from bounds.errors import InputError
from bounds.schedules import EpochPlan
from fedigw.channel import Link
from fedigw.federation import Federation
from fedigw.interfaces import FLProtocol, Policy
from fedigw.policies.igw import InverseGapWeighting
from fedigw.protocols.fedavg import FedAvg
from fedigw.rates import rates_of
from fedigw_extensions.neural.datasets.multilabel import MultiLabel
from fedigw_extensions.neural.model import NeuralModel
from fedigw_extensions.neural.world import MultiLabelWorld

KIND = "neural"
LONGEST = 10**8  # steps of an epoch: every one of them is drawn and kept


def neural_federation(
    data: MultiLabel,
    agents: int,
    plan: EpochPlan,
    learning_rate: Any = 7000,
    model: str = "perceptron",
    width: int = 256,
    precision: str = "single",
    engine: str = "numpy",
    protocol: FLProtocol | None = None,
    policy: Policy | None = None,
    link: Link | None = None,
) -> Federation:
    """FedIGW by FedAvg with full local gradients unless told otherwise."""
    longest = max(sum(row) for row in plan.full)
    if longest > LONGEST:
        raise InputError(
            "horizon", f"an epoch of {longest} steps", f"must be at most {LONGEST} over all agents"
        )
    return Federation(
        kind=KIND,
        world=MultiLabelWorld(data, agents),
        model=NeuralModel(data.dimension, data.arms, model, width, precision, engine),
        plan=plan,
        rates=rates_of(learning_rate, rational=False),
        protocol=protocol or FedAvg(),
        policy=policy or InverseGapWeighting(),
        link=link or Link(),
    )
