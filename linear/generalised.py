"""Learn generalised linear models: mean rewards are a link function of phi'w; estimates minimise a convex loss.

On n samples of features phi and rewards r the objective is F(w) = mean of loss(phi'w, r) + c Lam norm(w)^2/(2n), where
Lam is the regularisation and c the loss's `weight`, 1 for the logistic and 2 for the squared loss. With the squared
loss this is ridge regression, which needs only sums over samples (linear/ridge.py). Other losses need the samples
themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bounds import own_logistic_excess_risk as theorem
from bounds.compression import Known
from bounds.local_steps import METHODS, OnAnyData
from bounds.own_agd_rate import Geometric
from fedigw.federation import keys_of
from fedigw.interfaces import Loss
from fedigw.local_problem import LocalProblem
from fedigw.local_steps import Constants
from fedigw.running import DataError, SolverError
from linear.losses.logistic import Logistic
from linear.model import LinearModel
from linear.problem import EstimateProblem
from linear.quadratics import Samples, WithSamples
from linear.ridge import RidgeData, checked_dimension, in_unit_ball

GRID = 2001  # scores at which it is looked up whether a slope is link(z) - r


@dataclass(frozen=True)
class LocalLosses(WithSamples, LocalProblem):
    """The agents' own objectives: mean loss on the agent's samples plus (ridge/2) times the squared norm. weights:
    (M,), each agent's weight in the joint objective."""

    loss: Loss
    weights: np.ndarray
    ridge: float
    samples: Sequence[Samples]

    @property
    def width(self) -> int:
        return int(self.samples[0].features.shape[1])

    @property
    def shared(self) -> int:
        return self.width

    @property
    def strong_convexity(self) -> float:
        return self.ridge

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the agents' distinct samples, padded to S rows each: features (M, S, d), rewards (M, S), shares (M,
        S). A share is the fraction of the agent's samples that are equal to the row; it is 0 in padding."""
        longest = max(len(s.rewards) for s in self.samples)
        features = np.zeros((len(self.samples), longest, self.width))
        rewards, shares = np.zeros(features.shape[:2]), np.zeros(features.shape[:2])
        for m, s in enumerate(self.samples):
            own = slice(0, len(s.rewards))
            features[m, own], rewards[m, own] = s.features, s.rewards
            shares[m, own] = s.counts / s.counts.sum()
        return features, rewards, shares

    def _of(self, who: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        features, rewards, shares = self.rows
        everyone = len(who) == len(self.weights)
        return (features, rewards, shares) if everyone else (features[who], rewards[who], shares[who])

    @cached_property
    def grams(self) -> np.ndarray:
        features, _, shares = self.rows
        return np.asarray(np.einsum("ms,msi,msj->mij", shares, features, features))

    def curvatures(self) -> np.ndarray:
        least = np.maximum(np.linalg.eigvalsh(self.grams)[:, 0], 0.0)
        return np.asarray(self.loss.curvatures[0] * least + self.ridge)

    def smoothness(self, batch: int | None) -> float:
        if batch is None:
            steepest = float(np.linalg.eigvalsh(self.grams).max())
        else:
            steepest = float((self.rows[0] ** 2).sum(axis=-1).max())
        return self.loss.curvatures[1] * steepest + self.ridge

    def local_gradients(
        self, points: np.ndarray, who: np.ndarray, batch: int | None, rng: np.random.Generator
    ) -> np.ndarray:
        if batch is None:
            features, rewards, shares = self._of(who)
        else:
            features, rewards = self.draw(who, batch, rng)
            shares = np.full(rewards.shape, 1 / batch)
        scores = np.matmul(features, points[..., None])[..., 0]
        slopes = shares * self.loss.slope(scores, rewards)
        return np.asarray(np.matmul(slopes[:, None, :], features)[:, 0] + self.ridge * points)

    def values(self, points: np.ndarray, who: np.ndarray) -> np.ndarray:
        """Return the objective of each agent in `who` at its own point, shape (P,). points: (P, d)."""
        features, rewards, shares = self._of(who)
        losses = self.loss.value(np.matmul(features, points[..., None])[..., 0], rewards)
        return np.asarray((shares * losses).sum(axis=1) + self.ridge / 2 * (points**2).sum(axis=1))

    def hessians(self, points: np.ndarray, who: np.ndarray) -> np.ndarray:
        """Return the Hessian of the objective of each agent in `who` at its point, (P, d, d). points: (P, d)."""
        features, rewards, shares = self._of(who)
        bends = shares * self.loss.bend(np.matmul(features, points[..., None])[..., 0], rewards)
        found = np.matmul(features.transpose(0, 2, 1) * bends[:, None, :], features)
        return np.asarray(found + self.ridge * np.eye(self.width))

    def local_minimisers(self, anchors: np.ndarray, who: np.ndarray, proximal: float) -> np.ndarray:
        rng = np.random.default_rng(0)  # nothing is drawn

        def value(points: np.ndarray) -> np.ndarray:
            return self.values(points, who) + proximal / 2 * ((points - anchors) ** 2).sum(axis=1)

        def slope(points: np.ndarray) -> np.ndarray:
            return self.local_gradients(points, who, None, rng) + proximal * (points - anchors)

        def bend(points: np.ndarray) -> np.ndarray:
            return self.hessians(points, who) + proximal * np.eye(self.width)

        return newton(np.array(anchors, dtype=float), value, slope, bend)

    def minimiser(self) -> np.ndarray:
        """Return the minimiser (d,) of the joint objective, the weighted sum of the agents' objectives."""
        everyone, rng, p = np.arange(len(self.weights)), np.random.default_rng(0), self.weights

        def spread(point: np.ndarray) -> np.ndarray:
            return np.broadcast_to(point[0], (len(p), self.width))

        def value(point: np.ndarray) -> np.ndarray:
            return np.atleast_1d(p @ self.values(spread(point), everyone))

        def slope(point: np.ndarray) -> np.ndarray:
            return np.asarray(p @ self.local_gradients(spread(point), everyone, None, rng))[None]

        def bend(point: np.ndarray) -> np.ndarray:
            return np.asarray(np.tensordot(p, self.hessians(spread(point), everyone), 1))[None]

        return np.asarray(newton(np.zeros((1, self.width)), value, slope, bend)[0])


Function = Callable[[np.ndarray], np.ndarray]


def newton(start: np.ndarray, value: Function, slope: Function, bend: Function) -> np.ndarray:
    """Return the minimisers (P, d) of P strongly convex functions by Newton's method, halving steps that do not
    decrease the function. value, slope, bend: the functions, their gradients and their Hessians, at P points."""
    # it stops by the decrement g'H^{-1}g of gradient g and Hessian H, about twice the gap to the minimum; rounding
    # leaves about (1e-16)^2/mu of it, mu the strong convexity
    points, before = start, np.full(len(start), np.inf)
    for _ in range(200):
        slopes = slope(points)
        steps = np.linalg.solve(bend(points), slopes[..., None])[..., 0]
        decrement = (slopes * steps).sum(axis=1)
        if not np.isfinite(decrement).all():
            break
        if (decrement <= 1e-26).all() or ((decrement <= 1e-20) & (decrement >= before / 4)).all():
            return points
        before, now, share = decrement, value(points), np.ones(len(points))
        for _ in range(50):
            found = value(points - share[:, None] * steps)
            worse = found > now - 1e-4 * share * decrement + 1e-15 * np.abs(now)
            if not worse.any():
                break
            share[worse] /= 2
        points = points - share[:, None] * steps
    raise SolverError("Newton's method does not end: the loss is not smooth enough")


class GeneralisedProblem(EstimateProblem):
    """The learning problem of one call of a protocol, for a generalised linear model. In every answer, row m is
    computed from the data of agent m only."""

    def __init__(
        self, datasets: Sequence[RidgeData], epoch: int, model: GeneralisedLinear, unit_ball: bool = True
    ) -> None:
        self.dimension, self.epoch = checked_dimension(datasets, epoch, unit_ball), epoch
        kept = [data.samples.or_zero() for data in datasets if data.samples is not None]
        if len(kept) < len(datasets):
            raise DataError(
                f"epoch {epoch}: the {model.loss.name} loss needs the samples, and only sums were kept"
            )
        self.within_ball = all(in_unit_ball(data) for data in datasets)
        self.sizes = tuple(int(data.count) for data in datasets)
        self._samples, self.model = sum(self.sizes), model
        self.regularisation, self.tolerance = model.regularisation, model.tolerance
        self.error = model.reach(self._samples, 1.0)
        self.descent = model.descent
        self.on_any_data = model.on_any_data(self._samples)
        weights = np.array(self.sizes) / self._samples
        self._local = LocalLosses(model.loss, weights, self.shrinkage, kept)

    @property
    def samples(self) -> int:
        return self._samples

    @property
    def local(self) -> LocalLosses:
        return self._local

    @property
    def effective_samples(self) -> float:
        return self.model.effective_samples(self._samples)

    @property
    def shrinkage(self) -> float:
        return self.model.loss.weight * self.regularisation / self._samples

    @property
    def smoothness(self) -> float:
        return self.model.loss.curvatures[1] + self.shrinkage

    def minimiser(self) -> np.ndarray:
        return self._minimiser

    @cached_property
    def _minimiser(self) -> np.ndarray:
        return self.local.minimiser()

    def gradients(self, point: np.ndarray, who: np.ndarray | None = None) -> np.ndarray:
        local = self.local
        who = np.arange(len(local.weights)) if who is None else who
        points = np.broadcast_to(point, (len(who), self.dimension))
        whole = local.local_gradients(points, who, None, np.random.default_rng(0))
        return np.asarray(local.weights[who, None] * (whole - local.ridge * points))

    def gap(self, parameters: np.ndarray) -> float:
        return max(0.0, float(self.mean(np.array(self._values(parameters)))) - self._least)

    @cached_property
    def _least(self) -> float:
        return self._values(self.minimiser())

    def _values(self, parameters: np.ndarray) -> Any:
        points, local = np.atleast_2d(parameters), self.local
        everyone = np.arange(len(local.weights))
        found = [
            float(local.weights @ local.values(np.broadcast_to(point, (len(everyone), len(point))), everyone))
            for point in points
        ]
        return found if np.ndim(parameters) == 2 else found[0]

    def constants(self) -> Constants:
        """Return the constants in convergence rates of local methods such as FedAvg, computed from these data."""
        local, zero, best = self.local, np.zeros(self.dimension), self.minimiser()
        everyone = np.arange(len(local.weights))
        at_best = np.broadcast_to(best, (len(everyone), len(best)))
        slopes = local.local_gradients(at_best, everyone, None, np.random.default_rng(0))
        flattest = float(np.linalg.eigvalsh(np.tensordot(local.weights, local.grams, 1))[0])
        return Constants(
            smoothness=local.smoothness(None),
            strong_convexity=self.model.loss.curvatures[0] * max(flattest, 0.0) + local.ridge,
            heterogeneity=float(local.weights @ (slopes**2).sum(axis=1)),
            start=self.gap(zero),
            distance=self.distance(zero),
            quadratic=False,
        )


@dataclass(frozen=True)
class GeneralisedLinear(LinearModel):
    """The generalised linear model that minimises the regularised sum of `loss` and predicts by its link function."""

    loss: Loss = field(default_factory=Logistic)
    usual_protocol: ClassVar[str] = "agd"
    descent_rate: ClassVar[tuple[str, str]] = ("own:agd_rate", "all_functions")
    claim: ClassVar[str] = "own:logistic_excess_risk"
    certified_claim: ClassVar[str] = "own:logistic_excess_risk"
    rounds_claim: ClassVar[str] = "own:logistic_excess_risk"
    needs_samples: ClassVar[bool] = True

    @property
    def canonical(self) -> tuple[float, float]:
        """Return the least and the largest second derivative of psi, where the loss of score z and reward r is c
        (psi(z) - r z) for a number c, its `weight`."""
        least, largest = self.loss.curvatures
        return least / self.loss.weight, largest / self.loss.weight

    def scores(self, parameters: np.ndarray, contexts: np.ndarray) -> np.ndarray:
        return self.loss.link(np.einsum("xkd,...d->...xk", contexts, np.asarray(parameters)))

    def offers(self, need: str) -> bool:
        return need in ("gradients", "local_gradients", "local_minimisers", "strong convexity")

    def words(self, kind: str) -> str:
        return f"{kind} models with a {self.loss.name} loss"

    def effective_samples(self, n: int) -> float:
        return self.canonical[1] * n / self.regularisation

    @cached_property
    def descent(self) -> Geometric:
        return Geometric(Fraction(1), Fraction(2 * self._start / self.loss.curvatures[1]))

    @cached_property
    def _start(self) -> float:
        """Return the largest value, over all rewards r, of the loss at score 0 minus its minimum over scores. The
        difference is convex in r, so only r = 0 and r = 1 are tried."""
        rewards, high = np.array([0.0, 1.0]), np.ones(2)
        while (self.loss.slope(np.array([-high[0], high[1]]), rewards) * [-1, 1] < 0).any() and high[0] < 1e9:
            high = 2 * high
        low = -high
        for _ in range(100):
            middle = (low + high) / 2
            rising = self.loss.slope(middle, rewards) > 0
            low, high = np.where(rising, low, middle), np.where(rising, middle, high)
        return float((self.loss.value(np.zeros(2), rewards) - self.loss.value(high, rewards)).max())

    @property
    def constant(self) -> float:
        """Return n times the proved excess risk after n samples, or infinity if the regularisation is too small."""
        c, L = self.canonical
        if not c > 0 or self.regularisation <= theorem.threshold(c, L, self.heterogeneous):
            return math.inf
        radius, d = self.loss.radius, float(self.dimension)
        return float(theorem.coefficient(d, radius, c, L, self.regularisation, self.heterogeneous))

    def risk(self, n: int) -> float:
        """Return the proved mean excess risk of the exact minimiser over n samples. If none is proved, return that for
        the best regularisation; it then only sets the learning rates."""
        c, L = self.canonical
        found = self.constant
        if math.isinf(found):
            found = theorem.best(
                float(self.dimension), self.loss.radius, max(c, L / 4), L, self.heterogeneous
            )[1]
        return found / (n if self.heterogeneous else n + 1)

    def charged_risk(self, variant: str, n: int) -> float:
        return self.risk(n) if variant != "best" or self.heterogeneous else self.risk(n) * (n + 1) / n

    def reach(self, n: int, tolerance: float) -> float:
        return tolerance**2 * self.risk(n) / self.canonical[1] ** 2

    def on_any_data(self, n: int) -> OnAnyData:
        """Return constants, such as curvatures, that hold for every learning problem with n samples. They follow from
        one number: by how much a loss at score 0 can exceed its minimum."""
        mu = self.loss.weight * self.regularisation / n
        beta, start = self.loss.curvatures[1] + mu, self._start
        return OnAnyData(beta, mu, start / mu, 2 * beta * start, self.reach(n, 1.0))

    @property
    def schedules(self) -> tuple[str, ...]:
        return tuple(METHODS)

    @property
    def risk_statements(self) -> tuple[tuple[str, str], ...]:
        return ((self.claim, "different_laws" if self.heterogeneous else "same_law"),)

    @property
    def unproved(self) -> tuple[str, ...]:
        c, L = self.canonical
        found = []
        if not c > 0:
            found.append(
                f"loss {self.loss.name}: its curvature may vanish, and the excess risk divides by it"
            )
        elif math.isinf(self.constant):
            least = theorem.threshold(c, L, self.heterogeneous)
            found.append(
                f"regularisation {self.regularisation:g}: the excess risk is proved above {least:.6g}"
            )
        scores = np.linspace(-self.loss.radius, self.loss.radius, GRID)
        for reward in (0.0, 1.0):
            rewards = np.full(GRID, reward)
            other = self.loss.weight * (self.loss.link(scores) - rewards)
            if np.abs(self.loss.slope(scores, rewards) - other).max() > 1e-9:
                found.append(f"loss {self.loss.name}: its slope is not a multiple of link(z) - r")
                break
        return tuple(found)

    def problem(self, datasets: Sequence[RidgeData], epoch: int) -> GeneralisedProblem:
        return GeneralisedProblem(datasets, epoch, self)

    def known(self, n: int, agents: int, equal: bool) -> Known:
        raise NotImplementedError  # only compressed protocols ask, and they need what is not offered here

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"loss": keys_of(self.loss)}


def generalised(
    dimension: int, loss: Loss, regularisation: float | None, tolerance: float, heterogeneous: bool
) -> GeneralisedLinear:
    """Return the generalised linear model with this loss. If no regularisation is given, take the one with the least
    proved excess risk. heterogeneous: whether the agents' contexts have different distributions."""
    if regularisation is None:
        least, largest = (curvature / loss.weight for curvature in loss.curvatures)
        floor = max(least, largest / 4)  # a loss whose curvature may vanish has no proved risk
        regularisation = float(theorem.best(float(dimension), loss.radius, floor, largest, heterogeneous)[0])
    return GeneralisedLinear(dimension, regularisation, tolerance, heterogeneous, loss)
