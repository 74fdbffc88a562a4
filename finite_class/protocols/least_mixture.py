"""Find the mixture of the functions of a class that has the least squared loss on all agents' data, in one round.

A mixture is an average of the F functions with non-negative weights that sum to 1. Each agent sends F(F+1)/2 + F
numbers, sums of products of the functions' values and of rewards; the server sends the F weights back.
The claim own:covering bounds the excess risk.
"""

# The mixtures are an infinite convex class of dimension D <= F - 1 with values in [0,1]. It lies in a ball of radius 1
# in the maximum norm, which (1 + 2/eps)^D balls of radius eps cover.

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.theorems import own_covering
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from fedigw.ledger import one_call
from fedigw.running import SolverError
from finite_class.combinations import Combinations
from linear.ridge import RidgeProblem, summed

GAP = 1e-10  # mean loss above the minimum at which the search ends; the excess risk is charged for it


@dataclass(frozen=True)
class LeastMixture(FLProtocol):
    """Learn the mixture of the functions of a finite class with the least squared loss on all agents' data."""

    name: ClassVar[str] = "least_mixture"
    needs: ClassVar[tuple[str, ...]] = ("mixtures",)

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        system, moment = summed(problem, channel, ridge=False)
        found = least_mixture(system / 2, moment / 2, problem.norm)
        return Fitted(channel.broadcast("mixture", found, moment.shape))

    def guarantee(self, setting: Setting) -> Guarantee:
        model = Combinations.of(setting)
        functions, dimension = model.dimension, min(model.dimension - 1, model.features[..., 0].size)
        call = one_call(setting.agents, 1, (1, functions * (functions + 3) // 2), (1, functions))
        return Guarantee(
            claim=model.claim,
            risk=lambda variant, n: float(
                own_covering.mean(float(n), dimension * math.log(1 + 2 * n) + n * GAP, 1 / n)
            ),
            distance=lambda n: GAP,
            cost=lambda n: call,
            rests_on=(("own:covering", "repaired"),),
            risk_claim="own:covering",
        )

    def distance(self, problem: RidgeProblem, parameters: Any) -> float:
        """Return an upper bound on the mean loss of the mixture minus the least possible one: its Frank-Wolfe gap."""
        slope = problem.gradients(parameters).sum(axis=0)
        return float(slope @ parameters - problem.norm * slope.min())


def least_mixture(gram: np.ndarray, moment: np.ndarray, total: float = 1.0) -> np.ndarray:
    """Return the minimiser w (F,) of w'Gw - 2 b'w over w >= 0 with sum(w) = total, where G is `gram` and b is `moment`.
    The objective is at most GAP above its minimum. Wolfe's method: add the best corner, then minimise over the corners
    in use and leave out those whose weight becomes 0."""
    w, kept = np.zeros(len(moment)), np.zeros(len(moment), dtype=bool)
    best = int(np.argmin(total * np.diag(gram) - 2 * moment))
    w[best], kept[best] = total, True
    for _ in range(100 + 20 * len(moment)):
        slope = 2 * (gram @ w - moment)
        if slope @ w - total * slope.min() <= GAP / 2:  # half of it is left to rounding
            return w
        kept[int(np.argmin(slope))] = True
        while True:
            own = np.flatnonzero(kept)
            ones = np.ones((1, len(own)))
            system = np.block([[gram[np.ix_(own, own)], ones.T], [ones, np.zeros((1, 1))]])
            free = np.linalg.lstsq(system, np.append(moment[own], total), rcond=None)[0][:-1]
            if (free >= 0).all():
                w[own] = free
                break
            low = free < 0
            share = np.min(w[own][low] / (w[own][low] - free[low]))
            w[own] += share * (free - w[own])
            w[own[low & (w[own] <= 1e-15 * total)]] = 0.0
            kept[own[w[own] <= 0]] = False
    raise SolverError("least_mixture: the search does not end")
