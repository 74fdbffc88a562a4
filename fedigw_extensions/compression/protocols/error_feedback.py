"""Error feedback (Seide et al. 2014): agents send the k largest coordinates of their step, and the rest in later
rounds.

The estimate is a weighted average of the points, which the server computes without messages. If the agents' objectives
differ, the loss stays above its minimum by the order of the squared step size (app:error_feedback). With M agents in d
dimensions R rounds send M R k (64 + ceil(log2 d)) bits up and 64 M d R down.
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
    """Return q = 1 - 3 step mu/16. The estimate of error feedback is a weighted average of the points, in which each
    point has q times the weight of the next one. mu: the strong convexity."""
    return 1 - 3 * step * mu / 16


def floor(step: float, beta: float, share: float, heterogeneity: float) -> float:
    return 16 * (1 - share) * step**2 * beta * heterogeneity / share**2


def gap_bound(
    rounds: int, step: float, mu: float, beta: float, share: float, heterogeneity: float, start: float
) -> float:
    """Bound the weighted mean of (objective minus its minimum) over the first `rounds` points of error feedback. mu,
    beta: strong convexity and smoothness. share: the compressor's squared error is at most 1 - share times the squared
    norm of the message. heterogeneity: the mean squared norm of the agents' gradients at the minimiser. start: the
    squared distance of the first point from the minimiser."""
    power = remaining(3 * step * mu / 16, rounds)
    return 3 * mu / 20 * start * power / (1 - power) + floor(step, beta, share, heterogeneity)


def schedule(known: Known, share: float, target: float) -> Schedule:
    """Return the step and the number of rounds for which the weighted average of error feedback's points is, in the
    mean, within a squared distance `target` of the minimiser. share: the compressor's squared error is at most 1 -
    share times the squared norm of the message."""
    gap = target * known.mu / 2
    step = largest_step(known.beta, share)
    if share < 1:
        step = min(step, share * math.sqrt(gap / (32 * (1 - share) * known.beta * known.heterogeneity)))
    y = gap / 2 / (3 * known.mu / 20 * known.start)
    return Schedule(step, rounds_until(y / (1 + y), 3 * step * known.mu / 16))


@dataclass(frozen=True)
class ErrorFeedback(Sparse):
    """Gradient descent in which agents send later what compression leaves out now (error feedback).

    * tolerance: delta; the proved squared distance from the minimiser is delta^2 times the minimiser's excess risk; it
      takes many rounds
    * rounds, step_size: fixed values instead, without a guarantee
    * keep: how many coordinates a message has
    """

    rounds: int | None = 100
    name: ClassVar[str] = "error_feedback"
    claim: ClassVar[str] = "app:error_feedback"
    proved: ClassVar[Any] = staticmethod(schedule)
    limit: ClassVar[Any] = staticmethod(largest_step)
    average: ClassVar[bool] = True

    def decay(self, step: float, mu: float) -> float:
        return decay(step, mu)

    def exchange(self, slopes: np.ndarray, weights: np.ndarray, state: State, who: np.ndarray) -> np.ndarray:
        width = slopes.shape[1]
        compressor = self.compressor(width)
        owed = state.own[who] + state.step * slopes
        sent = compressor.encode(owed, state.rng)
        state.own[who] = owed - sent
        return state.channel.mean("step", sent, (width,), weights, packed=compressor)
