"""Choose the policy's learning rates (exploration parameter gamma) from the data if rewards are linear, and compute
each run's own bound on its regret.

The method and its proof are in bounds/own_adaptive_linear.py. Array axes: R replications, X contexts, K arms, d
coordinates.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bounds import own_adaptive_linear
from bounds.errors import InputError
from fedigw.adapting import Chooser, Observed
from fedigw.federation import Federation
from linear.contexts.engines.plane_charge import PlaneCharge
from linear.contexts.finite import FiniteContexts
from linear.model import Watched
from linear.world import LinearWorld


@dataclass(frozen=True)
class Ellipsoid:
    """A confidence ellipsoid for the true parameter, {w : (w - centre)'A(w - centre) <= radius^2}, in each of R
    replications. centre: (R, d). root: (R, d, d), a matrix B with BB' = A^{-1}. radius: (R,)."""

    centre: np.ndarray
    root: np.ndarray
    radius: np.ndarray


def root_of_inverse(matrix: np.ndarray) -> np.ndarray:
    """Return B with BB' = A^{-1}, shape (R, d, d), for matrices A of this shape, whose eigenvalues are at least 1. An
    eigenvalue at rounding level of the largest one is taken as 1, which makes a confidence ellipsoid larger."""
    values, vectors = np.linalg.eigh(matrix)
    lost = matrix.shape[-1] * np.finfo(float).eps * values[:, -1:]
    return np.asarray(vectors / np.sqrt(np.maximum(values - lost, 1.0))[:, None, :])


@dataclass(frozen=True)
class Played:
    """The play of agents with the same contexts in an epoch: their total number of steps, and their arm probabilities
    `chances` in each context, shape (R, X, K)."""

    steps: int
    contexts: FiniteContexts
    chances: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        return np.einsum("rxk,xkd->rxd", self.chances, self.contexts.features)


class Adapting(Chooser):
    """Chooses the estimate and the learning rate that R runs of FedIGW use, after every epoch, and bounds their regret
    by confidence ellipsoids, if contexts are finitely many."""

    def __init__(self, federation: Federation, replications: int, dimension: int | None = None) -> None:
        world: Any = federation.world
        rates: Any = federation.rates
        self.delta, self.policy = float(rates.delta), federation.policy
        self.chooses = rates.multiplier is None
        self.multiplier = own_adaptive_linear.MULTIPLIER if rates.multiplier is None else rates.multiplier
        self.groups, self.plan = world.groups() if world.finite else [], federation.plan
        self.most_arms = max(federation.arms)
        self.estimate = np.zeros((replications, dimension or world.dimension))
        self.rate = np.zeros(replications)
        self.ellipsoids: list[Ellipsoid] = []
        self.played: list[Played] = []
        self.mean_rates: list[np.ndarray] = []

    def in_use(self) -> tuple[np.ndarray, np.ndarray]:
        return self.estimate, self.rate[:, None, None]

    def played_epoch(self, epoch: int) -> None:
        self.mean_rates.append(self.rate)
        steps = self.plan.played[epoch]
        for contexts, members in self.groups:
            scores = np.einsum("xkd,rd->rxk", contexts.features, self.estimate)
            chosen = self.policy.probabilities(scores, self.rate[:, None, None])
            self.played.append(Played(sum(steps[m] for m in members), contexts, chosen))

    def learn(self, learned: Any, system: np.ndarray | None, samples: int) -> None:
        """Add the confidence ellipsoid of an epoch. Runs in which it allows a larger learning rate switch to that rate
        and the new estimate. learned: (R, d), the new estimates. system: (R, d, d), the Gram matrix of their samples
        plus the identity. If it is None because the server does not know it, no ellipsoid is added, and the rate is
        computed as if the samples covered all d directions."""
        learned = np.asarray(learned)
        effective = np.full(len(learned), float(learned.shape[1]))
        if system is not None:
            root = root_of_inverse(system)
            effective = np.maximum(effective - np.square(root).sum(axis=(1, 2)), 0.0)  # tr(A^{-1} (A - I))
        b = own_adaptive_linear.radius(effective, self.plan.calls, self.delta)
        if system is not None:
            self.ellipsoids.append(Ellipsoid(learned, root, b))
        new = own_adaptive_linear.rate(self.most_arms, samples, b, self.multiplier)
        better = new > self.rate
        self.estimate = np.where(better[:, None], learned, self.estimate)
        self.rate = np.where(better, new, self.rate)

    def observed(self) -> Observed:
        total, anywhere = np.zeros(len(self.rate)), np.zeros(len(self.rate))
        for epoch in self.played:
            apart = epoch.contexts.features[None] - epoch.mean[:, :, None, :]  # (R, X, K, d)
            charged = self.charged(apart)
            total += epoch.steps * (charged @ epoch.contexts.law)
            anywhere += epoch.steps * charged.max(axis=1)
        return self.known(total, anywhere)

    def charged(self, apart: np.ndarray, who: slice = slice(None)) -> np.ndarray:
        """Return the largest regret that a step in each context can have if the true parameter lies in all ellipsoids
        so far, shape (R, X). apart: (R, X, K, d), each arm's features minus their mean under the policy. who: the
        replications in `apart`."""
        found = np.ones(apart.shape[:2])
        flat = apart.reshape(len(apart), -1, apart.shape[-1])  # one product for all contexts and arms
        for one in self.ellipsoids:
            lost = (flat @ one.centre[who][:, :, None])[..., 0]
            lost = lost + one.radius[who, None] * np.linalg.norm(flat @ one.root[who], axis=2)
            found = np.minimum(found, lost.reshape(apart.shape[:3]).max(axis=2))
        return found

    def known(self, total: np.ndarray, anywhere: np.ndarray) -> Observed:
        left = np.full(len(self.rate), np.inf)
        return Observed(self.delta, total, total, anywhere, left, np.stack(self.mean_rates, axis=1))


class Streaming(Adapting):
    """Chooses learning rates as `Adapting` does, for runs whose contexts are drawn one by one. The regret bound is the
    sum, over all contexts met, of the largest regret that the ellipsoids known then allow, or of upper bounds on it if
    the engine `plane` draws only parts of the features. It does not use the distribution of contexts."""

    def __init__(self, federation: Federation, replications: int) -> None:
        super().__init__(federation, replications)
        refuse_mixed(federation)
        self.sums: list[list[float]] = [[] for _ in range(replications)]
        # whose ellipsoid the estimate in use is the centre of
        self.inside: list[int | None] = [None] * replications
        if federation.plan.full[:-1] != federation.plan.played[:-1]:
            allowed = "needs epochs played to their end: with streamed contexts all that are met are charged"
            raise InputError("learning_rate", "adaptive", allowed)

    def learn(self, learned: Any, system: np.ndarray | None, samples: int) -> None:
        before = self.rate
        super().learn(learned, system, samples)
        for run in np.flatnonzero(self.rate > before):
            self.inside[run] = len(self.ellipsoids) - 1

    def in_use(self) -> tuple[Any, np.ndarray]:
        found = [estimate.view(Watched) for estimate in self.estimate]
        for r, estimate in enumerate(found):
            estimate.watch, estimate.on_plane = partial(self.watch, r), partial(self.on_plane, r)
        return found, self.rate[:, None, None]

    def watch(self, run: int, features: np.ndarray, scores: np.ndarray) -> None:
        """Add to the regret bound of one run the largest possible regret in the contexts that its agents have just met.
        features: (n, K, d). scores: (n, K), estimated rewards."""
        chosen = self.policy.probabilities(np.array(scores), self.rate[run])
        apart = features - np.einsum("xk,xkd->xd", chosen, features)[:, None, :]
        self.sums[run].append(float(self.charged(apart[None], slice(run, run + 1)).sum()))

    def on_plane(self, run: int, basis: np.ndarray) -> Callable[..., None]:
        """Return a function that adds upper bounds on the regret of drawn steps to the regret bound of one run, for the
        engine `plane`, which draws only projections of features on a plane. basis: (s, s) with s = d-1, orthonormal
        coordinates without the intercept, whose first two span the plane."""
        place, add = self.inside[run], self.sums[run].append
        if place is None:
            return lambda drawn, rng: add(float(drawn.chances.shape[1]))
        one = self.ellipsoids[place]
        charge = PlaneCharge.of(
            basis, one.centre[run], one.root[run] @ one.root[run].T, float(one.radius[run])
        )
        return lambda drawn, rng: add(charge(drawn, rng))

    def observed(self) -> Observed:
        # an exact sum: the order does not matter
        total = np.array([math.fsum(sums) for sums in self.sums])
        return self.known(total, total)


def refuse_mixed(federation: Federation) -> None:
    """Raise InputError if some agents draw contexts one by one and others have finitely many, because the regret bounds
    for the two cases are different."""
    if not LinearWorld.of(federation).streamed:
        allowed = "needs contexts that are finite for all agents, or streamed for all"
        raise InputError("learning_rate", "adaptive", allowed)
