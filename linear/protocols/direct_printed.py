"""Solve ridge regression exactly as the paper prints it (alg:fedlinear): agents send matrices and vectors, receive
their sums, and each solves the system.

With M agents in d dimensions this protocol sends M(d^2 + d) numbers to the server and as many back, in one round.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from linear.model import solver_guarantee
from linear.ridge import RidgeProblem, at_least, solve_positive


@dataclass(frozen=True)
class DirectPrinted(FLProtocol):
    """The exact solution of ridge regression: agents send full matrices, and each solves the system itself."""

    name: ClassVar[str] = "direct_printed"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments")

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        d = problem.dimension
        channel.observe(np.zeros(d))
        who = channel.begin_round()
        gram = channel.total("gram", np.stack([problem.gram(m) for m in who]), (d, d))
        moment = channel.total("moment", problem.moments()[who], (d,))
        gram = channel.broadcast("gram", gram, (d, d))
        moment = channel.broadcast("moment", moment, (d,))
        system = gram + problem.shrinkage * np.eye(d)
        if channel.link.missing:
            system = at_least(system, problem.shrinkage)
        return Fitted(solve_positive(system, moment, f"epoch {channel.epoch}, direct method"))

    def guarantee(self, setting: Setting) -> Guarantee:
        return solver_guarantee(self.name, setting)
