"""Simulate FedIGW with logistic models, many replications at once, by code that is independent of the simulator.

A cell is a pair of context and arm. Samples are stored by cell: features (..., C, d) of C cells, and for each of R
replications how often each cell was drawn and the sum of its rewards, both (R, C).
"""

import math
from dataclasses import dataclass

import numpy as np

from bounds import own_logistic_excess_risk as theorem


def sigma(scores: np.ndarray, radius: float) -> np.ndarray:
    """Return the mean reward 1/(1 + e^{-z}) for each score z, after clipping scores to [-radius, radius]."""
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -radius, radius))))


def minimisers(
    features: np.ndarray, counts: np.ndarray, sums: np.ndarray, radius: float, regularisation: float
) -> np.ndarray:
    """Return the regularised maximum-likelihood estimates of R replications in logistic regression, by Newton's method,
    shape (R, d).

    features, counts, sums: see the module. radius: beyond scores of this size the logistic loss is replaced by a
    parabola. regularisation: Lam in the term (Lam/2) norm(w)^2.
    """
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
    """A federated bandit problem with logistic rewards. All agents act at the same steps.

    features (X, K, d): of K arms in X contexts. laws (G, X): G distributions of contexts, each for an equal number of
    agents. parameter (d,): the true one. radius: a bound on its norm. agents: their number.
    """

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
        return len(self.laws) > 1

    @property
    def gaps(self) -> np.ndarray:
        """Return for each arm (mean reward of the context's best arm - mean reward of the arm) x (probability of the
        context, averaged over agents), shape (X, K)."""
        mean = sigma(self.features @ self.parameter, self.radius)
        return np.asarray(self.laws.mean(axis=0)[:, None] * (mean.max(axis=1, keepdims=True) - mean))

    def most(self, horizon: int) -> float:
        """Return the largest possible regret after `horizon` steps, when every agent always plays the worst arm."""
        return float(self.agents * horizon * self.gaps.max(axis=1).sum())

    def regret(self, rates: list[float], horizon: int, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return the regret of `count` simulations with epochs of 2, 2, 4, 8, ... steps, shape (count,). rates: the
        policy's learning rates from epoch 2 on."""
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
        """Return the policy's learning rates sqrt(g2 K/e) of epochs 2, 3, ... for K arms. The model of an epoch was
        learned from n samples and has the proved excess risk e = C/(n + plus), where C is a constant; e = C/n if agents
        have different distributions of contexts."""
        constant = float(theorem.logistic(float(len(self.parameter)), self.radius, self.different)[1])
        found, length, ended = [], 2, 2
        while ended < horizon:
            n = self.agents * length + (0 if self.different else plus)
            found.append(math.sqrt(g2 * self.arms * n / constant))
            ended, length = 2 * ended, ended
        return found

    def _igw(self, scores: np.ndarray, rate: float) -> np.ndarray:
        best = scores.argmax(axis=-1)[..., None]
        chances = 1 / (self.arms + rate * (scores.max(axis=-1, keepdims=True) - scores))
        np.put_along_axis(chances, best, 0.0, axis=-1)
        np.put_along_axis(chances, best, 1 - chances.sum(axis=-1, keepdims=True), axis=-1)
        return chances


def world(
    rng: np.random.Generator, dimension: int, arms: int, radius: float, agents: int, laws: int = 1
) -> Run:
    """Draw a logistic bandit problem with three contexts. In each context the arms' feature vectors are spread evenly
    between the direction of the true parameter and the opposite direction, plus noise. radius: the norm of the true
    parameter. laws: how many different distributions of contexts the agents have."""
    direction = rng.standard_normal(dimension)
    direction /= np.linalg.norm(direction)
    along = np.linspace(1, -1, arms)[:, None] * direction
    features = rng.uniform(0.7, 1, (3, 1, 1)) * along + 0.3 * rng.standard_normal((3, arms, dimension))
    features /= np.maximum(1, np.linalg.norm(features, axis=2, keepdims=True))
    return Run(features, rng.dirichlet(np.full(3, 5.0), laws), radius * direction, radius, agents)
