"""The mean of the posterior on W = [0,1]^d under exp(-1.04 times the sum of squared losses), d at most 3.

One round, as the direct method: the upper triangle of V_m and b_m up, the mean down. The server integrates over the
box by quadrature. Where features are shares of 1 (coordinates of at least 0 that add up to at most 1) and omega* lies
in the box, its excess risk is bounded whatever chose the data (app:posterior_mean), so calls may learn from all data
so far.
Per call: M(d(d+1)/2 + d) numbers up, Md down.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds import app_posterior_mean as formulas
from bounds.own_ridge_excess_risk import with_solver_error
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from fedigw.ledger import one_call
from linear.model import FEW, Ridge
from linear.posterior import box_mean
from linear.ridge import PooledRidge, RidgeProblem, at_least, unpacked

VARIANT = "sharpened"
# norm(w - mean)^2 <= TOLERANCE^2 e(n) for what quadrature returns; the other order of integration measures it
TOLERANCE = 1e-6


@dataclass(frozen=True)
class PosteriorMean(FLProtocol):
    """V and b are sums; what is left of quadrature is TOLERANCE."""

    name: ClassVar[str] = "posterior_mean"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments", FEW)
    pools: ClassVar[bool] = True
    in_unit_box: ClassVar[bool] = True  # its estimate lies in [0,1]^d

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        d = problem.dimension
        channel.observe(np.zeros(d))
        messages = problem.statistics(channel.begin_round())
        total = channel.total("gram and moment", messages, messages[0].shape) * (problem.samples / 2)
        gram, moment = unpacked(total, d)
        if channel.link.missing:  # what arrives need not be a sum of phi phi'
            gram = at_least(gram, 0.0)
        return Fitted(channel.broadcast("estimate", mean_of(gram[None], moment[None])[0], (d,)))

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        return mean_of(problem.gram, problem.moment)

    def distance(self, problem: RidgeProblem | PooledRidge, parameters: np.ndarray) -> np.ndarray:
        """(R,): squared distance from the mean by another method: coordinates integrated in the other order, d = 1 in
        closed form."""
        if isinstance(problem, PooledRidge):
            gram, moment = problem.gram, problem.moment
        else:
            agents = range(problem.count)
            gram = np.sum([problem.gram(m) for m in agents], axis=0)[None] * (problem.samples / 2)
            moment = problem.moments().sum(axis=0)[None] * (problem.samples / 2)
        return np.asarray(((np.atleast_2d(parameters) - otherwise(gram, moment)) ** 2).sum(axis=-1))

    def guarantee(self, setting: Setting) -> Guarantee:
        d = Ridge.of(setting).dimension
        call = one_call(setting.agents, 1, (1, d * (d + 1) // 2 + d), (1, d))
        unmet = "posterior_mean is proved where features are shares of 1 and omega* lies in [0,1]^d"
        return Guarantee(
            claim="app:posterior_mean",
            risk=lambda variant, n: float(with_solver_error(formulas.risk(VARIANT, d, n), TOLERANCE)),
            distance=lambda n: TOLERANCE**2 * formulas.risk(VARIANT, d, n),
            cost=lambda n: call,
            missing=() if Ridge.of(setting).unit_box else (unmet,),
            rests_on=(("app:posterior_mean", VARIANT),),
            on_all_data=(("app:cumulative", "finite"), ("app:posterior_mean", "regret")),
        )


def mean_of(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """(R, d): of V (R, d, d) and b (R, d)."""
    return box_mean(gram, moment, formulas.POSTERIORS[VARIANT].exponent)[0]


def otherwise(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """(R, d): the same, coordinates in the other order; d = 1 by the error function."""
    from linear.posterior import interval_mean

    if moment.shape[1] == 1:
        exponent = formulas.POSTERIORS[VARIANT].exponent
        pairs = zip(gram[:, 0, 0], moment[:, 0], strict=True)
        return np.array([[interval_mean(float(g), float(b), exponent)] for g, b in pairs])
    return mean_of(gram[:, ::-1, ::-1], moment[:, ::-1])[:, ::-1]
