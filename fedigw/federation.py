"""The federation loop: alg:FedIGW_agent for all agents, with any environment and any FL routine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.schedules import EpochPlan
from fedigw.interfaces import Environment, FLRoutine
from fedigw.ledger import Channel, Traffic


@dataclass(frozen=True)
class Run:
    """One run. Per epoch: regret over the played steps, the model in use, what was communicated at its end."""

    regret: tuple[float, ...]
    models: tuple[Any, ...]
    traffic: tuple[Traffic, ...]


def run(
    environment: Environment,
    routine: FLRoutine,
    plan: EpochPlan,
    learning_rates: Sequence[float],
    rng: np.random.Generator,
) -> Run:
    """Play every epoch of `plan`; learning_rates[l] is used in epoch l (0-based; the first is idle: fhat^1 = 0)."""
    model = environment.initial_model()
    regret, models, traffic = [], [], []
    for epoch, (full, played) in enumerate(zip(plan.full, plan.played, strict=True)):
        learns = plan.learns(epoch)
        experiences = [
            environment.play(
                agent,
                model,
                learning_rates[epoch],
                full[agent] if learns else played[agent],
                played[agent],
                rng,
            )
            for agent in range(plan.agents)
        ]
        regret.append(sum(experience.regret for experience in experiences))
        models.append(environment.describe(model))
        if learns:
            channel = Channel(plan.agents, epoch + 1)
            model = routine.fit([experience.data for experience in experiences], channel, rng)
            traffic.append(channel.traffic)
        else:
            traffic.append(Traffic())
    return Run(tuple(regret), tuple(models), tuple(traffic))
