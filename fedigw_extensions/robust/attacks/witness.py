"""Worst-case lies against the aggregator in use, by agents that have seen every honest message.

All lying agents send the same distant point. For a coordinate-wise rule this point is, in every coordinate, on the side
that moves the aggregate most. For other rules it is on the main axis of the honest messages, on the worse side. With
the honest messages of `worst_messages` this attack moves an aggregate as far as its proved constant allows
(app:robust_mean).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedigw.aggregators.mean import Mean
from fedigw.interfaces import Aggregator, Attack

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Witness(Attack):
    """Attack with the lies that move the aggregate most. agents: which agents lie. scale: the distance of the lie from
    the honest mean, in multiples of the spread of the honest messages."""

    agents: tuple[int, ...] = (0,)
    scale: float = 1000.0
    name: ClassVar[str] = "witness"

    def corrupt(self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return self.corrupt_knowing(messages, bad, rng, Mean())

    def corrupt_knowing(
        self, messages: np.ndarray, bad: np.ndarray, rng: np.random.Generator, aggregator: Aggregator
    ) -> np.ndarray:
        points = np.array(messages, dtype=float).reshape(len(messages), -1)
        honest = points[~bad] if not bad.all() else points
        centre, share = honest.mean(axis=0), np.full(len(points), 1 / len(points))
        reach = self.scale * max(
            float(np.abs(honest - centre).max()), 1e-3 * float(np.abs(centre).max()), 1e-9
        )

        def moved(lie: np.ndarray) -> np.ndarray:
            sent = points.copy()
            sent[bad] = lie
            away = aggregator.combine(sent.reshape(messages.shape), share).reshape(-1) - centre
            return np.asarray(np.abs(away))

        if aggregator.coordinatewise:
            up, down = moved(centre + reach), moved(centre - reach)
            chosen = np.where(up >= down, centre + reach, centre - reach)
        else:
            axis = np.linalg.svd(honest - centre, full_matrices=False)[2][0]
            sides = [centre + reach * axis, centre - reach * axis]
            chosen = max(sides, key=lambda lie: float(np.linalg.norm(moved(lie))))
        points[bad] = chosen
        return np.asarray(points.reshape(messages.shape))


def worst_messages(rule: str, agents: int, lying: int, small: int = 1000) -> tuple[list[Point], list[Point]]:
    """Return honest messages and lies, in Fractions, that move the rule ("trimmed_mean", "median" or
    "geometric_median") as far as its proved constant allows. For the geometric median of an even number of messages
    they are in the plane and move the median almost as far: the relative difference is of order 1/small^2."""
    honest = agents - lying
    high = {
        "trimmed_mean": honest - lying,  # as many at 0 as are cut; all that is left is 1
        "median": agents // 2 + 1 - lying,
        "geometric_median": -(-agents // 2) - lying,
    }[rule]
    if agents % 2 or rule != "geometric_median":
        return [_point(1)] * high + [_point(0)] * (honest - high), [_point(2)] * lying
    # 1, delta and sqrt(1 + delta^2) are rational
    delta = Fraction(2 * small, small**2 - 1)
    low = [_point(0, delta * (-1) ** i) for i in range(honest - high - (honest - high) % 2)]
    low += [_point(0)] * ((honest - high) % 2)
    return [_point(1)] * high + low, [_point(2)] * lying


def _point(x: int, y: Fraction | int = 0) -> Point:
    return Fraction(x), Fraction(y)
