"""A channel that lets somebody outside watch a call: the gap of every point the protocol reports, nothing counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fedigw.channel import Channel, Link
from fedigw.running import SolverError


class WatchingChannel(Channel):
    """gaps: F - F* of the first point and of the point after each round."""

    def __init__(
        self,
        agents: int,
        epoch: int,
        link: Link | None,
        rng: np.random.Generator,
        gap: Callable[[Any], float],
    ) -> None:
        super().__init__(agents, epoch, link, rng)
        self.gaps: list[float] = []
        self._gap = gap

    def observe(self, parameters: Any) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            gap = self._gap(parameters)
        if not np.isfinite(gap):
            raise SolverError(f"round {len(self.gaps)}: the gap overflows, the iterates diverge")
        self.gaps.append(gap)
