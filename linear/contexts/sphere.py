"""Continuous contexts: every arm's feature is (1, u)/sqrt2 with u uniform on the unit sphere, streamed in chunks.

Memory is that of one chunk per lane, whatever the horizon. Two lanes with their own streams run on two cores; the
result does not depend on how many there are. Three engines with one law:

    drawn   every coordinate of every arm is drawn, for any policy and model: the reference
    plane   only what the step needs is drawn: per arm the projection of u on the plane of estimate and parameter and
            the length of the rest, and the direction of the rest for the chosen arm alone (the default)
    numba   plane, fused into one loop (extra `fast`)

plane and numba are fast paths of inverse gap weighting on linear scores (FAST); anything else is drawn.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.errors import InputError, choose
from fedigw.interfaces import Acting, Experience, Steps
from linear.local import Samples
from linear.ridge import RidgeData

ENGINES = ("plane", "drawn", "numba")
FAST = ("Ridge", "InverseGapWeighting")  # model and policy that the fast engines have built in
LANES = 2
MOST_KEPT = 50_000_000  # numbers: 400 MB
SMALL = 20_000  # arm draws below which two threads cost more than they save


@dataclass(frozen=True)
class Lane:
    """One lane's share of an epoch: `steps` steps, regret over the first `counted`."""

    arms: int
    act: Acting
    steps: int
    counted: int
    parameter: np.ndarray
    rewards: str
    keep: bool = False

    @property
    def dimension(self) -> int:
        return len(self.parameter)

    @property
    def estimate(self) -> np.ndarray:
        return np.asarray(self.act.parameters)

    @property
    def learning_rate(self) -> float:
        return float(self.act.rate)


@dataclass(frozen=True)
class SphereContexts:
    """arms K, dimension d >= 2."""

    arms: int
    dimension: int
    engine: str = "plane"

    @property
    def of_shares(self) -> bool:
        """The coordinates of u take both signs."""
        return False

    def largest_regret_rate(self, parameter: np.ndarray) -> float:
        """Mean rewards (intercept + u'slope)/sqrt2 lie in an interval of this length."""
        return math.sqrt(2) * float(np.linalg.norm(parameter[1:]))

    def play(
        self, act: Acting, steps: Steps, parameter: np.ndarray, rewards: str, rng: np.random.Generator
    ) -> Experience:
        """An epoch of one agent; regret over `played` of its steps (a share of each lane's: steps are alike).

        Regret is summed over the contexts met, with its expectation over actions: no action noise.
        """
        full, played = steps.full, steps.played
        linear = not getattr(act.model, "clip", False)
        fast = linear and (type(act.model).__name__, type(act.policy).__name__) == FAST
        fast = fast and isinstance(act.parameters, np.ndarray)  # one estimate, not an ensemble
        fast = fast and not hasattr(
            act.parameters, "watch"
        )  # what is met is looked at, so all of it is drawn
        if steps.keep and full * self.dimension > MOST_KEPT:
            size = f"{full} steps of dimension {self.dimension}"
            raise InputError(
                "protocol.batch", size, f"would keep over {MOST_KEPT:.0e} numbers; use full gradients"
            )
        chosen = self.engine if fast else "drawn"
        stream_lane = engine("plane" if steps.keep and chosen == "numba" else chosen)
        lanes = 1 if full * self.arms < SMALL else LANES
        jobs = [
            Lane(
                self.arms,
                act,
                full // lanes + (i < full % lanes),
                played // lanes + (i < played % lanes),
                parameter,
                rewards,
                steps.keep,
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
        kept = None
        if steps.keep:
            features, drawn = (np.concatenate([result[3][i] for result in results]) for i in range(2))
            kept = Samples(features, drawn, np.ones(len(drawn), dtype=np.int64))
        return Experience(RidgeData(full, np.asarray(gram), np.asarray(moment), kept), float(regret))

    def meet(
        self, shape: tuple[int, int], parameter: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, None]:
        """Contexts drawn one by one: features (*shape, K, d) and expected rewards (*shape, K)."""
        normal = rng.standard_normal((*shape, self.arms, self.dimension - 1))
        directions = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        features = np.concatenate([np.ones((*shape, self.arms, 1)), directions], axis=-1) / math.sqrt(2)
        return features, features @ parameter, None

    def describe(self) -> dict[str, Any]:
        return {"contexts": "sphere", "arms": self.arms}


Kept = tuple[np.ndarray, np.ndarray] | None  # features (n, d), rewards (n,)


def gathered(chunks: list[tuple[np.ndarray, np.ndarray]], turn: np.ndarray | None = None) -> Kept:
    """The samples of all chunks, features turned back into the world's coordinates."""
    if not chunks:
        return None
    features, rewards = (np.concatenate(parts) for parts in zip(*chunks, strict=True))
    return (features if turn is None else features @ turn.T), rewards


def engine(name: str) -> Any:
    """lane(job, stream) -> gram (d, d), moment (d,), regret, and features (n, d) and rewards (n,) if they are kept."""
    choose("engine", name, ENGINES)
    if name == "numba":
        try:
            from linear.contexts.engines.numba import lane
        except ImportError:
            raise InputError("engine", name, "needs numba: pip install '.[fast]'") from None
        return lane
    from linear.contexts.engines import drawn, plane

    return plane.lane if name == "plane" else drawn.lane
