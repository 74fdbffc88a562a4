"""Observe a call of a protocol without sending anything: how far the objective is above its minimum at every point that
the protocol reports.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from fedigw.channel import Channel
from fedigw.interfaces import Parameters
from fedigw.running import SolverError


class Watching:
    """Records, during one call of a protocol, the gap: how far the objective is above its minimum at the first point
    and after each round. gap: computes it from the model's parameters. first: the starting point, used if the protocol
    reports none before its first round."""

    def __init__(self, channel: Channel, gap: Callable[[Any], float], first: Any) -> None:
        self.gaps: list[float] = []
        self._channel, self._gap, self._first = channel, gap, first
        channel.watch = self._observe

    def _observe(self, parameters: Parameters) -> None:
        if not self.gaps and self._channel.traffic.rounds:
            self._measure(self._first)
        self._measure(parameters)

    def by_round(self, estimate: Any) -> list[float]:
        """Return how far the objective is above its minimum, before the first round and after each round that the
        protocol reported. If it reported none, return the values at the first point and at the final `estimate`."""
        if not self.gaps:
            self._measure(self._first)
        if len(self.gaps) == 1:
            self._measure(estimate)
        return self.gaps

    def _measure(self, parameters: Parameters) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            gap = self._gap(parameters)
        # a gap is a square and overflows first: the protocol goes on until it can name agent, round and step size
        self.gaps.append(gap if np.isfinite(gap) else np.inf)

    def refuse_divergence(self) -> None:
        """Raise SolverError if the objective overflowed during the observed call of the protocol although the
        protocol's points are still finite."""
        if np.inf in self.gaps:
            raise SolverError(f"round {self.gaps.index(np.inf)}: the gap overflows, the iterates diverge")
