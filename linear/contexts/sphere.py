"""Continuous contexts: every arm's feature is (1, u)/sqrt2 with u uniform on the unit sphere, streamed in chunks.

Agents that act alike play an epoch as one stretch of steps, a lane, which is told apart afterwards. Memory is that of
one chunk, whatever the horizon. One thread: two cost more than they save, on the clock as well. Two engines, one law:

    drawn   every coordinate of every arm is drawn, for any policy and model: the reference
    plane   only what the step needs is drawn: per arm the projection of u on the plane of estimate and parameter and
            the length of the rest, and the direction of the rest for the chosen arm alone (the default)

plane is a fast path of inverse gap weighting on linear scores; anything else is drawn.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bounds.errors import InputError, choose
from fedigw.interfaces import Acting, Experience, Steps
from fedigw.policies.igw import InverseGapWeighting
from linear.model import Ridge
from linear.quadratics import Samples
from linear.ridge import RidgeData

ENGINES = ("plane", "drawn")
MOST_KEPT = 50_000_000  # numbers: 400 MB


@dataclass(frozen=True)
class Lane:
    """A stretch of steps that all agents of a group play alike, one agent's after the other's.

    pieces: lengths of the parts that regret is wanted of. apart: Gram matrices and moments are wanted of each, too.
    """

    arms: int
    act: Acting
    pieces: tuple[int, ...]
    parameter: np.ndarray
    rewards: str
    keep: bool = False
    apart: bool = False

    @cached_property
    def steps(self) -> int:
        return sum(self.pieces)

    @property
    def dimension(self) -> int:
        return len(self.parameter)

    @property
    def estimate(self) -> np.ndarray:
        return np.asarray(self.act.parameters)

    @property
    def learning_rate(self) -> float:
        return float(np.asarray(self.act.rate).item())


@dataclass(frozen=True)
class Played:
    """gram (G, d, d) and moment (G, d) of each of the G = P pieces, or G = 1 of all; lost (P,): expected regret.
    kept: features (n, d) and rewards (n,) of all steps, where they are wanted."""

    gram: np.ndarray
    moment: np.ndarray
    lost: np.ndarray
    kept: tuple[np.ndarray, np.ndarray] | None = None


class Tally:
    """What a lane adds up, chunk by chunk."""

    def __init__(self, job: Lane) -> None:
        many = len(job.pieces) if job.apart else 1
        self.job, self.ends = job, np.concatenate([[0], np.cumsum(job.pieces, dtype=np.int64)])
        self.gram, self.moment = (
            np.zeros((many, job.dimension, job.dimension)),
            np.zeros((many, job.dimension)),
        )
        self.lost = np.zeros(len(job.pieces))
        self.kept: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, start: int, picked: np.ndarray, rewards: np.ndarray, lost: np.ndarray) -> None:
        """Steps from `start` on: picked (d, n) features, rewards (n,), expected regret (n,)."""
        if self.job.keep:
            self.kept.append((picked.T.copy(), rewards))
        if len(self.lost) == 1:
            self.lost[0] += lost.sum(dtype=float)
        else:
            n = len(lost)
            first = int(self.ends.searchsorted(start, side="right")) - 1
            last = int(self.ends.searchsorted(start + n, side="left"))
            cuts = np.minimum(np.maximum(self.ends[first : last + 1] - start, 0), n)
            sums = np.zeros(n + 1)
            np.cumsum(lost, out=sums[1:])
            at = sums[cuts]
            self.lost[first:last] += at[1:] - at[:-1]
            if self.job.apart:
                for piece, low, high in zip(range(first, last), cuts[:-1], cuts[1:], strict=True):
                    own = picked[:, low:high]
                    self.gram[piece] += own @ own.T
                    self.moment[piece] += own @ rewards[low:high]
                return
        self.gram[0] += picked @ picked.T
        self.moment[0] += picked @ rewards

    def total(self, turn: np.ndarray | None = None, scale: float = 1.0) -> Played:
        """turn (d, d): from the features that were added to the world's. scale: of the regret."""
        kept = None
        if self.kept:
            features, rewards = (np.concatenate(parts) for parts in zip(*self.kept, strict=True))
            kept = (features if turn is None else features @ turn.T), rewards
        lost = scale * self.lost
        if turn is None:
            return Played(self.gram, self.moment, lost, kept)
        return Played(turn @ self.gram @ turn.T, self.moment @ turn.T, lost, kept)


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
        """Play an epoch of one agent; regret over the first `played` of its steps."""
        return self.play_each(act, [steps], parameter, rewards, rng)[0]

    def play_each(
        self,
        act: Acting,
        steps: Sequence[Steps],
        parameter: np.ndarray,
        rewards: str,
        rng: np.random.Generator,
    ) -> list[Experience]:
        """Play an epoch of agents that act alike, each with what it alone has met."""
        full, keep = [one.full for one in steps], any(one.keep for one in steps)
        found = self.stream(act, full, [one.played for one in steps], parameter, rewards, rng, keep, True)
        ends = np.concatenate([[0], np.cumsum(full)])
        experiences = []
        for m, one in enumerate(steps):
            kept = None
            if one.keep and found.kept is not None:
                features, drawn = (part[ends[m] : ends[m + 1]] for part in found.kept)
                kept = Samples(features, drawn, np.ones(len(drawn), dtype=np.int64))
            data = RidgeData(one.full, found.gram[m], found.moment[m], kept)
            experiences.append(Experience(data, float(found.lost[m])))
        return experiences

    def stream(
        self,
        act: Acting,
        full: Sequence[int],
        played: Sequence[int],
        parameter: np.ndarray,
        rewards: str,
        rng: np.random.Generator,
        keep: bool = False,
        apart: bool = False,
    ) -> Played:
        """An epoch of M agents that act alike, as one stretch of steps: regret (M,) over the first `played` of each
        one's `full`; what was met of each where it is wanted `apart`, else of all together.

        Regret is summed over the contexts met, with its expectation over actions: no action noise.
        """
        total = sum(full)
        if keep and total * self.dimension > MOST_KEPT:
            size = f"{total} steps of dimension {self.dimension}"
            raise InputError(
                "protocol.batch", size, f"would keep over {MOST_KEPT:.0e} numbers; use full gradients"
            )
        cut = list(full) != list(played)
        pieces = (
            [part for f, p in zip(full, played, strict=True) for part in (p, f - p)] if cut else list(full)
        )
        job = Lane(self.arms, act, tuple(pieces), parameter, rewards, keep, apart)
        found = engine(self._engine(act))(job, rng)
        if not cut:
            return found
        gram, moment = found.gram, found.moment
        if apart:
            gram, moment = gram[::2] + gram[1::2], moment[::2] + moment[1::2]
        return Played(gram, moment, found.lost[::2], found.kept)

    def _engine(self, act: Acting) -> str:
        """The engine that can play this: plane has model and policy built in, and an ensemble is not one estimate."""
        plain = (
            isinstance(act.model, Ridge) and not act.model.clip and type(act.policy) is InverseGapWeighting
        )
        return self.engine if plain and isinstance(act.parameters, np.ndarray) else "drawn"

    def meet(
        self, shape: tuple[int, int], parameter: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, None]:
        """Return contexts drawn one by one: features (*shape, K, d) and expected rewards (*shape, K)."""
        normal = rng.standard_normal((*shape, self.arms, self.dimension - 1))
        directions = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        features = np.concatenate([np.ones((*shape, self.arms, 1)), directions], axis=-1) / math.sqrt(2)
        return features, features @ parameter, None

    def describe(self) -> dict[str, Any]:
        return {"contexts": "sphere", "arms": self.arms}


def engine(name: str) -> Callable[[Lane, np.random.Generator], Played]:
    """Return the function that plays a lane."""
    choose("engine", name, ENGINES)
    from linear.contexts.engines import drawn, plane

    return plane.lane if name == "plane" else drawn.lane
