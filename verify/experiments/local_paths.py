"""Compute exact expectations of what local stochastic gradient methods reach on small convex problems, by following
every sequence of draws.

An agent draws one of its S samples at every local step, so a round of two agents with K local steps ends in S^(2K)
equally likely states. One sequence of draws is a path. Arrays of states have a leading axis of paths; with full local
gradients there is one path. Numbers are floats or, for least squares, also Fractions in object arrays. The code shares
nothing with the protocols of fedigw or with local_moments.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from bounds.local_steps import Method, sampled


@dataclass(frozen=True)
class Losses:
    """The losses of M agents with S samples each: features (M, S, d), rewards (M, S), weights of the agents (M,).

    A sample (phi, r) has the loss psi(phi'x) - r phi'x + (ridge/2) norm(x)^2 at the point x, where psi(z) is z^2/2, or
    ln(1 + e^z) if `logistic`. An agent's loss is the mean over its samples. The first `shared` of the d coordinates are
    common to all agents.
    """

    features: np.ndarray
    rewards: np.ndarray
    weights: np.ndarray
    ridge: Any
    shared: int
    logistic: bool = False

    def gradient(self, m: int, points: np.ndarray) -> np.ndarray:
        """Return the gradients of the loss of each sample of agent m at points (..., d), shape (..., S, d)."""
        phi, y = self.features[m], points[..., None, :]
        z = (y * phi).sum(axis=-1)
        slope = 1 / (1 + np.exp(-z)) if self.logistic else z
        return (slope - self.rewards[m])[..., None] * phi + self.ridge * y

    def value(self, points: np.ndarray) -> np.ndarray:
        """Return the weighted sum of the agents' losses at states (n, M, d), shape (n,)."""
        z = (points[:, :, None, :] * self.features).sum(axis=-1)
        losses = (np.logaddexp(0, z) if self.logistic else z * z / 2) - self.rewards * z
        whole = losses.mean(axis=-1) + self.ridge * (points**2).sum(axis=-1) / 2
        return np.asarray((whole * self.weights).sum(axis=-1))

    def mean_gradients(self, points: np.ndarray) -> np.ndarray:
        return np.stack([self.gradient(m, x).mean(axis=0) for m, x in enumerate(points)])

    def average(self, points: np.ndarray) -> np.ndarray:
        """Return states (..., M, d) with the shared coordinates replaced by their weighted average over agents."""
        result, a = points.copy(), self.shared
        common = (points[..., :a] * self.weights[:, None]).sum(axis=-2)
        result[..., :a] = common[..., None, :]
        return result

    def norm(self, points: np.ndarray) -> np.ndarray:
        """Return the squared norm of each state (..., M, d), shape (...): the weighted mean of the agents' squared
        norms."""
        return np.asarray(((points**2).sum(axis=-1) * self.weights).sum(axis=-1))

    def _curvature(self, points: np.ndarray) -> np.ndarray:
        z = (points[:, None, :] * self.features).sum(axis=-1)
        bend = 1 / (2 + np.exp(z) + np.exp(-z)) if self.logistic else 1 + 0 * z
        outer = self.features[..., :, None] * self.features[..., None, :]
        ridge = self.ridge * np.eye(self.features.shape[-1], dtype=int)
        return np.asarray((bend[..., None, None] * outer).mean(axis=1) + ridge)

    @property
    def _places(self) -> np.ndarray:
        agents, _, d = self.features.shape
        own = self.shared + np.arange(agents * (d - self.shared)).reshape(agents, -1)
        return np.hstack([np.tile(np.arange(self.shared), (agents, 1)), own])

    @cached_property
    def best(self) -> np.ndarray:
        """Return the state (M, d) that minimises the weighted sum of losses. It is exact for least squares in
        Fractions."""
        places, point = self._places, 0 * self.features[:, 0]
        count = int(places.max()) + 1
        for _ in range(60 if self.logistic else 1):
            slopes, bends = self.mean_gradients(point), self._curvature(point)
            system = np.zeros((count, count + 1), dtype=point.dtype) + 0 * self.ridge
            for m, p in enumerate(self.weights):
                system[np.ix_(places[m], places[m])] += p * bends[m]
                system[places[m], -1] += p * slopes[m]
            point = point - solved(system)[places]
        return point

    @cached_property
    def mu(self) -> float:
        """Return a strong convexity constant of the weighted sum of losses. For least squares it is the smallest
        eigenvalue of the Hessian, for logistic losses the lower bound `ridge`."""
        if self.logistic:
            return float(self.ridge)
        places = self._places
        whole = np.zeros((int(places.max()) + 1,) * 2)
        scale = np.zeros(len(whole))
        for m, p in enumerate(self.weights):
            whole[np.ix_(places[m], places[m])] += p * self._curvature(self.best)[m].astype(float)
            scale[places[m]] += float(p)
        return float(np.linalg.eigvalsh(whole / np.sqrt(np.outer(scale, scale)))[0])

    @cached_property
    def beta(self) -> Any:
        return (self.features**2).sum(axis=-1).max() / (4 if self.logistic else 1) + self.ridge

    @cached_property
    def noise(self) -> tuple[Any, Any, Any]:
        """Return three numbers at the minimiser: p v + w, v + w, and the mean squared norm of the agents' gradients. v
        and w are the variances of one sample's gradient on the shared and on the personal coordinates, as weighted
        means over agents; p is the largest weight of an agent."""
        found = np.stack([self.gradient(m, x) for m, x in enumerate(self.best)])
        mean = found.mean(axis=1)
        parts = ((found - mean[:, None]) ** 2).mean(axis=1) * self.weights[:, None]
        common, own = parts[:, : self.shared].sum(), parts[:, self.shared :].sum()
        return self.weights.max() * common + own, common + own, self.norm(mean)


def solved(system: np.ndarray) -> np.ndarray:
    """Return the solution x of A x = b by elimination, given the matrix [A | b] with A positive definite."""
    rows = system.copy()
    for i in range(len(rows)):
        rows[i] = rows[i] / rows[i, i]
        for j in range(len(rows)):
            if j != i:
                rows[j] = rows[j] - rows[j, i] * rows[i]
    return np.asarray(rows[:, -1])


@dataclass(frozen=True)
class Setting:
    """A method with local steps (FedAvg, LSGD-PFL or SCAFFOLD) on given losses, for checks of the convergence theorem
    in bounds/local_steps.py ("Theorem G").

    * step: local steps x local step size x server step
    * variates: SCAFFOLD's option 1 or 2, or 0 for a method without control variates
    * full: whether local gradients are over all samples of the agent
    * picked: how many agents are drawn for each round; 0: all take part
    """

    losses: Losses
    method: Method
    step: Any
    local_steps: int
    server_step: Any
    variates: int = 0
    full: bool = False
    picked: int = 0

    @property
    def terms(self) -> tuple[Any, Any]:
        """Return the constants (c1, c2) of Theorem G's inequality for one round, whose right side is c1 step^2 + c2
        step^3."""
        tau2, sigma2, zeta2 = self.losses.noise
        if self.full:
            tau2 = sigma2 = 0 * zeta2
        K, g, beta = self.local_steps, self.server_step, self.losses.beta
        u = self.step * beta
        if self.picked:
            c1 = sampled(K + 0 * u, g, u, sigma2, zeta2, self.picked, len(self.losses.weights))
            return c1, self.method.c2(K + 0 * u, g, beta, zeta2)
        return self.method.c1(K + 0 * u, g, u, tau2, sigma2), self.method.c2(K + 0 * u, g, beta, zeta2)

    def psi(self, points: np.ndarray, controls: np.ndarray) -> Any:
        """Return the quantity that Theorem G bounds, as a mean over paths: the squared distance of the points from the
        minimiser. For SCAFFOLD, a multiple of the squared error of the control variates is added."""
        losses, a = self.losses, self.method.weight(self.step, self.server_step, self.losses.beta)
        error = losses.norm(controls - losses.mean_gradients(losses.best))
        return (losses.norm(points - losses.best) + (a * error if self.variates else 0)).mean()

    def round(self, points: np.ndarray, controls: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return points and control variates, each (paths, M, d), after a round. Every path before the round becomes
        many, one for each sequence of draws in the round."""
        losses, size = self.losses, self.step / (self.local_steps * self.server_step)
        correction = losses.average(controls) - controls if self.variates else 0 * controls
        ends = []
        for m in range(len(losses.weights)):
            y = points[:, m, None, :]
            for _ in range(self.local_steps):
                slopes = losses.gradient(m, y)
                slopes = slopes.mean(axis=2, keepdims=True) if self.full else slopes
                y = (y[:, :, None] - size * (slopes + correction[:, m, None, None])).reshape(
                    len(points), -1, y.shape[-1]
                )
            ends.append(y)
        count = ends[0].shape[1]
        each = np.stack(np.meshgrid(*[np.arange(count)] * len(ends), indexing="ij")).reshape(len(ends), -1)
        moved = np.stack([y[:, each[m]] for m, y in enumerate(ends)], axis=2)
        start = np.broadcast_to(points[:, None], moved.shape)
        after = start + self.server_step * self._server(moved - start)
        if self.variates == 2:
            renewed = -correction[:, None] + (start - moved) / (self.local_steps * size)
        elif self.variates == 1:
            renewed = np.stack([losses.gradient(m, start[:, :, m]).mean(axis=2) for m in range(len(ends))], 2)
        else:
            renewed = 0 * moved
        flat = (-1, *points.shape[1:])
        renewed = np.broadcast_to(renewed, after.shape)
        return after.reshape(flat), renewed.reshape(flat)

    def _server(self, moves: np.ndarray) -> np.ndarray:
        if not self.picked:
            return self.losses.average(moves)
        choices = list(combinations(range(moves.shape[2]), self.picked))
        means = [moves[:, :, choice].mean(axis=2, keepdims=True) for choice in choices]
        return np.stack([np.broadcast_to(mean, moves.shape) for mean in means])

    def one_round(self, point: np.ndarray, controls: np.ndarray) -> tuple[Any, Any]:
        """Return both sides of Theorem G's inequality for one round, E Psi+ - d - (2/3) a C + 2 h gap <= c1 h^2 + c2
        h^3.

        Before the round, d is the squared distance from the minimiser, C the squared error of the control variates, and
        gap the loss above its minimum. After the round, Psi+ is the sum d + a C. The number h is `step`, and a, c1 and
        c2 are constants of the theorem.
        """
        losses, x, c = self.losses, point[None], controls[None]
        d = losses.norm(x - losses.best).mean()
        gap = (losses.value(x) - losses.value(losses.best[None])).mean()
        c1, c2 = self.terms
        third = (self.psi(x, c) - d) / 3
        left = self.psi(*self.round(x, c)) - d - 2 * third + 2 * self.step * gap
        return left, c1 * self.step**2 + c2 * self.step**3

    def run(self, point: np.ndarray, rounds: int) -> tuple[float, float, float]:
        """Carry out `rounds` rounds from `point` with zero control variates. Return `psi` at the start, the expected
        `psi` after the last round, and the expected loss above its minimum at the weighted average of the points before
        each round. From round to round the weights grow by the factor 1/(1 - mu step/2), with `mu` of the losses."""
        losses, q = self.losses, 1 - self.losses.mu * self.step / 2
        x, c = point[None].astype(float), np.zeros_like(point[None], dtype=float)
        start, total, mean = self.psi(x, c), 0.0, np.zeros_like(x)
        for _ in range(rounds):
            total = q * total + 1
            mean = mean + (x - mean) / total
            after, c = self.round(x, c)
            mean, x = np.repeat(mean, len(after) // len(x), axis=0), after
        gap = (losses.value(mean) - losses.value(losses.best[None])).mean()
        return float(start), float(self.psi(x, c)), float(gap)
