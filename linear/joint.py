"""Bound the regret of runs of FedIGW that learn from all data so far, by one confidence ellipsoid.

The ellipsoid is made from several epochs, and the sum of the regret over all steps is maximised over all true
parameters in it. The proof is in bounds/own_adaptive_linear.py, with the symbols used here. Array axes: R replications,
X contexts (or steps), K arms, H values of a free number theta > 0 in the bound.
"""

# With finitely many contexts, sums over steps are means under the agents' distributions. With contexts drawn one by one
# they are over the contexts met: once the ellipsoid is known, the steps are played again from the recorded states of
# the random generator, so no context is stored.

from functools import partial
from typing import Any

import numpy as np

from bounds import own_adaptive_linear
from bounds.own_adaptive_linear import THETAS
from fedigw.adapting import Observed
from fedigw.federation import Federation
from linear.adaptive import Adapting, Ellipsoid, refuse_mixed, root_of_inverse
from linear.contexts.sphere import Replay
from linear.model import Watched
from linear.ridge import RidgeData, pooled

FAR = 1e9  # a radius so large that the ellipsoid gives no bound
SHOWN = 256  # contexts of an epoch from which that of the next is estimated, where they are streamed
ROUNDING = 1e-10  # of an eigenvalue, relative to the largest: what is below is no direction of the data


class Sums:
    """Sums over the steps of R runs of FedIGW, from which `bound` computes their regret bound. A step's regret is
    bounded by a linear plus a quadratic function of the unknown parameter.

    drift   (R, d): features of the greedy arm minus their mean under the policy, for the linear part
    forms   (R, H, d, d): the quadratic part, for H values of a free number, in coordinates in which the ellipsoid is a
            ball
    rest    (R, H): the constant part
    """

    def __init__(self) -> None:
        self.drift: Any = 0.0
        self.forms: Any = 0.0
        self.rest: Any = 0.0

    def bound(self, one: Ellipsoid) -> np.ndarray:
        """Return the bound on the regret, shape (R,), over all true parameters in the ellipsoid `one`. Let its centre
        be c, its radius b and its matrix A, and let S, Q, k be `drift`, `forms` and `rest`. The bound is S'c + b
        sqrt(S'A^{-1}S) + the least value, over H values of a free number, of b^2 lambda_max(A^{-1/2} Q A^{-1/2}) + k.
        """
        length = np.linalg.norm(np.einsum("ri,rij->rj", self.drift, one.root), axis=1)
        linear = (self.drift * one.centre).sum(axis=1) + one.radius * length
        largest = np.linalg.eigvalsh(self.forms)[..., -1]
        return np.asarray(linear + (one.radius[:, None] ** 2 * largest + self.rest).min(axis=1))


class Met:
    """The contexts that R runs met, with features (X, K, d) and weights (X,), and their parts of the regret bound,
    given the confidence ellipsoid `one` for the true parameter."""

    def __init__(self, features: np.ndarray, weights: np.ndarray, one: Ellipsoid) -> None:
        self.features, self.weights, self.one = features, weights, one
        self.flat = features.reshape(-1, features.shape[2])
        self.scores = (one.centre @ self.flat.T).reshape(-1, *features.shape[:2])
        self.greedy = self.scores.argmax(axis=2)

    def quadratic(self) -> tuple[np.ndarray, np.ndarray]:
        """Return these contexts' parts of `forms`, shape (R, H, d, d), and `rest`, shape (R, H), of class Sums."""
        turned = (self.flat @ self.one.root).reshape(*self.scores.shape, -1)
        best = np.take_along_axis(turned, self.greedy[:, :, None, None], axis=2)
        square = np.einsum("rxkd,rxkd->rxk", turned, turned)
        own = np.take_along_axis(square, self.greedy[:, :, None], axis=2)
        width = square + own - 2 * (turned @ np.swapaxes(best, 2, 3))[..., 0]
        reach = self.one.radius[:, None, None] * np.sqrt(np.maximum(width, 0.0))
        gap = self.scores.max(axis=2, keepdims=True) - self.scores
        np.put_along_axis(reach, self.greedy[:, :, None], 0.0, axis=2)
        active = reach > gap
        found = [self._forms(active[r], turned[r], best[r], gap[r], reach[r]) for r in range(len(turned))]
        forms, rest = zip(*found, strict=True)
        return np.stack(forms), np.stack(rest)

    def _forms(
        self, active: np.ndarray, turned: np.ndarray, best: np.ndarray, gap: np.ndarray, reach: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        where = np.nonzero(active)
        apart, weight = turned[where] - best[where[0], 0], self.weights[where[0]]
        forms, rest = [], []
        for theta in THETAS:
            alpha, kappa = own_adaptive_linear.majorant(gap[where], reach[where], theta)
            forms.append((apart * (weight * alpha)[:, None]).T @ apart)
            rest.append((weight * kappa).sum())
        return np.stack(forms), np.array(rest)

    def drift(self, chances: np.ndarray) -> np.ndarray:
        """Return the features of the greedy arm minus their mean under the arm probabilities, summed over contexts with
        their weights, shape (R, d). chances: (R, X, K), the arm probabilities."""
        moved = -chances
        at = self.greedy[:, :, None]
        np.put_along_axis(moved, at, 1 + np.take_along_axis(moved, at, axis=2), axis=2)
        return np.asarray((moved * self.weights[:, None]).reshape(len(moved), -1) @ self.flat)


class AllData(Adapting):
    """Chooses the learning rates of runs of FedIGW that learn from all data so far, by any protocol, with finitely many
    contexts, and bounds their regret. norm_square: an upper bound on the squared norm of the true parameter."""

    every_epoch = True

    def __init__(
        self,
        federation: Federation,
        replications: int,
        dimension: int | None = None,
        norm_square: float = own_adaptive_linear.NORM**2,
    ) -> None:
        super().__init__(federation, replications, dimension)
        self.added: list[RidgeData] = []  # of every epoch
        self.norm_square = norm_square
        self.least = self.rate  # the rates at the smallest multiplier

    def met(self, data: Any) -> None:
        self.added.append(self.summed(data))

    def learn(self, learned: Any, system: np.ndarray | None, samples: int) -> None:
        self.rate = self.least
        super().learn(learned, system, samples)
        self.least = self.rate
        epoch = len(self.mean_rates)  # the next one
        if self.chooses and epoch < self.plan.epochs:
            grams = [self.expected(factor * self.least, epoch) for factor in own_adaptive_linear.FACTORS]
            self.rate = self.least * own_adaptive_linear.most_greedy(grams)

    def expected(self, rate: np.ndarray, epoch: int) -> np.ndarray:
        """Return the expected Gram matrix of the samples of an epoch, if it is played with these learning rates (R,),
        shape (R, d, d). epoch: counted from 0."""
        total = np.zeros((len(rate), *2 * self.estimate.shape[1:]))
        for contexts, members in self.groups:
            scores = np.einsum("xkd,rd->rxk", contexts.features, self.estimate)
            chances = self.policy.probabilities(scores, rate[:, None, None]) * contexts.law[:, None]
            steps = sum(self.plan.full[epoch][m] for m in members)
            flat = chances.reshape(len(rate), -1)
            total += steps * contexts.sums(flat, flat)[0]
        return total

    def summed(self, data: Any) -> RidgeData:
        return alone(pooled(data)) if isinstance(data, list) else data

    def ellipsoid(self) -> Ellipsoid:
        """Return the confidence ellipsoid from the data of the last epochs, which contains the true parameter with the
        required probability. From which epoch on data are used depends only on the epoch lengths."""
        d, samples = self.estimate.shape[1], [data.count for data in self.added]
        first = own_adaptive_linear.first_epoch(samples, d, self.delta, self.norm_square)
        used = self.added[first:]
        gram = np.sum([data.gram for data in used], axis=0)
        moment = np.sum([data.moment for data in used], axis=0)
        explained = np.sum([_explained(data.gram, data.moment) for data in used], axis=0)
        root = root_of_inverse(gram + np.eye(d))
        centre = np.einsum("rij,rj->ri", root, np.einsum("rij,ri->rj", root, moment))
        dimensions = sum(min(d, count) for count in samples[first:])
        before = own_adaptive_linear.joint_square(dimensions, self.delta, self.norm_square)
        square = before - explained + np.sum(moment * centre, axis=1)
        # below 0 the event of probability delta has happened: nothing is known
        return Ellipsoid(centre, root, np.where(square < 0, FAR, np.sqrt(np.abs(square))))

    def observed(self) -> Observed:
        """Return the bound on each run's regret: the largest regret of the whole run over all true parameters in the
        ellipsoid, or the sum of the largest regrets of single steps if that is smaller."""
        one = self.ellipsoid()
        self.ellipsoids = [one]
        charged = super().observed()
        return self.known(np.minimum(charged.bound, self.sums(one).bound(one)), charged.any_law)

    def sums(self, one: Ellipsoid) -> Sums:
        """Return the sums over all steps for the regret bound (`Sums.bound`). one: the confidence ellipsoid."""
        total, groups = Sums(), len(self.groups)
        for g, (contexts, _) in enumerate(self.groups):
            met = Met(contexts.features, contexts.law, one)
            forms, rest = met.quadratic()
            for played in self.played[g::groups]:
                total.drift += played.steps * met.drift(played.chances)
                total.forms += played.steps * forms
                total.rest += played.steps * rest
        return total


class StreamedAllData(AllData):
    """Chooses the learning rates of runs of FedIGW that learn from all data so far, with contexts that are drawn one by
    one, and bounds their regret. The bound is a sum over the contexts met and does not use their distribution. All
    steps of an epoch count, including those beyond the horizon."""

    def __init__(self, federation: Federation, replications: int) -> None:
        super().__init__(federation, replications)
        refuse_mixed(federation)
        self.lanes: list[tuple[int, int, Replay]] = []  # epoch, run
        self.shown: list[list[np.ndarray]] = [[] for _ in self.rate]  # some contexts of the present epoch

    def in_use(self) -> tuple[Any, np.ndarray]:
        found = [estimate.view(Watched) for estimate in self.estimate]
        for run, estimate in enumerate(found):
            estimate.remember, estimate.watch = partial(self.remember, run), partial(self.watch, run)
            estimate.shown = SHOWN
        return found, self.rate[:, None, None]

    def played_epoch(self, epoch: int) -> None:
        super().played_epoch(epoch)
        self.shown = [[] for _ in self.rate]

    def watch(self, run: int, features: np.ndarray, scores: np.ndarray) -> None:
        """Record the features (n, K, d) of the first SHOWN contexts that the agents of a run meet in an epoch."""
        left = SHOWN - sum(map(len, self.shown[run]))
        if left > 0:
            self.shown[run].append(features[:left].copy())

    def expected(self, rate: np.ndarray, epoch: int) -> np.ndarray:
        total = []
        for estimate, gamma, shown in zip(self.estimate, rate, self.shown, strict=True):
            gram = np.zeros(2 * self.estimate.shape[1:])
            for features in shown:
                chances = self.policy.probabilities(features @ estimate, gamma)
                flat = features.reshape(-1, len(estimate))
                gram += (flat * chances.reshape(-1, 1)).T @ flat
            total.append(gram / sum(map(len, shown)))
        return sum(self.plan.full[epoch]) * np.array(total)

    def remember(self, run: int, lane: Replay) -> None:
        self.lanes.append((len(self.mean_rates) - 1, run, lane))

    def observed(self) -> Observed:
        one = self.ellipsoid()
        bound = self.sums(one).bound(one)
        return self.known(bound, bound)

    def sums(self, one: Ellipsoid) -> Sums:
        runs = [Sums() for _ in self.rate]
        for epoch, run, lane in self.lanes:
            lane(partial(self.add, runs[run], _of_run(one, run), self.mean_rates[epoch][run]))
        total = Sums()
        for name in vars(total):
            setattr(total, name, np.concatenate([vars(sums)[name] for sums in runs]))
        return total

    def add(self, sums: Sums, one: Ellipsoid, rate: float, features: np.ndarray, scores: np.ndarray) -> None:
        """Add the parts of contexts with features (n, K, d) to the sums of a run's regret bound. one: the confidence
        ellipsoid. scores: (n, K), the estimated rewards in use then. rate: the learning rate."""
        met = Met(features, np.ones(len(features)), one)
        forms, rest = met.quadratic()
        sums.drift += met.drift(self.policy.probabilities(np.array(scores), rate)[None])
        sums.forms += forms
        sums.rest += rest


def _of_run(one: Ellipsoid, run: int) -> Ellipsoid:
    return Ellipsoid(one.centre[run : run + 1], one.root[run : run + 1], one.radius[run : run + 1])


def alone(data: RidgeData) -> RidgeData:
    return RidgeData(data.count, data.gram[None], data.moment[None])


def _explained(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return y'G^+ y, shape (R,), for the Gram matrix G = `gram` and the sum y = `moment` of reward x features. It is
    subtracted from a confidence ellipsoid's squared radius. Directions whose eigenvalue is at rounding level are left
    out, which makes the result smaller, so the ellipsoid stays valid."""
    values, vectors = np.linalg.eigh(gram)
    along = np.einsum("rij,ri->rj", vectors, moment)
    kept = values > ROUNDING * values[:, -1:]
    return np.asarray((np.where(kept, along**2, 0.0) / np.where(kept, values, 1.0)).sum(axis=1))
