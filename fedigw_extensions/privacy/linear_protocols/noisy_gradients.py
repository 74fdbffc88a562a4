"""Private ridge regression by projected gradient descent on noisy gradients. All rounds together have the requested
privacy.

In each round the server sends a point of the unit ball, and every agent answers with the sum of its gradients there.
Noise is added by the server, by every agent, or for every sample. The estimate is the mean of the R points. With M
agents in d dimensions an execution of the protocol sends MdR numbers up and Md(R+1) down.

Arguments of the functions below: n, the number of samples; sensitivity, how far one sample moves the sum of gradients;
mu, the largest ratio of sensitivity to noise, over all rounds, at which the result is (epsilon, delta)-private. The
loss F is the mean of (phi'w - r)^2 over the samples plus norm(w)^2/n. Theorem: app:noisy_gradients.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds import app_gaussian_mechanism as mechanism
from bounds import own_ridge_excess_risk
from bounds.app_noisy_statistics import PLACES, copies
from bounds.app_sensitivity import clipped_gradient, gradient
from bounds.errors import InputError, choose
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, PrivateProtocol, Setting
from fedigw.ledger import Traffic, one_call
from fedigw.privacy import subsampled
from fedigw.privacy.noise import project
from fedigw.privacy.spending import Gaussian, Spending
from fedigw.privacy.subsampled import Subsampled
from linear.model import Ridge
from linear.ridge import PooledRidge, RidgeProblem

SENSITIVITY = gradient()  # of a sum of gradients in the unit ball
LARGEST_GRADIENT = 4.0  # 2 abs(phi'w - r) norm(phi) in the unit ball: clipping at 4 or more changes nothing


def smoothness(n: int) -> float:
    return 2 * (1 + 1 / n)


def least_rounds(n: int, dimension: int, mu: float, sensitivity: float = SENSITIVITY) -> int:
    """Return the fewest rounds that minimise the bound on the loss of noisy gradient descent on n samples. mu: the
    ratio of sensitivity to noise that the privacy allows. sensitivity: how far one sample moves the sum of gradients.
    """
    return max(1, math.ceil(smoothness(n) * mu * n / (sensitivity * math.sqrt(2 * dimension))))


def step(n: int, dimension: int, mu: float, rounds: int, sensitivity: float = SENSITIVITY) -> float:
    """Return the step size of noisy gradient descent on n samples, min(1/beta, mu n/(rounds sensitivity sqrt(2
    dimension))), where beta is the smoothness of the loss. mu: the ratio of sensitivity to noise that the requested
    privacy allows."""
    return min(1 / smoothness(n), mu * n / (rounds * sensitivity * math.sqrt(2 * dimension)))


def noise(mu: float, rounds: int, sensitivity: float = SENSITIVITY) -> float:
    """Return sensitivity sqrt(rounds)/mu, the standard deviation of the noise on each coordinate of the sum of
    gradients in a round. All rounds together then have the ratio mu of sensitivity to noise."""
    return math.sqrt(rounds) * sensitivity / mu


def loss(n: int, dimension: int, mu: float, rounds: int, sensitivity: float = SENSITIVITY) -> float:
    """Return the bound on the expected loss of the estimate of noisy gradient descent, minus the loss at any given
    point of the unit ball. mu: the ratio of sensitivity to noise that the requested privacy allows."""
    eta = step(n, dimension, mu, rounds, sensitivity)
    return 1 / (2 * eta * rounds) + eta * dimension * rounds * (sensitivity / (mu * n)) ** 2


def gap(n: int, dimension: int, mu: float, rounds: int, sensitivity: float = SENSITIVITY) -> float:
    """Bound the expected loss of noisy gradient descent minus the minimum over all parameters."""
    return loss(n, dimension, mu, rounds, sensitivity) + (dimension / 4 + 1) / n


def excess_risk(
    n: int,
    dimension: int,
    mu: float,
    rounds: int,
    heterogeneous: bool = False,
    sensitivity: float = SENSITIVITY,
) -> float:
    """Return the bound on the excess risk of noisy gradient descent on n samples. mu: the ratio of sensitivity to
    noise that the requested privacy allows. heterogeneous: whether agents have different laws of features."""
    exact = float(own_ridge_excess_risk.mean(float(dimension), n, heterogeneous))
    transferred = dimension * gap(n, dimension, mu, rounds, sensitivity)
    return (math.sqrt(exact) + math.sqrt(transferred)) ** 2


MOST_ROUNDS = 10**7
BLOCK = 64  # rounds whose noise is drawn at once


@dataclass(frozen=True)
class NoisyGradients(PrivateProtocol):
    """Private ridge regression by gradient descent on noisy gradients.

    * epsilon, delta: the differential privacy of all rounds together
    * where: who adds noise: the server ("central"), every agent ("agent"), or every sample ("local")
    * rounds: the largest number of rounds; by default the fewest that minimise the bound on the loss
    * clip: the norm to which each sample's gradient is clipped; 4 or more changes nothing, below 4 no excess risk is
      proved
    * batch: how many samples each round draws without replacement. It needs central noise, the optional package `dp`
      and `rounds`, which is then the exact number; no excess risk is proved
    """

    epsilon: float = 1.0
    delta: float = 1e-5
    where: str = "central"
    rounds: int | None = None
    clip: float | None = None
    batch: int | None = None
    name: ClassVar[str] = "noisy_gradients"
    needs: ClassVar[tuple[str, ...]] = ("gradients", "clipping")
    clips: ClassVar[bool] = True  # predictions, to [0,1]: the theorem is about these

    def __post_init__(self) -> None:
        mechanism.check(self.epsilon, self.delta)
        choose("where", self.where, PLACES)
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            raise InputError("rounds", self.rounds, f"must be a positive integer up to {MOST_ROUNDS:.0e}")
        if self.clip is not None and not 0 < self.clip < math.inf:
            raise InputError("clip", self.clip, "must be a positive number")
        if self.batch is not None:
            if self.batch < 1:
                raise InputError("batch", self.batch, "must be a positive integer")
            if self.where != "central":
                raise InputError(
                    "batch", self.batch, 'is for where = "central": one batch out of all samples'
                )
            if self.rounds is None:
                raise InputError(
                    "batch", self.batch, "needs rounds: no number of rounds is proved to be enough"
                )
            subsampled.library(self.batch)

    @property
    def needs_samples(self) -> bool:
        return self.clip is not None or self.batch is not None

    @property
    def pools(self) -> bool:
        return self.where != "agent" and not self.needs_samples

    @property
    def mu(self) -> float:
        return mechanism.largest_mu(self.epsilon, self.delta)

    @property
    def sensitivity(self) -> float:
        return clipped_gradient(self.clip)

    def deviation(self, rounds: int) -> float:
        """Return the standard deviation of the noise on the sum of all agents' gradients in each round."""
        return noise(self.mu, rounds, self.sensitivity)

    def spends(self, setting: Setting, samples: int) -> Spending:
        rounds, _ = self.plan(samples, setting.agents, Ridge.of(setting).dimension)
        if self.batch is None or self.batch >= samples:
            return Gaussian(self.mu, rounds)
        return Subsampled(self._multiplier(samples, rounds), self.batch, samples, rounds)

    def _multiplier(self, samples: int, rounds: int) -> float:
        assert self.batch is not None
        return subsampled.multiplier(self.epsilon, self.delta, self.batch, samples, rounds)

    def plan(self, n: int, agents: int, dimension: int) -> tuple[int, float]:
        mu = self.mu / math.sqrt(copies(self.where, agents, n))
        least = least_rounds(n, dimension, mu, self.sensitivity)
        if self.batch is not None and self.rounds is not None:
            return self.rounds, step(n, dimension, mu, self.rounds, self.sensitivity)
        rounds = least if self.rounds is None else min(self.rounds, least)
        return rounds, step(n, dimension, mu, rounds, self.sensitivity)

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        d, n = problem.dimension, problem.samples
        rounds, eta = self.plan(n, channel.agents, d)
        deviation = self.deviation(rounds) / n  # messages are sums over n
        batch = self.batch if self.batch is not None and self.batch < n else None
        if batch is not None:
            deviation = self._multiplier(n, rounds) * self.sensitivity / batch
        point, mean = np.zeros(d), np.zeros(d)
        channel.observe(point)
        for done in range(1, rounds + 1):
            who = channel.begin_round()
            asked = channel.broadcast("point", point, (d,))
            messages = self._answers(problem, asked, who, batch, rng)
            if self.where != "central":
                own = [1 if self.where == "agent" else problem.sizes[m] for m in who]
                spread = deviation * np.sqrt(np.array(own, dtype=float))
                messages = messages + spread[:, None] * rng.standard_normal(messages.shape)
            total = channel.total("gradient", messages, (d,))
            if self.where == "central":
                total = total + deviation * rng.standard_normal(d)
            point = project(point - eta * (total + problem.shrinkage * point))
            mean += (point - mean) / done
            channel.observe(mean)
        return Fitted(channel.broadcast("estimate", mean, (d,)))

    def _answers(
        self,
        problem: RidgeProblem,
        point: np.ndarray,
        who: np.ndarray,
        batch: int | None,
        rng: np.random.Generator,
    ) -> np.ndarray:
        if not self.needs_samples:
            return problem.gradients(point, who)
        kept = problem.local.samples
        if kept is None:
            key = "batch" if self.clip is None else "clip"
            allowed = "needs the agents' samples, and only sums were kept"
            raise InputError(f"protocol.{key}", vars(self)[key], allowed)
        drawn = None if batch is None else rng.multivariate_hypergeometric(problem.sizes, batch)
        sums = []
        for m in who:
            one = kept[m]
            counts = one.counts if drawn is None else rng.multivariate_hypergeometric(one.counts, drawn[m])
            gradients = 2 * (one.features @ point - one.rewards)[:, None] * one.features
            sums.append(counts @ (gradients if self.clip is None else project(gradients, self.clip)))
        return np.stack(sums) / (problem.samples if batch is None else batch)

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        total, rounds = np.zeros(problem.moment.shape[::-1]), 0
        for _, _, reached in self.steps(problem, rng):
            total += reached
            rounds += 1
        return total.T / rounds

    def steps(
        self, problem: PooledRidge, rng: np.random.Generator
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield for each round three arrays (d, R), one column for each of R replications: the points, the noisy
        gradients there, and the points after the step. Columns are used because sums along a short last axis are slow.
        """
        n, shape = problem.samples, problem.moment.shape
        rounds, eta = self.plan(n, 1, shape[-1])
        deviation = self.deviation(rounds) * math.sqrt(copies(self.where, 1, n)) / n
        hessian = (2 / n) * (problem.gram + problem.regularisation * np.eye(shape[-1]))
        curvature = np.ascontiguousarray(hessian.transpose(1, 2, 0))
        linear = (2 / n) * problem.moment
        point = np.zeros(shape[::-1])
        for start in range(0, rounds, BLOCK):  # the same stream as round by round
            drawn = deviation * rng.standard_normal((min(BLOCK, rounds - start), *shape)) - linear
            for noise in np.ascontiguousarray(drawn.transpose(0, 2, 1)):
                seen = np.add.reduce(curvature * point, axis=1) + noise
                reached = project(point - eta * seen, axis=0)
                yield point, seen, reached
                point = reached

    def guarantee(self, setting: Setting) -> Guarantee:
        model, agents = Ridge.of(setting), setting.agents
        d = model.dimension

        def risk(variant: str, n: int) -> float:
            mu = self.mu / math.sqrt(copies(self.where, agents, n))
            rounds, _ = self.plan(n, agents, d)
            return excess_risk(n, d, mu, rounds, model.heterogeneous, self.sensitivity)

        def cost(n: int) -> Traffic:
            k, _ = self.plan(n, agents, d)
            return one_call(agents, k, (k, k * d), (k + 1, (k + 1) * d))

        missing = []
        if model.regularisation != 1.0:
            missing.append(
                f"regularisation {model.regularisation:g}: the excess risk is proved for lambda = 1/n"
            )
        if self.clip is not None and self.clip < LARGEST_GRADIENT:
            missing.append(
                f"gradients clipped at {self.clip:g} < 4 are not those of the loss: no excess risk is proved"
            )
        if self.batch is not None:
            missing.append("no excess risk is proved for gradients of random batches")
        if not model.clip:
            missing.append("noisy gradients are proved for predictions clipped to [0,1]")
        return Guarantee(
            claim="app:noisy_gradients",
            risk=risk,
            distance=lambda n: math.inf,
            cost=cost,
            missing=tuple(missing),
        )
