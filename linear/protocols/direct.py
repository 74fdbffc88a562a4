"""Solve ridge regression in one round with few numbers: agents send sums over their samples, the server the estimate.

The sums are those of phi phi' (upper triangle) and of r phi, over samples of features phi and rewards r. With M agents
in d dimensions the method sends M(d(d+1)/2 + d) numbers to the server and M d back.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from linear.model import solver_guarantee
from linear.ridge import PooledRidge, RidgeProblem, solve_positive, summed


@dataclass(frozen=True)
class Direct(FLProtocol):
    """Solve ridge regression exactly: the server adds the agents' sums over samples and solves one linear system."""

    name: ClassVar[str] = "direct"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments")
    pools: ClassVar[bool] = True
    informs: ClassVar[bool] = True

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        system, moment = summed(problem, channel)
        estimate = solve_positive(system, moment, f"epoch {channel.epoch}, direct method")
        return Fitted(channel.broadcast("estimate", estimate, moment.shape), memory=system[None])

    def knowledge(self, problem: Any, memory: Memory) -> np.ndarray:
        if isinstance(problem, PooledRidge):
            return np.asarray(problem.gram + problem.regularisation * np.eye(problem.gram.shape[-1]))
        return np.asarray(memory) * (problem.samples / 2)  # what is summed is the Hessian, (2/n)(G + Lam I)

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        return problem.minimiser()

    def guarantee(self, setting: Setting) -> Guarantee:
        return solver_guarantee(self.name, setting)
