"""Choose the policy's learning rates (exploration parameter gamma) from the data if the functions are a finite class,
and compute each run's own bound on its regret.

The method and its proof are in bounds/own_adaptive.py. Array axes: R replications, F functions, X contexts, K arms. The
server knows the sums of the agents' losses, which the protocol exact_minimiser sends anyway, and sends one learning
rate per context back.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bounds import own_adaptive
from fedigw.adapting import Chooser, Observed
from fedigw.federation import Federation
from finite_class.model import FiniteClass, PerContext
from finite_class.tables import merged
from finite_class.world import FiniteWorld


@dataclass
class VersionSpace:
    """The version space of each of R runs of FedIGW: the functions that the data have not refuted.

    cumulative   (R, F): squared losses over all samples so far, as integers: `unit` times the true losses
    alive        (R, F): whether the function is left, because its loss was never more than `threshold` above the least;
                 with the required probability the true function is left at all times
    seen         number of samples so far
    empty        for each run in which no function was left: (replication, number of samples when this happened)
    """

    cumulative: np.ndarray
    alive: np.ndarray
    unit: int
    threshold: float
    seen: int = 0
    empty: list[tuple[int, int]] = field(default_factory=list)  # (replication, samples): nothing was left

    @classmethod
    def start(cls, replications: int, functions: int, denominator: int, threshold: float) -> VersionSpace:
        shape = (replications, functions)
        return cls(np.zeros(shape, dtype=object), np.ones(shape, dtype=bool), denominator**2, threshold)

    def add(self, losses: np.ndarray, samples: int) -> None:
        """Add the losses of `samples` further samples, and remove the functions that they refute. losses: (R, F),
        integers. If no function of a run is left, the true function is not in the class, or an unlikely event has
        occurred. This is recorded once per run."""
        before = self.alive.any(axis=1)
        self.cumulative = self.cumulative + losses.astype(object)
        self.seen += samples
        above = self.cumulative - self.cumulative.min(axis=1)[:, None]
        self.alive &= (above / self.unit).astype(float) <= self.threshold
        self.empty += [(int(r), self.seen) for r in np.flatnonzero(before & ~self.alive.any(axis=1))]


class Adapting(Chooser):
    """Chooses the function and the learning rate that R runs of FedIGW use in each context, from the functions not yet
    refuted, after every epoch."""

    def __init__(self, federation: Federation, replications: int) -> None:
        world, model = FiniteWorld.of(federation), FiniteClass.of(federation)
        rates: Any = federation.rates
        self.delta = float(rates.delta)
        self.agents = len(world.agents)
        self.tables = world.tables
        self.groups, rows = merged(self.tables, federation.plan.played)
        self.played = rows[0]
        self.contexts = world.contexts
        b = own_adaptive.threshold(model.size, self.delta)
        self.space = VersionSpace.start(replications, model.size, model.table.denominator, b)
        self.models = np.full((replications, self.contexts), model.size)
        self.rates = np.zeros((replications, self.contexts))
        self.g2 = own_adaptive.multiplier_squared(max(2, *(len(own) for own in self.groups.arms)))
        self.policy = federation.policy
        self.if_true = np.zeros((replications, model.size))  # the regret so far if f were the truth
        self.pathwise, self.any_law = np.zeros(replications), np.zeros(replications)
        self.mean_rates: list[np.ndarray] = []
        # (G, F, X, K): the gaps of every function to its best arm, among each group's arms, by context probability
        laws = self.groups.laws[:, None, :, None]
        virtual = [self.groups.virtual_regret(g)[:-1] for g in range(len(self.groups.arms))]
        self.gaps = np.stack(virtual) * laws

    def copied(self) -> Adapting:
        new = copy.copy(self)
        new.space = replace(self.space, alive=self.space.alive.copy(), empty=list(self.space.empty))
        new.if_true = self.if_true.copy()
        new.pathwise, new.any_law = self.pathwise.copy(), self.any_law.copy()
        new.mean_rates = list(self.mean_rates)
        return new

    def in_use(self) -> tuple[PerContext, np.ndarray]:
        return PerContext(self.models), self.rates[:, :, None]

    def probabilities(self, own: tuple[int, ...]) -> np.ndarray:
        """Return the arm probabilities (R, X, K) of an agent with the arms `own`; they are zero for other arms."""
        scores = self.tables.scores[self.models, np.arange(self.contexts)]
        found = np.zeros(scores.shape)
        found[..., list(own)] = self.policy.probabilities(scores[..., list(own)], self.rates[:, :, None])
        return found

    def played_epoch(self, epoch: int) -> None:
        """Bound the regret of the next epoch (number `epoch`, counted from 0), and add the bounds to the run's sums."""
        self.mean_rates.append(self.rates.mean(axis=1))
        for group, steps in enumerate(self.played[epoch]):
            own = self.groups.arms[group]
            chosen = self.probabilities(own)
            self.if_true += steps * np.einsum("rxk,fxk->rf", chosen, self.gaps[group])
            charged = own_adaptive.charge(len(own), self.rates, self.g2)
            self.pathwise += steps * (charged @ self.groups.laws[group])
            self.any_law += steps * charged.max(axis=1)

    def learn(self, learned: np.ndarray, losses: np.ndarray, samples: int) -> None:
        """Remove the functions that an epoch refutes, and use the newly learned function in the contexts where it
        allows a larger learning rate. learned: (R,), index of the function that the protocol returned. losses: (R, F),
        the summed losses of the epoch."""
        self.space.add(losses, samples)
        scores, size = self.tables.scores, self.space.alive.shape[1]
        new = np.full(self.rates.shape, own_adaptive.MOST)
        for own in {own for own in self.groups.arms if len(own) > 1}:
            chosen = self.probabilities(own)
            error = np.zeros(self.rates.shape)
            for f in range(size):
                apart = (chosen * (scores[learned] - scores[f]) ** 2).sum(axis=2)
                error = np.where(self.space.alive[:, f, None], np.maximum(error, apart), error)
            new = np.minimum(new, own_adaptive.rate(len(own), error, self.g2))
        better = np.asarray(new > self.rates) & self.space.alive.any(axis=1, keepdims=True)
        self.models = np.where(better, np.asarray(learned)[:, None], self.models)
        self.rates = np.where(better, new, self.rates)

    def observed(self) -> Observed:
        alive = self.space.alive
        left = np.where(alive, self.if_true, -1.0).max(axis=1)
        failed = ~alive.any(axis=1)
        return Observed(
            delta=self.delta,
            bound=np.where(failed, np.inf, np.minimum(self.pathwise, left)),
            pathwise=self.pathwise,
            any_law=self.any_law,
            left=alive.sum(axis=1),
            rates=np.stack(self.mean_rates, axis=1),
            empty=tuple(self.space.empty),
        )
