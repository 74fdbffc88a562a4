"""Private ridge regression from noisy sums, w = (V + N + (tau + B)I)^{-1}(b + z).

V = sum phi phi' and b = sum r phi are sums over the samples (phi, r) of all agents. N and z are Gaussian noise, B
bounds the norm of N with high probability, and tau >= 1 is a regulariser. In one round agents send their parts of V
(its upper triangle) and b, and the server sends the estimate w, which depends on the data only through the noisy
sums and is therefore private. Theorem: app:noisy_statistics.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds import app_gaussian_mechanism as mechanism
from bounds import app_noisy_statistics as theorem
from bounds.errors import InputError, choose
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, PrivateProtocol, Setting
from fedigw.ledger import one_call
from fedigw.privacy.noise import symmetric
from fedigw.privacy.spending import Gaussian
from linear.model import Ridge
from linear.ridge import PooledRidge, RidgeProblem, unpacked


@dataclass(frozen=True)
class NoisyStatistics(PrivateProtocol):
    """Private ridge regression from noisy sums of data.

    * epsilon, delta: the differential privacy of one execution of the protocol
    * where: who adds noise: the server ("central"), every agent to its own sums ("agent"), or every sample ("local")
    * tau: the regulariser, at least 1, added to the bound on the norm of the noise matrix; by default max(1, 2 sigma
      sqrt d) for noise of standard deviation sigma
    """

    epsilon: float = 1.0
    delta: float = 1e-5
    where: str = "central"
    tau: float | None = None
    name: ClassVar[str] = "noisy_statistics"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments", "clipping")
    clips: ClassVar[bool] = True  # the theorem is about predictions clipped to [0,1]

    def __post_init__(self) -> None:
        mechanism.check(self.epsilon, self.delta)
        choose("where", self.where, theorem.PLACES)
        if self.tau is not None and not 1 <= self.tau < math.inf:
            raise InputError("tau", self.tau, "must be a number of at least 1")

    @property
    def pools(self) -> bool:
        return self.where != "agent"

    @property
    def deviation(self) -> float:
        return theorem.deviation(mechanism.largest_mu(self.epsilon, self.delta))

    def spends(self, setting: Setting, samples: int) -> Gaussian:
        return Gaussian(mechanism.largest_mu(self.epsilon, self.delta))

    def fit(self, problem: RidgeProblem, channel: Channel, memory: Any, rng: np.random.Generator) -> Fitted:
        d, n = problem.dimension, problem.samples
        channel.observe(np.zeros(d))
        who = channel.begin_round()
        messages = problem.statistics(who)
        if self.where != "central":
            noises = [1 if self.where == "agent" else problem.sizes[m] for m in who]
            messages = messages + np.stack([self._noise(d, n, k, rng) for k in noises])
        total = channel.total("gram and moment", messages, messages[0].shape)
        if self.where == "central":
            total = total + self._noise(d, n, 1, rng)
        gram, moment = unpacked(total * (n / 2), d)
        estimate = self._solve(gram[None], moment[None], n, channel.agents)[0]
        return Fitted(channel.broadcast("estimate", estimate, (d,)))

    def _noise(self, dimension: int, n: int, copies: int, rng: np.random.Generator) -> np.ndarray:
        deviation = self.deviation * math.sqrt(copies) * 2 / n
        matrix = symmetric(rng, (dimension, dimension), deviation)
        return np.concatenate(
            [matrix[np.triu_indices(dimension)], deviation * rng.standard_normal(dimension)]
        )

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        return self._solve(*self.released(problem, rng), problem.samples, 1)

    def released(self, problem: PooledRidge, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return the noisy Gram matrices (R, d, d) and the noisy sums of reward x feature (R, d), one for each of R
        replications. Estimates are computed from these alone, which makes them private."""
        sigma = self.total_deviation(problem.samples, 1)
        gram = problem.gram + symmetric(rng, problem.gram.shape, sigma)
        return gram, problem.moment + sigma * rng.standard_normal(problem.moment.shape)

    def _solve(self, gram: np.ndarray, moment: np.ndarray, n: int, agents: int) -> np.ndarray:
        """Return the ridge estimates (R, d) from the noisy sums. If the noise is improbably large, the system may
        not be positive definite; then small eigenvalues are raised to the regulariser, which costs no privacy."""
        d = moment.shape[-1]
        sigma = self.total_deviation(n, agents)
        tau = self.used_tau(sigma, d)
        shift = tau + theorem.norm_bound(sigma, d, theorem.failure(n))
        values, vectors = np.linalg.eigh(gram)
        coordinates = np.einsum("rij,ri->rj", vectors, moment) / np.maximum(values + shift, tau)
        return np.asarray(np.einsum("rij,rj->ri", vectors, coordinates))

    def total_deviation(self, n: int, agents: int) -> float:
        return self.deviation * math.sqrt(theorem.copies(self.where, agents, n))

    def used_tau(self, sigma: float, dimension: int) -> float:
        return theorem.usual_tau(sigma, dimension) if self.tau is None else self.tau

    def guarantee(self, setting: Setting) -> Guarantee:
        model, agents = Ridge.of(setting), setting.agents
        d = model.dimension

        def risk(variant: str, n: int) -> float:
            sigma = self.total_deviation(n, agents)
            return theorem.excess_risk(d, n, sigma, self.used_tau(sigma, d))

        missing = []
        if model.heterogeneous:
            missing.append("noisy statistics are proved for agents with one law of features")
        if not model.clip:
            missing.append("noisy statistics are proved for predictions clipped to [0,1]")
        call = one_call(agents, 1, (1, d * (d + 1) // 2 + d), (1, d))
        return Guarantee(
            claim="app:noisy_statistics",
            risk=risk,
            distance=lambda n: math.inf,
            cost=lambda n: call,
            missing=tuple(missing),
        )
