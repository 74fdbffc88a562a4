"""Estimate by the posterior mean on the box [0,1]^d, for d at most 3; the density is proportional to exp(-1.04 times
the sum of squared losses).

In one round each agent sends the sums of phi phi' and r phi over its samples of features phi and rewards r, and the
server sends the mean, which it computes by quadrature. If features are shares (coordinates at least 0 that sum to at
most 1) and the true parameter lies in the box, the excess risk is bounded for any choice of the data
(app:posterior_mean). So models may also be learned from the data of all epochs so far. With M agents the protocol sends
M(d(d+1)/2 + d) numbers to the server and M d back.
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
from linear.ridge import PooledRidge, RidgeProblem, summed

VARIANT = "sharpened"
# norm(w - mean)^2 <= TOLERANCE^2 e(n) for what quadrature returns; the other order of integration measures it
TOLERANCE = 1e-6


@dataclass(frozen=True)
class PosteriorMean(FLProtocol):
    """The mean, over parameters in the box [0,1]^d, of the posterior density that the agents' sums define. Quadrature
    adds a squared error of at most TOLERANCE^2 times the mean's proved excess risk."""

    name: ClassVar[str] = "posterior_mean"
    needs: ClassVar[tuple[str, ...]] = ("gram", "moments", FEW)
    pools: ClassVar[bool] = True
    in_unit_box: ClassVar[bool] = True  # its estimate lies in [0,1]^d

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        gram, moment = (part * (problem.samples / 2) for part in summed(problem, channel, ridge=False))
        return Fitted(channel.broadcast("estimate", mean_of(gram[None], moment[None])[0], moment.shape))

    def pooled(self, problem: PooledRidge, rng: np.random.Generator) -> np.ndarray:
        return mean_of(problem.gram, problem.moment)

    def distance(self, problem: RidgeProblem | PooledRidge, parameters: np.ndarray) -> np.ndarray:
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
    return box_mean(gram, moment, formulas.POSTERIORS[VARIANT].exponent)[0]


def otherwise(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return the mean (R, d) of the posterior density on [0,1]^d by a second method, to check the first: coordinates
    are integrated in reverse order, and in one dimension the error function is used. gram, moment: sums of phi phi' and
    of r phi over samples with features phi and rewards r."""
    from linear.posterior import interval_mean

    if moment.shape[1] == 1:
        exponent = formulas.POSTERIORS[VARIANT].exponent
        pairs = zip(gram[:, 0, 0], moment[:, 0], strict=True)
        return np.array([[interval_mean(float(g), float(b), exponent)] for g, b in pairs])
    return mean_of(gram[:, ::-1, ::-1], moment[:, ::-1])[:, ::-1]
