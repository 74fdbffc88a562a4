"""A finite-class world: contexts, arms, rewards and true mean rewards, in exact rationals.

The data of an epoch are only how often each context and arm occurred, which is multinomial, and the sums of rewards. So
simulating an epoch costs as many operations as there are pairs of context and arm, however long it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw import rewards as reward_laws
from fedigw.game import Table
from fedigw.interfaces import Acting, Experience, Steps, World
from fedigw.rewards import Law, described
from finite_class.losses import LossTable, loss_table
from finite_class.model import CellCounts, FiniteClass, Functions
from finite_class.tables import Tables, tables

MOST_AT_ONCE = 1_000_000  # numbers drawn for one chunk of agents: 8 MB


@dataclass(frozen=True)
class Agent:
    """One agent of a finite-class world. contexts: the probability of each context. arms: the indices of its arms."""

    contexts: tuple[Fraction, ...]
    arms: tuple[int, ...]


@dataclass(frozen=True)
class Alike:
    """Groups of agents that have the same arms and the same distribution of contexts. first: one agent of each group.
    index: (M,), the group of each agent."""

    first: tuple[int, ...]
    index: np.ndarray

    def of_arms(self, arrays: Tables, own: tuple[int, ...]) -> list[int]:
        return [group for group, agent in enumerate(self.first) if arrays.arms[agent] == own]

    def laws(self, arrays: Tables, groups: Sequence[int]) -> np.ndarray:
        return np.asarray(arrays.laws[[self.first[group] for group in groups]])


def visits_of(laws: np.ndarray, steps: np.ndarray, replications: int, rng: np.random.Generator) -> np.ndarray:
    chunk = max(1, MOST_AT_ONCE // (replications * laws.shape[1]))
    total = np.zeros((replications, laws.shape[1]), dtype=np.int64)
    for start in range(0, len(steps), chunk):
        part = slice(start, start + chunk)
        shape = (len(steps[part]), replications)
        total += rng.multinomial(steps[part, None], laws[part, None, :], size=shape).sum(axis=0)
    return total


@dataclass(frozen=True)
class FiniteWorld(World):
    """A simulated environment whose true mean rewards are one of finitely many given functions.

    functions   |F| x |X| x K values
    truth       index of the true function
    rewards     law of rewards
    weights     if the true function is a mixture of the others, its weights; this mixture is then the last of
                `functions`, and not one of the class
    """

    functions: Functions
    truth: int
    agents: tuple[Agent, ...]
    rewards: Law = "bernoulli"
    weights: tuple[Fraction, ...] = ()
    pools: ClassVar[bool] = True
    checked: ClassVar[bool] = True

    @property
    def alike(self) -> bool:
        first = self.agents[0]
        return all(a.arms == first.arms and a.contexts == first.contexts for a in self.agents[1:])

    @property
    def arms(self) -> tuple[int, ...]:
        return tuple(len(agent.arms) for agent in self.agents)

    @property
    def gap_one(self) -> bool:
        return all(
            sorted(row[arm] for arm in agent.arms) == [0] * (len(agent.arms) - 1) + [1]
            for agent in self.agents
            for row in self.functions[self.truth]
        )

    @property
    def members(self) -> Functions:
        """Return the functions of the class: all but a mixture of the others, if that is the true function."""
        return self.functions[: len(self.weights)] if self.weights else self.functions

    @property
    def contexts(self) -> int:
        return len(self.functions[0])

    @property
    def cells(self) -> int:
        return self.contexts * len(self.functions[0][0]) + len(self.functions)

    @cached_property
    def table(self) -> LossTable:
        return loss_table(self.functions, self.truth, self.rewards)

    @cached_property
    def tables(self) -> Tables:
        return tables(self, exact=False)

    @cached_property
    def _alike(self) -> Alike:
        arrays = self.tables
        known: dict[tuple[Any, ...], int] = {}
        index = [
            known.setdefault((own, law.tobytes()), len(known))
            for own, law in zip(arrays.arms, arrays.laws, strict=True)
        ]
        groups = np.array(index)
        return Alike(tuple(int(m) for m in np.unique(groups, return_index=True)[1]), groups)

    @cached_property
    def _by_arms(self) -> dict[tuple[int, ...], np.ndarray]:
        found: dict[tuple[int, ...], list[int]] = {}
        for agent, own in enumerate(self.tables.arms):
            found.setdefault(own, []).append(agent)
        return {own: np.array(members) for own, members in found.items()}

    @cached_property
    def _points(self) -> tuple[np.ndarray, np.ndarray]:
        values, chances = reward_laws.points(np.array(self.functions[self.truth], dtype=object), self.rewards)
        scaled = np.array([int(v * self.table.denominator) for v in values.ravel()], dtype=np.int64)
        shape = (-1, values.shape[-1])
        return scaled.reshape(shape), chances.astype(float).reshape(shape)

    def check_lengths(self, samples: int) -> None:
        if samples * self.table.denominator >= 2**62:
            raise InputError(
                "functions",
                f"common denominator {self.table.denominator}",
                f"too large for {samples} samples an epoch",
            )

    def play(self, agent: int, act: Acting, steps: Steps, rng: np.random.Generator) -> Experience:
        self.check_lengths(steps.full)
        probabilities = self._in_use(act, self.tables.arms[agent])
        regret = steps.played * float(self.tables.regret_rate(agent, probabilities[None])[0])
        counts = rng.multinomial(steps.full, (probabilities * self.tables.laws[agent][:, None]).ravel())
        points, chances = self._points
        numbers = reward_laws.draw_point_counts(counts, chances, rng)
        unit = self.table.denominator
        drawn = (points / unit, numbers) if steps.keep else None
        return Experience(CellCounts(counts, (numbers * points).sum(axis=-1), unit, drawn), regret)

    def play_together(
        self,
        act: Acting,
        full: Sequence[int],
        played: Sequence[int],
        rng: np.random.Generator,
        learns: bool,
    ) -> Experience:
        arrays = self.tables
        assert act.index is not None
        alike = self._alike
        by_arms = {own: self._spread(act, own) for own in set(arrays.arms)}  # (U, X, K) each
        rates = np.empty((len(alike.first), len(next(iter(by_arms.values())))))  # (groups, U)
        for own, chosen in by_arms.items():
            members = alike.of_arms(arrays, own)
            rates[members] = arrays.regret_rates(own, alike.laws(arrays, members), chosen)
        each = np.asarray(played)[:, None] * rates[alike.index]  # (M, U)
        regret = each.sum(axis=0)[act.index]
        by_agent = each @ np.bincount(act.index, minlength=each.shape[1]) / len(act.index)
        if not learns:
            return Experience(None, regret, by_agent)
        self.check_lengths(sum(full))
        replications = len(act.index)
        counts: np.ndarray = np.zeros((replications, arrays.truth.size), dtype=np.int64)
        steps = np.zeros(len(alike.first), dtype=np.int64)
        np.add.at(steps, alike.index, np.asarray(full))
        for own in sorted(by_arms):
            members = alike.of_arms(arrays, own)
            visits = visits_of(alike.laws(arrays, members), steps[members], replications, rng)
            chosen = rng.multinomial(visits, by_arms[own][act.index][:, :, list(own)])  # (R, X, |own|)
            cells = (np.arange(self.contexts)[:, None] * arrays.truth.shape[1] + np.array(own)).ravel()
            counts[:, cells] += chosen.reshape(replications, -1)
        return Experience(
            CellCounts(counts, self._reward_sums(counts, rng), self.table.denominator), regret, by_agent
        )

    def excess_risk(
        self, act: Callable[[int], Acting], learned: Callable[[int], Any], full: Sequence[int]
    ) -> np.ndarray:
        shares = np.asarray(full) / sum(full)
        total: Any = 0.0
        # all is linear in the law of contexts: agents with the same arms are one agent with the mean of their laws
        for own, members in self._by_arms.items():
            acting = act(members[0])
            weights = acting(own) * (shares[members] @ self.tables.laws[members])[:, None]
            if acting.index is not None:
                weights = weights[acting.index]
            error = acting.model.scores(learned(members[0]), own) - self.tables.truth[:, list(own)]
            total = total + (error**2 * weights).sum(axis=(-2, -1))
        return np.asarray(total)

    def largest_losses(self, played: Sequence[int]) -> list[float]:
        worst = (self.tables.regret.max(axis=2) * self.tables.laws).sum(axis=1)
        return [float(loss) for loss in worst * np.asarray(played, dtype=float)]

    def largest_epoch_regret(self, federation: Any) -> list[float] | None:
        known = self.epoch_regret_range(federation)
        return None if known is None else [most for _, most in known]

    def epoch_regret_range(self, federation: Any) -> list[tuple[float, float]] | None:
        if not isinstance(federation.model, FiniteClass):
            return None
        arrays, found = self.tables, []
        for epoch, (row, rate) in enumerate(
            zip(federation.plan.played, federation.learning_rates(), strict=True)
        ):
            segment, played = federation.plan.segments[epoch], np.asarray(row, dtype=float)
            policy = federation.policy_in(segment)
            per_state: np.ndarray = np.zeros(arrays.initial + 1)
            for own, members in self._by_arms.items():  # linear in the law of contexts, as above
                steps = played[members] @ arrays.laws[members]
                probabilities = arrays.probabilities(policy, own, float(rate))
                per_state = per_state + arrays.regret_rates(own, steps[None], probabilities)[0]
            learned = segment.uses is not None
            states = per_state[: arrays.initial] if learned else per_state[arrays.initial :]
            found.append((float(states.min()), float(states.max())))
        return found

    def describe(self) -> dict[str, Any]:
        shared = {id(agent.contexts): agent.contexts for agent in self.agents}
        laws = {key: [str(p) for p in law] for key, law in shared.items()}
        return {
            "truth": [str(weight) for weight in self.weights] or self.truth,
            "functions": [[[str(v) for v in row] for row in table] for table in self.members],
            "rewards": described(self.rewards),
            "agents": [{"contexts": list(laws[id(a.contexts)]), "arms": list(a.arms)} for a in self.agents],
        }

    def in_steps(self) -> Table | None:
        own = self.agents[0].arms
        if self.contexts > 1 or any(agent.arms != own for agent in self.agents):
            return None
        means = np.array([float(self.functions[self.truth][0][arm]) for arm in own])
        return Table.of(means, len(self.agents), self.rewards)

    def _spread(self, act: Acting, own: tuple[int, ...]) -> np.ndarray:
        chosen = act(own)
        probabilities = np.zeros((*chosen.shape[:-1], self.tables.truth.shape[1]))
        probabilities[..., list(own)] = chosen
        return probabilities

    @cached_property
    def _spreads(self) -> dict[tuple[int, ...], tuple[Acting, np.ndarray]]:
        return {}

    def _in_use(self, act: Acting, own: tuple[int, ...]) -> np.ndarray:
        if np.ndim(act.rate):  # rates from the data, one a context
            return self._spread(act, own)
        if own in self._spreads:
            before, found = self._spreads[own]
            same = before.model is act.model and before.parameters is act.parameters
            if same and (before.policy, before.rate) == (act.policy, act.rate):
                return found
        found = self._spread(act, own)
        self._spreads[own] = act, found
        return found

    def _reward_sums(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        points, chances = self._points
        return np.asarray((reward_laws.draw_point_counts(counts, chances, rng) * points).sum(axis=-1))
