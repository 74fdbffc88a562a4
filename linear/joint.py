"""Compute the observed bound of runs that learn from all data so far.

One ellipsoid is made from several epochs, and the regret of all steps is maximised over one common error. Why this is
valid is proved in bounds.own_adaptive_linear. Arrays: R replications, X contexts, K arms.
"""

import numpy as np

from bounds import own_adaptive_linear
from bounds.own_adaptive_linear import THETAS
from fedigw.adapting import Observed
from fedigw.federation import Federation
from linear.adaptive import Adapting, Ellipsoid
from linear.contexts.finite import FiniteContexts

FAR = 1e9  # a radius that says nothing
ROUNDING = 1e-10  # of an eigenvalue, relative to the largest: what is below is no direction of the data


class AllData(Adapting):
    """Runs whose estimates use all data so far. The data of one epoch are the difference of two running sums."""

    def __init__(self, federation: Federation, replications: int) -> None:
        super().__init__(federation, replications)
        d = self.estimate.shape[1]
        self.sums = [(np.broadcast_to(np.eye(d), (replications, d, d)), np.zeros((replications, d)))]
        self.added: list[tuple[np.ndarray, np.ndarray, int]] = []  # G_l, y_l, the samples of an epoch
        self.seen = 0

    def learn(self, learned: np.ndarray, system: np.ndarray, samples: int) -> None:
        super().learn(learned, system, samples)
        moment = np.einsum("rij,rj->ri", system, learned)
        before = self.sums[-1]
        self.added.append((system - before[0], moment - before[1], samples - self.seen))
        self.sums.append((system, moment))
        self.seen = samples

    def joint_ellipsoids(self) -> list[Ellipsoid]:
        """Return for every k the ellipsoid from the epochs k, k + 1, .... All contain w* together with probability 1 -
        delta."""
        fitted = [_explained(gram, moment) for gram, moment, _ in self.added]
        found, d = [], self.estimate.shape[1]
        for k in range(len(self.added)):
            system = np.eye(d) + sum(gram for gram, _, _ in self.added[k:])
            moment = np.sum([own for _, own, _ in self.added[k:]], axis=0)
            inverse = np.linalg.inv(system)
            centre = np.einsum("rij,rj->ri", inverse, moment)
            dimensions = sum(min(d, samples) for _, _, samples in self.added[k:])
            left = np.sum(moment * centre, axis=1) - np.sum(fitted[k:], axis=0)
            square = own_adaptive_linear.joint_square(dimensions, self.plan.calls, self.delta) + left
            # below 0 the event of probability delta has happened: nothing is known
            found.append(Ellipsoid(centre, inverse, np.where(square < 0, FAR, np.sqrt(np.abs(square)))))
        return found

    def observed(self) -> Observed:
        self.ellipsoids = self.joint_ellipsoids()
        groups = len(self.groups)
        epochs = [self.played[i : i + groups] for i in range(0, len(self.played), groups)]
        charged = [
            [(one, self.charged(one.contexts.features[None] - one.mean[:, :, None, :])) for one in epoch]
            for epoch in epochs
        ]
        each = np.array([sum(one.steps * (lost @ one.contexts.law) for one, lost in e) for e in charged])
        anywhere = np.array([sum(one.steps * lost.max(axis=1) for one, lost in e) for e in charged])
        best = each.sum(axis=0)
        for ellipsoid in self.ellipsoids:
            parts = [_Joint(contexts, ellipsoid) for contexts, _ in self.groups]
            drift, weights = np.zeros_like(self.estimate), np.zeros(groups)
            for first in reversed(range(len(epochs))):  # epochs before `first` are charged step by step
                for g, one in enumerate(epochs[first]):
                    drift = drift + one.steps * parts[g].drift(one.mean)
                    weights[g] += one.steps
                total = each[:first].sum(axis=0) + _bound(drift, weights, parts, ellipsoid)
                best = np.minimum(best, total)
        return self.known(best, anywhere.sum(axis=0))


class _Joint:
    """Sums over one law of contexts in one ellipsoid. best (R, X, d): the feature of the greedy arm. quadratic, one
    (R, d, d) per theta: the mean over contexts of sum alpha z z'. rest, one (R,) per theta: the mean over contexts of
    sum kappa."""

    def __init__(self, contexts: FiniteContexts, ellipsoid: Ellipsoid) -> None:
        features, self.law = contexts.features, contexts.law
        scores = np.einsum("xkd,rd->rxk", features, ellipsoid.centre)
        greedy = scores.argmax(axis=2)
        self.best = features[np.arange(len(features)), greedy]  # (R, X, d)
        apart = features[None] - self.best[:, :, None, :]
        gap = scores.max(axis=2, keepdims=True) - scores
        width = np.einsum("rxki,rij,rxkj->rxk", apart, ellipsoid.inverse, apart)
        reach = ellipsoid.radius[:, None, None] * np.sqrt(np.maximum(width, 0.0))
        active = reach > gap
        self.quadratic, self.rest = [], []
        for theta in THETAS:
            alpha, kappa = own_adaptive_linear.majorant(gap, reach, theta)
            weighted = np.where(active, alpha, 0.0) * self.law[:, None]
            self.quadratic.append(np.einsum("rxk,rxki,rxkj->rij", weighted, apart, apart))
            self.rest.append((np.where(active, kappa, 0.0) * self.law[:, None]).sum(axis=(1, 2)))

    def drift(self, mean: np.ndarray) -> np.ndarray:
        """Return the mean over contexts of the greedy arm's feature less the mean feature, shape (R, d)."""
        return np.einsum("rxd,x->rd", self.best - mean, self.law)


def _bound(drift: np.ndarray, weights: np.ndarray, parts: list[_Joint], one: Ellipsoid) -> np.ndarray:
    """Return S'c + b norm(S)_{A^{-1}} + min over theta of (b^2 lambda_max(A^{-1/2} Q A^{-1/2}) + sum kappa), shape
    (R,)."""
    length = np.einsum("ri,rij,rj->r", drift, one.inverse, drift)
    linear = (drift * one.centre).sum(axis=1) + one.radius * np.sqrt(np.maximum(length, 0.0))
    root = np.linalg.cholesky(one.inverse)
    least = np.full(len(linear), np.inf)
    for t in range(len(THETAS)):
        form = sum(w * part.quadratic[t] for w, part in zip(weights, parts, strict=True))
        inside = np.swapaxes(root, 1, 2) @ form @ root
        rest = sum(w * part.rest[t] for w, part in zip(weights, parts, strict=True))
        least = np.minimum(least, one.radius**2 * np.linalg.eigvalsh(inside)[:, -1] + rest)
    return np.asarray(linear + least)


def _explained(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return y'G^+ y, shape (R,). Directions with eigenvalues at rounding level are left out, which only widens an
    ellipsoid."""
    values, vectors = np.linalg.eigh(gram)
    along = np.einsum("rij,ri->rj", vectors, moment)
    kept = values > ROUNDING * values[:, -1:]
    return np.asarray((np.where(kept, along**2, 0.0) / np.where(kept, values, 1.0)).sum(axis=1))
