"""Many replications at once over finite contexts, at any horizon: exact in distribution, with one FL routine for all.

Solvers: exact (the estimate of the direct method and, to rounding, of CG) and agd (spectral jumps). Agents that share
a law are pooled before their steps are split over cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.errors import InputError
from bounds.linear_communication import rounds_of_call
from linear.contexts.finite import FiniteContexts, draw_reward_sums, normalised
from linear.instance import LinearInstance
from linear.ridge import SolverError
from linear.spectral import agd_jump

SOLVERS = ("exact", "agd")


@dataclass(frozen=True)
class Replications:
    """regret (R, L) of each epoch; excess_risk (R, L) of what each epoch's data taught, NaN where nothing was learned;
    estimates (R, L, d): in use in each epoch."""

    regret: np.ndarray
    excess_risk: np.ndarray
    estimates: np.ndarray

    @property
    def total_regret(self) -> np.ndarray:
        return np.asarray(self.regret.sum(axis=1))


def replicate(
    instance: LinearInstance,
    replications: int,
    seed: int | np.random.SeedSequence,
    solver: str = "exact",
) -> Replications:
    """`replications` independent runs of FedIGW on an instance with finite contexts."""
    if not instance.finite:
        raise InputError("contexts", "sphere", "are streamed: use the federation loop")
    rng = np.random.default_rng(seed)
    groups = group_by_law(instance)
    accuracy = instance.accuracy if solver == "agd" else 0.0
    rates = instance.learning_rates(accuracy)
    estimate = np.zeros((replications, instance.dimension))
    shape = (replications, instance.plan.epochs)
    regret, risk = np.zeros(shape), np.full(shape, np.nan)
    estimates = np.zeros((*shape, instance.dimension))
    for epoch, (full, played) in enumerate(zip(instance.plan.full, instance.plan.played, strict=True)):
        kernels = [contexts.kernel(estimate, rates[epoch]) for contexts, _ in groups]
        estimates[:, epoch] = estimate
        for (contexts, members), kernel in zip(groups, kernels, strict=True):
            steps = sum(played[m] for m in members)
            regret[:, epoch] += steps * contexts.regret_rate(kernel, instance.parameter)
        if instance.plan.learns(epoch):
            lengths = [sum(full[m] for m in members) for _, members in groups]
            gram, moment = _pooled_data(instance, groups, kernels, lengths, rng)
            estimate = _solve(instance, gram, moment, sum(lengths), solver)
            error = estimate - instance.parameter
            risk[:, epoch] = sum(
                length / sum(lengths) * contexts.excess_risk(kernel, error)
                for length, (contexts, _), kernel in zip(lengths, groups, kernels, strict=True)
            )
    return Replications(regret, risk, estimates)


def group_by_law(instance: LinearInstance) -> list[tuple[FiniteContexts, list[int]]]:
    """Agents that share one contexts object, in order of appearance."""
    groups: dict[int, tuple[FiniteContexts, list[int]]] = {}
    for m, contexts in enumerate(instance.agents):
        assert isinstance(contexts, FiniteContexts)
        groups.setdefault(id(contexts), (contexts, []))[1].append(m)
    return list(groups.values())


def _pooled_data(
    instance: LinearInstance,
    groups: list[tuple[FiniteContexts, list[int]]],
    kernels: list[np.ndarray],
    lengths: list[int],
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """gram (R, d, d) and moment (R, d) of an epoch, pooled over the agents."""
    replications, d = len(kernels[0]), instance.dimension
    gram, moment = np.zeros((replications, d, d)), np.zeros((replications, d))
    for (contexts, _), kernel, steps in zip(groups, kernels, lengths, strict=True):
        chances = normalised(kernel * contexts.law[:, None]).reshape(replications, -1)
        counts = rng.multinomial(steps, chances)
        sums = draw_reward_sums(counts, contexts.means(instance.parameter).ravel(), instance.rewards, rng)
        more_gram, more_moment = contexts.sums(counts.astype(float), sums)
        gram += more_gram
        moment += more_moment
    return gram, moment


def _solve(
    instance: LinearInstance, gram: np.ndarray, moment: np.ndarray, samples: int, solver: str
) -> np.ndarray:
    """(R, d): the ridge estimates."""
    if solver == "agd":
        n = samples / instance.regularisation
        rounds = rounds_of_call("agd", samples, instance.dimension, instance.accuracy, instance.heterogeneous)
        return agd_jump(gram / samples, moment / samples, n, rounds)
    system = gram + instance.regularisation * np.eye(instance.dimension)
    try:
        estimate = np.linalg.solve(system, moment[..., None])[..., 0]
    except np.linalg.LinAlgError:
        raise SolverError("the ridge system is singular") from None
    if not np.isfinite(estimate).all():
        raise SolverError("the ridge system is singular to working precision")
    return np.asarray(estimate)
