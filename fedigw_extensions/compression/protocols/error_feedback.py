"""Error feedback (Seide et al. 2014): agents send the k largest coordinates of their step, and the rest in later
rounds.

The estimate is a weighted average of the points, which the server computes without messages. If the agents'
objectives differ, the loss stays above its minimum by the order of the squared step size (app:error_feedback). With
M agents in d dimensions a call of R rounds sends M R k (64 + ceil(log2 d)) bits up and 64 M d R down.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.compression import Known, Schedule, remaining, rounds_until
from fedigw_extensions.compression.engine import Sparse, State


def largest_step(beta: float, share: float) -> float:
    return share / (8 * beta)


def decay(step: float, mu: float) -> float:
    """Return q = 1 - 3 eta mu/16. In the weighted average of the points, each point has q times the weight of the
    next. step: eta."""
    return 1 - 3 * step * mu / 16


def floor(step: float, beta: float, share: float, heterogeneity: float) -> float:
    return 16 * (1 - share) * step**2 * beta * heterogeneity / share**2


def gap_bound(
    rounds: int, step: float, mu: float, beta: float, share: float, heterogeneity: float, start: float
) -> float:
    """Return the bound on the weighted mean of F(x) - min F, the objective above its minimum, over the first
    `rounds` points. share: the compressor's contraction al. heterogeneity: sum p_m norm(grad f_m(w_S))^2. start:
    norm(x_0 - w_S)^2, where w_S is the minimiser."""
    power = remaining(3 * step * mu / 16, rounds)
    return 3 * mu / 20 * start * power / (1 - power) + floor(step, beta, share, heterogeneity)


def schedule(known: Known, share: float, target: float) -> Schedule:
    """Return the step and the rounds for which the weighted average x satisfies E norm(x - w_S)^2 <= (2/mu) E (F(x)
    - min F) <= target, where w_S is the minimiser of the objective F. Each of the two terms of the bound gets half
    of the target. share: the compressor's contraction al, with norm(C(v) - v)^2 <= (1 - al) norm(v)^2."""
    gap = target * known.mu / 2
    step = largest_step(known.beta, share)
    if share < 1:
        step = min(step, share * math.sqrt(gap / (32 * (1 - share) * known.beta * known.heterogeneity)))
    y = gap / 2 / (3 * known.mu / 20 * known.start)
    return Schedule(step, rounds_until(y / (1 + y), 3 * step * known.mu / 16))


@dataclass(frozen=True)
class ErrorFeedback(Sparse):
    """Error feedback. tolerance: delta, the accuracy for which the number of rounds is proved, which is then large.
    rounds, step_size: fixed values instead, without a guarantee. keep: how many coordinates a message has."""

    rounds: int | None = 100
    name: ClassVar[str] = "error_feedback"
    claim: ClassVar[str] = "app:error_feedback"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)
    average: ClassVar[bool] = True

    def decay(self, step: float, mu: float) -> float:
        """Return q = 1 - 3 eta mu/16. In the weighted average of the points, each point has q times the weight of
        the next. step: eta."""
        return decay(step, mu)

    def exchange(self, slopes: np.ndarray, weights: np.ndarray, state: State, who: np.ndarray) -> np.ndarray:
        width = slopes.shape[1]
        compressor = self.compressor(width)
        owed = state.own[who] + state.step * slopes
        sent = compressor.encode(owed, state.rng)
        state.own[who] = owed - sent
        return state.channel.mean("step", sent, (width,), weights, packed=compressor)
