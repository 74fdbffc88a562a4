"""Logistic fits and runs of FedIGW with them, many at once: nothing here uses linear.generalised or the simulator.

Samples are cells: features (..., C, d), how often each was met and the sum of its rewards, (R, C).
"""

import math
from dataclasses import dataclass

import numpy as np

from bounds import own_logistic_excess_risk as theorem


def sigma(scores: np.ndarray, radius: float) -> np.ndarray:
    """Return the mean rewards of scores cut to [-B, B]."""
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -radius, radius))))


def minimisers(
    features: np.ndarray, counts: np.ndarray, sums: np.ndarray, radius: float, regularisation: float
) -> np.ndarray:
    """Return (R, d): the minimisers of sum psi(phi'w) - r phi'w + (Lam/2) norm(w)^2, by Newton's method."""
    c, d = float(theorem.least_curvature(radius)), features.shape[-1]
    found = np.zeros((len(counts), d))
    for _ in range(100):
        scores = (features @ found[..., None])[..., 0]
        inside = np.clip(scores, -radius, radius)
        mean = 1 / (1 + np.exp(-inside))
        slopes = counts * (mean + c * (scores - inside)) - sums
        gradient = (slopes[:, None, :] @ features)[:, 0] + regularisation * found
        bends = counts * mean * (1 - mean)
        hessian = np.swapaxes(features, -1, -2) @ (bends[..., None] * features) + regularisation * np.eye(d)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        found = found - step
        if np.abs(step).max() < 1e-10:
            return found
    raise ArithmeticError("Newton's method did not end")


@dataclass(frozen=True, eq=False)
class Run:
    """FedIGW with M agents in step on finite contexts: features (X, K, d), omega* (d,), and laws of contexts (G, X),
    each that of M/G agents."""

    features: np.ndarray
    laws: np.ndarray
    parameter: np.ndarray
    radius: float
    agents: int

    @property
    def arms(self) -> int:
        return int(self.features.shape[1])

    @property
    def different(self) -> bool:
        """Return whether agents have different laws."""
        return len(self.laws) > 1

    @property
    def gaps(self) -> np.ndarray:
        """Return what each arm loses, times the mean probability of its context, shape (X, K)."""
        mean = sigma(self.features @ self.parameter, self.radius)
        return np.asarray(self.laws.mean(axis=0)[:, None] * (mean.max(axis=1, keepdims=True) - mean))

    def most(self, horizon: int) -> float:
        """Return what T steps of every agent lose with the worst arms."""
        return float(self.agents * horizon * self.gaps.max(axis=1).sum())

    def regret(self, rates: list[float], horizon: int, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return (count,): the regret over T steps in epochs of 2, 2, 4, 8, ..., with rates gamma^2, gamma^3, ..."""
        d = len(self.parameter)
        lam = float(theorem.logistic(float(d), self.radius, self.different)[0])
        cells = self.features.reshape(-1, d)
        mean = sigma(cells @ self.parameter, self.radius)
        chances = np.full((count, *self.gaps.shape), 1 / self.arms)
        lost, played, length = np.zeros(count), 0, 2
        for rate in [*rates, 0.0]:
            steps = min(length, horizon - played)
            lost += self.agents * steps * (chances * self.gaps).sum(axis=(1, 2))
            played += steps
            if played == horizon:
                return lost
            each, met = self.agents // len(self.laws) * length, np.zeros((count, len(cells)), dtype=np.int64)
            for law in self.laws:
                weights = (chances * law[:, None]).reshape(count, -1)
                met += rng.multinomial(each, weights / weights.sum(axis=1, keepdims=True))
            estimates = minimisers(cells, met, rng.binomial(met, mean), self.radius, lam)
            chances = self._igw(sigma(np.einsum("xkd,rd->rxk", self.features, estimates), self.radius), rate)
            length = played
        raise ValueError("too few learning rates for the horizon")

    def rates(self, horizon: int, g2: float, plus: int) -> list[float]:
        """Return gamma^l = g sqrt(K/e_{l-1}), e = C/(n + plus), or C/n where laws differ, for l = 2, 3, ..."""
        constant = float(theorem.logistic(float(len(self.parameter)), self.radius, self.different)[1])
        found, length, ended = [], 2, 2
        while ended < horizon:
            n = self.agents * length + (0 if self.different else plus)
            found.append(math.sqrt(g2 * self.arms * n / constant))
            ended, length = 2 * ended, ended
        return found

    def _igw(self, scores: np.ndarray, rate: float) -> np.ndarray:
        """Return the arm probabilities of inverse gap weighting, shape (R, X, K)."""
        best = scores.argmax(axis=-1)[..., None]
        chances = 1 / (self.arms + rate * (scores.max(axis=-1, keepdims=True) - scores))
        np.put_along_axis(chances, best, 0.0, axis=-1)
        np.put_along_axis(chances, best, 1 - chances.sum(axis=-1, keepdims=True), axis=-1)
        return chances


def world(
    rng: np.random.Generator, dimension: int, arms: int, radius: float, agents: int, laws: int = 1
) -> Run:
    """Return a world of three contexts: in each, arms from the best direction to the worst one, and noise."""
    direction = rng.standard_normal(dimension)
    direction /= np.linalg.norm(direction)
    along = np.linspace(1, -1, arms)[:, None] * direction
    features = rng.uniform(0.7, 1, (3, 1, 1)) * along + 0.3 * rng.standard_normal((3, arms, dimension))
    features /= np.maximum(1, np.linalg.norm(features, axis=2, keepdims=True))
    return Run(features, rng.dirichlet(np.full(3, 5.0), laws), radius * direction, radius, agents)
