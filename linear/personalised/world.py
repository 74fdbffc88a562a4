"""Define a world whose agents share part of their parameter: omega_m = [omega^a, omega^b_m]."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from linear.contexts.finite import FiniteContexts
from linear.world import LinearWorld, check_contexts, check_parameter


@dataclass(frozen=True, eq=False)
class PersonalisedWorld(LinearWorld):
    """A world with partially shared parameters. agents: contexts with features (X, K, d_m), whose first `shared`
    coordinates belong to omega^a. parameters: omega_m (d_m,) of each agent, equal in these coordinates. parameter:
    omega^a, the common block."""

    parameters: tuple[np.ndarray, ...] = ()
    checked: ClassVar[bool] = True

    @property
    def pools(self) -> bool:
        return False

    @property
    def alike(self) -> bool:
        return False

    def __post_init__(self) -> None:
        shared = len(self.parameter)
        if shared < 1:
            raise InputError("shared", shared, "must be a positive number of coordinates")
        if len(self.parameters) != len(self.agents):
            raise InputError("parameters", len(self.parameters), f"must be one per agent, {len(self.agents)}")
        for m, (contexts, parameter) in enumerate(zip(self.agents, self.parameters, strict=True)):
            check_parameter(parameter, f"agents[{m}].parameter")
            check_contexts(contexts, parameter, f"agents[{m}].")
            if len(parameter) < shared:
                raise InputError(f"parameters[{m}]", len(parameter), f"needs at least {shared} coordinates")
            if not np.array_equal(parameter[:shared], self.parameters[0][:shared]):
                raise InputError(f"parameters[{m}]", "shared block", "must be the same for all agents")

    @property
    def shared(self) -> int:
        return len(self.parameter)

    @property
    def widths(self) -> tuple[int, int]:
        return max(len(parameter) for parameter in self.parameters), self.shared

    def groups(self) -> list[tuple[FiniteContexts, list[int]]]:
        return [
            (contexts, [m]) for m, contexts in enumerate(self.agents) if isinstance(contexts, FiniteContexts)
        ]

    def truth(self, agent: int) -> np.ndarray:
        return self.parameters[agent]

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        return [
            steps * contexts.largest_regret_rate(parameter)
            for steps, contexts, parameter in zip(played, self.agents, self.parameters, strict=True)
        ]

    def describe(self) -> dict[str, Any]:
        return {
            "shared_parameter": self.parameter.tolist(),
            "rewards": self.rewards,
            "agents": [
                contexts.describe() | {"parameter": self.parameters[m][self.shared :].tolist()}
                for m, contexts in enumerate(self.agents)
            ],
        }
