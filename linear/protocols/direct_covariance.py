"""The one-shot aggregation of alg:fedlinear: covariance matrices and reward vectors up, both sums down.

The direct method with the covariance matrix sent back, so that agents know how sure each score is: for policies that
need widths (ucb, thompson). Per call: M(d(d+1)/2 + d) numbers up and as many down.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from fedigw.ledger import one_call
from linear.ellipsoid import Ellipsoid
from linear.model import Ridge, ridge_guarantee
from linear.ridge import RidgeProblem, at_least, solve_positive, unpacked


@dataclass(frozen=True)
class DirectCovariance(FLProtocol):
    """Exact: V and b are sums."""

    name: ClassVar[str] = "direct_covariance"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments")
    widths: ClassVar[bool] = True  # agents learn how sure each score is

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        d = problem.dimension
        channel.observe(np.zeros(d))
        messages = problem.statistics(channel.begin_round())
        sums = channel.total("gram and moment", messages, messages[0].shape, problem.own_statistics())
        system, moment = unpacked(channel.broadcast("gram and moment", sums, sums.shape), d)
        if channel.link.missing:  # what arrives need not be a sum of phi phi'
            system = at_least(system, problem.shrinkage)
        estimate = solve_positive(system, moment, f"epoch {channel.epoch}, direct method")
        # system = (2/n)(V + Lam I)
        return Fitted(Ellipsoid.of(estimate, 2 / problem.samples * np.linalg.inv(system)))

    def guarantee(self, setting: Setting) -> Guarantee:
        d = Ridge.of(setting).dimension
        size = d * (d + 1) // 2 + d
        call = one_call(setting.agents, 1, (1, size), (1, size))
        return ridge_guarantee(setting, 0.0, lambda n: call)
