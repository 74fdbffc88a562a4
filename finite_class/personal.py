"""Let every agent have a true function of its own in one finite class of |F| functions.

Data of other agents say nothing about an agent's own function, so each agent learns from its own samples. The theorems
apply to the class of all ways to give each of M agents a function. It has |F|^M members, and its least loss is attained
if every agent minimises its own loss. So the theorems hold with M ln|F| in place of ln|F|.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.interfaces import Acting, Experience, Model, Parameters, PerAgent, Problem, Steps, World
from finite_class.model import CellCounts, FiniteClass, LossProblem
from finite_class.world import FiniteWorld


@dataclass(frozen=True)
class PersonalTruths(World):
    """A world of M agents with different true functions. worlds: one world with a single agent for each; all have the
    same functions and law of rewards."""

    worlds: tuple[FiniteWorld, ...]
    checked: ClassVar[bool] = True

    @property
    def arms(self) -> tuple[int, ...]:
        return tuple(world.arms[0] for world in self.worlds)

    @property
    def gap_one(self) -> bool:
        return all(world.gap_one for world in self.worlds)

    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        return self.worlds[agent].play(0, act, steps, rng)

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        return [world.largest_losses([steps])[0] for world, steps in zip(self.worlds, played, strict=True)]

    def excess_risk(
        self, act: Callable[[int], Acting], learned: Callable[[int], Any], full: Sequence[int]
    ) -> np.ndarray:
        parts = (
            own * world.excess_risk(lambda _, m=m: act(m), lambda _, m=m: learned(m), [own])  # type: ignore[misc]
            for m, (world, own) in enumerate(zip(self.worlds, full, strict=True))
            if own
        )
        return np.asarray(sum(parts) / sum(full))

    def check_lengths(self, samples: int) -> None:
        for world in self.worlds:
            world.check_lengths(samples)

    def describe(self) -> dict[str, Any]:
        described = [world.describe() for world in self.worlds]
        agents = [own["agents"][0] | {"truth": own["truth"]} for own in described]
        return {key: described[0][key] for key in ("functions", "rewards")} | {"agents": agents}


@dataclass(frozen=True)
class PersonalClass(Model):
    """A finite class of functions as the model, of which every agent learns a function of its own. classes: for each
    agent the class with its own true function."""

    classes: tuple[FiniteClass, ...]
    usual_protocol: ClassVar[str] = "own_minimiser"
    accumulates: ClassVar[bool] = True
    unit_scores: ClassVar[bool] = True

    @property
    def size(self) -> int:
        """Return |F|^M, the number of ways to give each of M agents one of |F| functions."""
        return self.classes[0].size ** len(self.classes)

    def initial(self) -> int:
        return self.classes[0].initial()

    def scores(self, parameters: Parameters, contexts: tuple[int, ...]) -> np.ndarray:
        return self.classes[0].scores(parameters, contexts)

    def offers(self, need: str) -> bool:
        return need == "own losses"

    def words(self, kind: str) -> str:
        return "classes with a truth for each agent"

    def problem(self, datasets: Sequence[CellCounts], epoch: int) -> PersonalLosses:
        pairs = zip(self.classes, datasets, strict=True)
        return PersonalLosses(tuple(own.problem([data], epoch) for own, data in pairs))

    def accumulated(self, before: Any, after: Any) -> Any:
        return self.classes[0].accumulated(before, after)

    def describe(self, parameters: Parameters) -> Any:
        if isinstance(parameters, PerAgent):
            return [self.classes[0].describe(own) for own in parameters]
        return self.classes[0].describe(parameters)


@dataclass(frozen=True)
class PersonalLosses(Problem):
    """The agents' separate learning problems in one call of a protocol, if each agent learns a function of its own."""

    own: tuple[LossProblem, ...]

    @property
    def samples(self) -> int:
        return sum(problem.samples for problem in self.own)

    def distance(self, parameters: Any) -> float:
        """Return the agents' mean loss minus the least possible one. parameters: one function per agent."""
        pairs = zip(self.own, parameters, strict=True)
        away = sum(one.samples * one.distance(found) for one, found in pairs if one.samples)
        return float(away / self.samples)

    gap = distance
