"""A personalised instance and its environment for the federation loop. What the theory assumes is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds import col_linear_per, linear_communication
from bounds.errors import InputError
from bounds.schedules import EpochPlan, doubling_plan
from fedigw.interfaces import Experience
from linear.contexts.finite import FiniteContexts
from linear.environments.finite_contexts import direction, with_intercept
from linear.instance import check_accuracy, check_contexts, check_parameter, check_plan, learning_rates


@dataclass(frozen=True, eq=False)
class PersonalisedInstance:
    """agents: contexts with features (X, K, d_m) whose first `shared` coordinates speak to omega^a.
    parameters: omega_m (d_m,) of each agent, equal in their first `shared` coordinates. lambda = 1/n."""

    shared: int
    agents: tuple[FiniteContexts, ...]
    parameters: tuple[np.ndarray, ...]
    plan: EpochPlan
    accuracy: float = linear_communication.DEFAULT_ACCURACY
    rewards: str = "bernoulli"
    learning_rate: str | tuple[float, ...] = "sharpened"
    kind: ClassVar[str] = "linear_personalised"
    regularisation: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        check_accuracy(self.accuracy)
        check_plan(self.plan)
        if self.shared < 1:
            raise InputError("shared", self.shared, "must be a positive number of coordinates")
        if len(self.parameters) != len(self.agents):
            raise InputError("parameters", len(self.parameters), f"must be one per agent, {len(self.agents)}")
        for m, (contexts, parameter) in enumerate(zip(self.agents, self.parameters, strict=True)):
            check_parameter(parameter, f"agents[{m}].parameter")
            check_contexts(contexts, parameter, f"agents[{m}].")
            if len(parameter) < self.shared:
                raise InputError(
                    f"parameters[{m}]", len(parameter), f"needs at least {self.shared} coordinates"
                )
            if not np.array_equal(parameter[: self.shared], self.parameters[0][: self.shared]):
                raise InputError(f"parameters[{m}]", "shared block", "must be the same for all agents")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PersonalisedInstance):
            return NotImplemented
        return self.plan == other.plan and self.describe() == other.describe()

    __hash__ = object.__hash__

    @property
    def arms(self) -> tuple[int, ...]:
        return tuple(contexts.arms for contexts in self.agents)

    @property
    def lifted_dimension(self) -> int:
        return self.shared + sum(len(p) - self.shared for p in self.parameters)

    def risks(self, accuracy: float) -> tuple[float, ...]:
        """e_l of the lifted problem: different laws, norm(omega~)^2 <= M."""
        return tuple(
            (1 + accuracy) ** 2
            * col_linear_per.excess_risk(self.lifted_dimension, len(self.agents), sum(row))
            for row in self.plan.full
        )

    def learning_rates(self, accuracy: float) -> tuple[float, ...]:
        """gamma^l of every epoch; gamma^1 = 1 by convention."""
        return learning_rates(self.learning_rate, self.plan, self.arms, self.risks(accuracy))

    def largest_regret(self) -> float:
        return sum(
            steps * contexts.largest_regret_rate(parameter)
            for row in self.plan.played
            for steps, contexts, parameter in zip(row, self.agents, self.parameters, strict=True)
        )

    def describe(self) -> dict[str, Any]:
        """The instance as JSON, in the keys of the instance file."""
        rate = self.learning_rate
        return {
            "kind": self.kind,
            "horizon": max(sum(row[m] for row in self.plan.played) for m in range(len(self.agents))),
            "shared_parameter": self.parameters[0][: self.shared].tolist(),
            "learning_rate": rate if isinstance(rate, str) else list(rate),
            "rewards": self.rewards,
            "accuracy": self.accuracy,
            "agents": [
                contexts.describe()
                | {
                    "parameter": self.parameters[m][self.shared :].tolist(),
                    "epochs": [row[m] for row in self.plan.full],
                }
                for m, contexts in enumerate(self.agents)
            ],
        }


def make(
    rng: np.random.Generator,
    shared: int = 2,
    own: int = 1,
    contexts: int = 4,
    arms: int = 2,
    agents: int = 4,
    horizon: int = 1024,
) -> PersonalisedInstance:
    """Features (1, u)/sqrt2, u on the sphere and opposite for neighbouring arms, so that arms differ; parameters of
    norm 1 with one shared block and random personal blocks."""
    share = 1.0 if own == 0 else 0.5
    members = []
    for _ in range(agents):
        u = direction(rng, shared + own - 1, (contexts, arms))
        u[:, 1::2] = -u[:, 0 : arms - 1 : 2]
        members.append(FiniteContexts(with_intercept(u), np.full(contexts, 1 / contexts)))
    common = direction(rng, shared - 1) * np.sqrt(share)
    parameters = tuple(
        np.concatenate([[1.0], common, direction(rng, own) * np.sqrt(1 - share)]) / np.sqrt(2)
        for _ in range(agents)
    )
    return PersonalisedInstance(shared, tuple(members), parameters, doubling_plan(horizon, agents))


class PersonalisedEnvironment:
    """Models are tuples of estimates, one (d_m,) per agent."""

    def __init__(self, instance: PersonalisedInstance) -> None:
        self.instance = instance

    @property
    def arms(self) -> tuple[int, ...]:
        return self.instance.arms

    def initial_model(self) -> tuple[np.ndarray, ...]:
        return tuple(np.zeros(len(p)) for p in self.instance.parameters)

    def describe(self, model: tuple[np.ndarray, ...]) -> Any:
        return [part.tolist() for part in model]

    def play(
        self,
        agent: int,
        model: tuple[np.ndarray, ...],
        learning_rate: float,
        full: int,
        played: int,
        rng: np.random.Generator,
    ) -> Experience:
        i = self.instance
        return i.agents[agent].play(
            model[agent], learning_rate, full, played, i.parameters[agent], i.rewards, rng
        )
