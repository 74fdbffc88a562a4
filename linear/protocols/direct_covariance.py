"""Solve ridge regression in one round, and send the sums back, so that agents also know the uncertainty of each score.

The policies ucb and thompson require these uncertainties. The paper's algorithm (alg:fedlinear) sends the sums back in
the same way. With M agents in d dimensions this protocol sends M(d(d+1)/2 + d) numbers to the server and as many back.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from fedigw.ledger import one_call
from linear.ellipsoid import Ellipsoid
from linear.model import Ridge, near_minimiser
from linear.ridge import RidgeProblem, solve_positive, summed


@dataclass(frozen=True)
class DirectCovariance(FLProtocol):
    """The exact solution of ridge regression together with the inverse of its regularised Gram matrix, from which
    agents compute the uncertainty of scores."""

    name: ClassVar[str] = "direct_covariance"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments")
    widths: ClassVar[bool] = True  # agents learn how sure each score is

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        system, moment = summed(problem, channel, returned=True)
        estimate = solve_positive(system, moment, f"epoch {channel.epoch}, direct method")
        # system = (2/n)(V + Lam I)
        return Fitted(Ellipsoid.of(estimate, 2 / problem.samples * np.linalg.inv(system)))

    def guarantee(self, setting: Setting) -> Guarantee:
        d = Ridge.of(setting).dimension
        size = d * (d + 1) // 2 + d
        call = one_call(setting.agents, 1, (1, size), (1, size))
        return near_minimiser(setting, 0.0, lambda n: call)
