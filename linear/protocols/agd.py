"""Learn by distributed accelerated gradient descent (Nesterov, constant step), in the rounds that its rate requires.

In each round the server sends a point and every agent answers with its gradient there; at the end the server sends the
estimate. With M agents in d dimensions k rounds send M d k numbers to the server and M d (k+1) back. For the squared
loss on n samples k = ceil(sqrt(n+1) ln(1.25 n/eps)), where eps is the squared distance from the minimiser that the
tolerance allows. For another loss with largest curvature L and regularisation Lam, n becomes L n/Lam and 1.25 becomes 2
(F(0) - inf F)/L, where F is the objective.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds import own_agd_rate
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, Guarantee, Memory, Setting
from fedigw.ledger import Traffic
from linear.model import LinearModel, Solver, call_cost, near_minimiser
from linear.problem import EstimateProblem
from linear.ridge import PooledRidge
from linear.spectral import agd_jump


@dataclass(frozen=True)
class AcceleratedGradient(Solver):
    """Accelerated gradient descent. tolerance: the result's excess risk is at most (1 + tolerance)^2 times the
    minimiser's; if not set, the model's tolerance is used. early_stopping: whether to stop as soon as the norm of the
    gradient proves this, which needs no further message."""

    early_stopping: bool = False
    name: ClassVar[str] = "agd"
    needs: ClassVar[tuple[str, ...]] = ("gradients",)

    @property
    def pools(self) -> bool:
        return not self.early_stopping

    @property
    def adaptive(self) -> bool:
        return self.early_stopping

    def fit(
        self, problem: EstimateProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        problem.check_condition(self.name)
        target = problem.target(self.tolerance)
        # stop when norm(grad)/mu <= sqrt(target)
        enough = problem.shrinkage * math.sqrt(target) if self.early_stopping else -1.0
        rounds = problem.descent.rounds(problem.effective_samples, target)
        return Fitted(descend(problem, channel, rounds, enough))

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        problem.check_condition(self.name)
        n, samples = problem.effective_samples, problem.samples
        rounds = own_agd_rate.AGD.rounds(n, problem.target(self.tolerance))
        return agd_jump(problem.gram / samples, problem.moment / samples, n, rounds)

    def guarantee(self, setting: Setting) -> Guarantee:
        model = LinearModel.of(setting)
        delta = model.tolerance if self.tolerance is None else self.tolerance

        def cost(n: int) -> Traffic:
            return call_cost(self.name, setting.agents, model.dimension, _rounds(model, n, delta))

        stops = (("own:agd_rate", "certificate"),) if self.early_stopping else ()
        return near_minimiser(setting, delta, cost, (model.descent_rate, *stops))

    def asked(self, setting: Setting, samples: int, tolerance: float) -> int | None:
        return _rounds(LinearModel.of(setting), samples, tolerance)


def _rounds(model: LinearModel, samples: int, tolerance: float) -> int:
    return model.descent.rounds(model.effective_samples(samples), model.reach(samples, tolerance))


def descend(problem: EstimateProblem, channel: Channel, rounds: int, enough: float = -1.0) -> np.ndarray:
    """Make `rounds` rounds of accelerated gradient descent from 0 by messages, or fewer if the norm of a gradient is at
    most `enough`; return the estimate (d,). After an early stop the estimate is one gradient step of length
    1/smoothness beyond the point with that gradient; such a step never increases the distance to the minimiser."""
    step, momentum = 1 / problem.smoothness, own_agd_rate.momentum(problem.effective_samples)
    current = point = np.zeros(problem.dimension)
    channel.observe(current)
    for _ in range(rounds):
        gradient = problem.exchange(channel, point)
        following = point - step * gradient
        point = following + momentum * (following - current)
        current = following
        channel.observe(current)
        if enough >= 0 and math.sqrt(gradient @ gradient) <= enough:
            break
    return problem.sent(channel, AcceleratedGradient.name, current)
