"""A simulated environment whose agents share a part of their true parameter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.rewards import described
from linear.contexts.finite import FiniteContexts
from linear.personalised.lifted import places
from linear.world import ROUNDING, LinearWorld, check_contexts, check_parameter


@dataclass(frozen=True, eq=False)
class PersonalisedWorld(LinearWorld):
    """A linear environment with partly shared true parameters.

    agents       contexts with features (X, K, d_m) for agent m, shared coordinates first
    parameters   (d_m,) of each agent, equal in the shared coordinates
    parameter    the shared coordinates
    """

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

    def with_one_parameter(self) -> LinearWorld:
        """Return the same environment with one parameter, which holds the shared and all agents' personal coordinates.
        An agent's features are 0 in the coordinates of others. Raise InputError if the parameter has a norm above 1."""
        parameter = np.zeros(self.shared + sum(len(own) - self.shared for own in self.parameters))
        where = places([len(own) for own in self.parameters], self.shared)
        for place, own in zip(where, self.parameters, strict=True):
            parameter[place] = own
        norm = float(np.linalg.norm(parameter))
        if norm > 1 + ROUNDING:
            said = "must be at most 1 for an algorithm that learns the shared and all personal coordinates as one"
            raise InputError("parameter", f"norm {norm:.6g}", said)
        pairs = zip(self._finite, where, strict=True)
        agents = tuple(placed(contexts, place, len(parameter)) for contexts, place in pairs)
        return LinearWorld(agents, parameter, self.rewards)

    def in_coordinates(self, one_parameter: bool) -> LinearWorld:
        """Return the same environment with features in other coordinates. With `one_parameter` all agents then share
        one parameter, else all agents have equally many coordinates; those that an agent lacks are 0."""
        if one_parameter:
            return self.with_one_parameter()
        most, _ = self.widths
        agents = tuple(placed(contexts, np.arange(contexts.dimension), most) for contexts in self._finite)
        parameters = tuple(np.pad(own, (0, most - len(own))) for own in self.parameters)
        return PersonalisedWorld(agents, self.parameter, self.rewards, parameters)

    @property
    def _finite(self) -> list[FiniteContexts]:
        return [contexts for contexts, _ in self.groups()]

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
            "rewards": described(self.rewards),
            "agents": [
                contexts.describe() | {"parameter": self.parameters[m][self.shared :].tolist()}
                for m, contexts in enumerate(self.agents)
            ],
        }


def placed(contexts: FiniteContexts, place: np.ndarray, dimension: int) -> FiniteContexts:
    """Return the contexts with features in `dimension` coordinates, which are 0 outside the indices `place` (d_m,)."""
    features = np.zeros((*contexts.features.shape[:2], dimension))
    features[..., place] = contexts.features
    return FiniteContexts(features, contexts.law)
