"""Chebyshev semi-iteration: AGD's messages, the best fixed polynomial on [mu, L], a quarter of AGD's rounds.

Error after k rounds: T_k((L+mu-2h)/(L-mu))/T_k((L+mu)/(L-mu)) on an eigenvalue h, so gap_k <= 4 exp(-4k/sqrt(n+1)).
Per call with k rounds: Mdk numbers up, Md(k+1) down.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds import own_agd_rate
from fedigw.channel import Channel
from fedigw.interfaces import Fitted, FLProtocol, Guarantee, Memory, Setting
from linear.model import check_tolerance, solver_guarantee
from linear.ridge import RidgeProblem, SolverError


@dataclass(frozen=True)
class Chebyshev(FLProtocol):
    """tolerance: delta; the model's by default."""

    tolerance: float | None = None
    name: ClassVar[str] = "chebyshev"
    needs: ClassVar[tuple[str, ...]] = ("gradients",)

    def __post_init__(self) -> None:
        if self.tolerance is not None:
            check_tolerance(self.tolerance)

    def fit(
        self, problem: RidgeProblem, channel: Channel, memory: Memory, rng: np.random.Generator
    ) -> Fitted:
        problem.check_condition(self.name)
        rounds = own_agd_rate.CHEBYSHEV.rounds(problem.effective_samples, problem.target(self.tolerance))
        return Fitted(iterate(problem, channel, rounds))

    def guarantee(self, setting: Setting) -> Guarantee:
        return solver_guarantee(self.name, setting, self.tolerance)


def iterate(problem: RidgeProblem, channel: Channel, rounds: int) -> np.ndarray:
    """`rounds` rounds from 0 (three-term recurrence; Saad, Iterative Methods, alg. 12.1)."""
    n, shape = problem.effective_samples, (problem.dimension,)
    largest, smallest = own_agd_rate.smoothness(n), own_agd_rate.strong_convexity(n)
    # an interval somewhat wider than [mu, L] serves as well, and keeps the radius positive where they round to one
    centre = (largest + smallest) / 2
    radius = max((largest - smallest) / 2, 1e-9 * centre)
    ratio = centre / radius
    point, move, weight = np.zeros(problem.dimension), np.zeros(problem.dimension), 1 / ratio
    channel.observe(point)
    for index in range(1, rounds + 1):
        who = channel.begin_round()
        asked = channel.broadcast("point", point, shape)
        total = channel.total("gradient", problem.gradients(asked, who), shape)
        gradient = total + problem.shrinkage * point
        if index == 1:
            move = -gradient / centre
        else:
            following = 1 / (2 * ratio - weight)
            move = following * weight * move - 2 * following / radius * gradient
            weight = following
        point = point + move
        channel.observe(point)
    if not np.isfinite(point).all():
        raise SolverError(f"epoch {channel.epoch}, chebyshev: the iterates overflow")
    return channel.broadcast("estimate", point, shape)
