"""A personalised instance, its environment for the federation loop, and the lifted ridge problem as a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import general_regret, linear_communication, linear_personalised
from bounds.errors import InputError
from bounds.schedules import EpochPlan, doubling_plan
from fedigw.interfaces import Experience
from linear.contexts import FiniteContexts
from linear.environments.finite_contexts import direction, with_intercept
from linear.instance import check_contexts, check_parameter
from linear.ridge import DataError, RidgeData, solve_positive


@dataclass(frozen=True)
class PersonalisedInstance:
    """agents: contexts with features (X, K, d_m) whose first `shared` coordinates speak to omega^a.
    parameters: omega_m (d_m,) of each agent, equal in their first `shared` coordinates."""

    shared: int
    agents: tuple[FiniteContexts, ...]
    parameters: tuple[np.ndarray, ...]
    plan: EpochPlan
    accuracy: float = linear_communication.DEFAULT_ACCURACY
    rewards: str = "bernoulli"

    def __post_init__(self) -> None:
        if len(self.parameters) != len(self.agents):
            raise InputError("parameters", len(self.parameters), f"must be one per agent, {len(self.agents)}")
        for m, (contexts, parameter) in enumerate(zip(self.agents, self.parameters, strict=True)):
            check_parameter(parameter)
            check_contexts(contexts, parameter, f"agents[{m}].")
            if len(parameter) < self.shared:
                raise InputError(
                    f"parameters[{m}]", len(parameter), f"needs at least {self.shared} coordinates"
                )
            if not np.array_equal(parameter[: self.shared], self.parameters[0][: self.shared]):
                raise InputError(f"parameters[{m}]", "shared block", "must be the same for all agents")

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
            * linear_personalised.excess_risk(self.lifted_dimension, len(self.agents), sum(row))
            for row in self.plan.full
        )

    def learning_rates(self, accuracy: float) -> tuple[float, ...]:
        """Sharpened: gamma = g sqrt(K/e)."""
        q = 1 - 1 / max(self.arms)
        rates = [
            general_regret.learning_rate("sharpened", risk, general_regret.mean_arms(full, self.arms), 1.0, q)
            for full, risk in zip(self.plan.full, self.risks(accuracy), strict=True)
        ]
        return (1.0, *rates[:-1])

    def bound(self, accuracy: float) -> float:
        """The sharpened bound on the regret."""
        return sum(general_regret.epoch_terms("sharpened", self.plan, self.arms, self.risks(accuracy)))

    def largest_regret(self) -> float:
        return sum(
            steps * contexts.largest_regret_rate(parameter)
            for row in self.plan.played
            for steps, contexts, parameter in zip(row, self.agents, self.parameters, strict=True)
        )


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


@dataclass(frozen=True)
class Blocks:
    """One agent's Gram matrix and moment (unscaled), split into shared and personal parts."""

    count: int
    shared_gram: np.ndarray
    cross: np.ndarray
    own_gram: np.ndarray
    shared_moment: np.ndarray
    own_moment: np.ndarray


def split(datasets: Sequence[RidgeData], shared: int, epoch: int) -> list[Blocks]:
    found = []
    for agent, data in enumerate(datasets):
        d = len(data.moment)
        if data.count < 1 or d < shared or data.gram.shape != (d, d):
            raise DataError(
                f"agent {agent}, epoch {epoch}, data: {data.count} samples, gram {data.gram.shape}"
            )
        if not (np.isfinite(data.gram).all() and np.isfinite(data.moment).all()):
            raise DataError(f"agent {agent}, epoch {epoch}, data: contains NaN or infinity")
        found.append(
            Blocks(
                data.count,
                data.gram[:shared, :shared],
                data.gram[:shared, shared:],
                data.gram[shared:, shared:],
                data.moment[:shared],
                data.moment[shared:],
            )
        )
    return found


def lifted(datasets: Sequence[RidgeData], shared: int) -> RidgeData:
    """The pooled data of the lifted problem, dtilde coordinates: shared block first, then every agent's own."""
    own = [len(data.moment) - shared for data in datasets]
    total = shared + sum(own)
    gram, moment = np.zeros((total, total)), np.zeros(total)
    start = shared
    for data, size in zip(datasets, own, strict=True):
        where = np.r_[0:shared, start : start + size]
        gram[np.ix_(where, where)] += data.gram
        moment[where] += data.moment
        start += size
    return RidgeData(sum(data.count for data in datasets), gram, moment)


def exact_minimiser(datasets: Sequence[RidgeData], shared: int) -> tuple[np.ndarray, ...]:
    """The lifted minimiser, centrally, as one estimate per agent: the reference."""
    data = lifted(datasets, shared)
    solution = solve_positive(data.gram + np.eye(len(data.moment)), data.moment, "lifted minimiser")
    parts, start = [], shared
    for local in datasets:
        size = len(local.moment) - shared
        parts.append(np.concatenate([solution[:shared], solution[start : start + size]]))
        start += size
    return tuple(parts)
