"""Continuous contexts: every arm's feature is (1, u)/sqrt2 with u uniform on the unit sphere, streamed in chunks.

Memory is that of one chunk per lane, whatever the horizon. Two lanes with their own streams run on two cores; the
result does not depend on how many there are. Three engines with one law:

    plane   only what the step needs is drawn: per arm the projection of u on the plane of estimate and parameter and
            the length of the rest, and the direction of the rest for the chosen arm alone (numpy, the default)
    drawn   every coordinate of every arm is drawn: the reference
    numba   plane, fused into one loop (extra `fast`)
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.errors import InputError, choose
from fedigw.interfaces import Experience
from linear.ridge import RidgeData

ENGINES = ("plane", "drawn", "numba")
LANES = 2
SMALL = 20_000  # arm draws below which two threads cost more than they save


@dataclass(frozen=True)
class Lane:
    """One lane's share of an epoch: `steps` steps, regret over the first `counted`."""

    arms: int
    estimate: np.ndarray
    learning_rate: float
    steps: int
    counted: int
    parameter: np.ndarray
    rewards: str

    @property
    def dimension(self) -> int:
        return len(self.parameter)


@dataclass(frozen=True)
class SphereContexts:
    """arms K, dimension d >= 2."""

    arms: int
    dimension: int
    engine: str = "plane"

    def largest_regret_rate(self, parameter: np.ndarray) -> float:
        """Mean rewards (intercept + u'slope)/sqrt2 lie in an interval of this length."""
        return math.sqrt(2) * float(np.linalg.norm(parameter[1:]))

    def play(
        self,
        estimate: np.ndarray,
        learning_rate: float,
        full: int,
        played: int,
        parameter: np.ndarray,
        rewards: str,
        rng: np.random.Generator,
    ) -> Experience:
        """An epoch of `full` steps; regret over `played` of them (a share of each lane's: steps are alike).

        Regret is summed over the contexts met, with its expectation over actions: no action noise.
        """
        stream_lane = engine(self.engine)
        lanes = 1 if full * self.arms < SMALL else LANES
        jobs = [
            Lane(
                self.arms,
                estimate,
                learning_rate,
                full // lanes + (i < full % lanes),
                played // lanes + (i < played % lanes),
                parameter,
                rewards,
            )
            for i in range(lanes)
        ]
        # SFC64 is the fastest of numpy's generators; its streams are as independent as their seeds
        seeds = rng.integers(0, 2**63, size=(lanes, 4))
        streams = [np.random.Generator(np.random.SFC64(seed.tolist())) for seed in seeds]
        if lanes == 1:
            results = [stream_lane(jobs[0], streams[0])]
        else:
            with ThreadPoolExecutor(LANES) as pool:
                results = list(pool.map(stream_lane, jobs, streams))
        gram, moment, regret = (sum(result[i] for result in results) for i in range(3))
        return Experience(RidgeData(full, np.asarray(gram), np.asarray(moment)), float(regret))

    def describe(self) -> dict[str, Any]:
        return {"contexts": "sphere", "arms": self.arms}


def engine(name: str) -> Any:
    """lane(job, stream) -> gram (d, d), moment (d,), regret."""
    choose("engine", name, ENGINES)
    if name == "numba":
        try:
            from linear.contexts.engines.numba import lane
        except ImportError:
            raise InputError("engine", name, "needs numba: pip install '.[fast]'") from None
        return lane
    from linear.contexts.engines import drawn, plane

    return plane.lane if name == "plane" else drawn.lane
