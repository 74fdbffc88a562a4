"""Learn by distributed accelerated gradient descent for convex functions (Nesterov, growing momentum), in ceil(sqrt n)
rounds on n samples.

The method does not use that the objective is strongly convex, and the protocol does not try to come close to the
minimiser, which would take more rounds by a logarithmic factor. After k rounds the objective is above its minimum by
the order of 1/k^2, and with k = ceil(sqrt n) this is of the order of the statistical error. With M agents in d
dimensions k rounds send M d k numbers to the server and M d (k+1) back; a run of T steps sends d sqrt(M^3 T) numbers
times a constant.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds import own_agd_convex, own_agd_rate
from bounds.errors import InputError
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from fedigw.ledger import Traffic
from linear.model import Ridge, call_cost
from linear.ridge import PooledRidge, RidgeProblem


@dataclass(frozen=True)
class ConvexAcceleratedGradient(FLProtocol):
    """Accelerated gradient descent with ceil(effort sqrt n) rounds on n samples. The bounds are for effort 1."""

    effort: float = 1.0
    name: ClassVar[str] = "agd_convex"
    needs: ClassVar[tuple[str, ...]] = ("gradients", "products")
    pools: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 < self.effort < math.inf:
            raise InputError("effort", self.effort, "must be a positive number")

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        problem.check_condition(self.name)
        n = problem.effective_samples
        step = 1 / own_agd_rate.smoothness(n)
        current = point = np.zeros(problem.dimension)
        for done in range(1, own_agd_convex.rounds(n, self.effort) + 1):
            following = point - step * problem.exchange(channel, point)
            point = following + own_agd_convex.momentum(done) * (following - current)
            current = following
        return Fitted(problem.sent(channel, self.name, current))

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        problem.check_condition(self.name)
        n = problem.effective_samples
        values, vectors = np.linalg.eigh(problem.gram / problem.samples)
        curvature = values + 1 / n
        best = np.einsum("rij,ri->rj", vectors, problem.moment / problem.samples) / curvature
        contraction = 1 - 2 * curvature / own_agd_rate.smoothness(n)
        current = point = -best  # errors w - w_S in the eigenbasis
        for done in range(1, own_agd_convex.rounds(n, self.effort) + 1):
            following = contraction * point
            point = following + own_agd_convex.momentum(done) * (following - current)
            current = following
        return np.asarray(np.einsum("rij,rj->ri", vectors, best + current))

    def guarantee(self, setting: Setting) -> Guarantee:
        model = Ridge.of(setting)

        def cost(n: int) -> Traffic:
            k = own_agd_convex.rounds(n / model.regularisation, self.effort)
            return call_cost(self.name, setting.agents, model.dimension, k)

        def distance(n: int) -> float:
            effective = n / model.regularisation
            return own_agd_convex.distance_squared(effective, own_agd_convex.rounds(effective, self.effort))

        return Guarantee(
            claim="col:linear",
            risk=lambda variant, n: own_agd_convex.excess_risk(
                model.dimension, n, model.heterogeneous, self.effort
            ),
            distance=distance,
            cost=cost,
            missing=model.unproved,
            rests_on=(("own:agd_convex", "risk"), *model.risk_statements),
        )
