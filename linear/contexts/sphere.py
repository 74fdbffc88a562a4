"""Continuous contexts: the feature of every arm is (1, u)/sqrt2 with u uniform on the unit sphere, drawn in chunks.

Agents with the same policy and model play an epoch as one sequence of steps, called a lane, which is divided among them
afterwards. Memory holds one chunk, for any horizon. One thread is used, because two cost more than they save. Two
engines draw from the same distribution:

    drawn   draws every coordinate of every arm, for any policy and model: the reference
    plane   draws only what the step needs: for every arm the projection of u on the plane of estimate and true
            parameter and the length of the rest; the direction of the rest only for the chosen arm (the default)

The engine plane is for inverse gap weighting on linear scores; everything else uses drawn.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError, choose
from fedigw.interfaces import Acting, Experience, Loss, Steps
from fedigw.policies.igw import InverseGapWeighting
from fedigw.rewards import Law
from linear.losses.squared import Squared
from linear.model import Ridge, Watched
from linear.quadratics import Samples
from linear.ridge import RidgeData

ENGINES = ("plane", "drawn")
MOST_KEPT = 50_000_000  # numbers: 400 MB


@dataclass(frozen=True)
class Lane:
    """A sequence of steps that agents with the same policy and model play one after the other.

    pieces      the numbers of steps of its parts, whose regret is reported separately
    parameter   the true one; `rewards`: their law
    apart       whether Gram matrices and sums of reward x features are reported for each part
    keep        whether all samples are recorded
    loss        the loss whose link function gives mean rewards
    draw        draw(n, rng) gives features (n, K, d) of a user's law, in place of those on the sphere
    """

    arms: int
    act: Acting
    pieces: tuple[int, ...]
    parameter: np.ndarray
    rewards: Law
    keep: bool = False
    apart: bool = False
    loss: Loss = field(default_factory=Squared)
    draw: Callable[[int, np.random.Generator], np.ndarray] | None = None

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
    """The result of playing a sequence of steps that is divided into P parts. phi: features of a chosen arm; r: its
    reward.

    gram     (G, d, d): sums of phi phi', for each part (G = P) or for all together (G = 1)
    moment   (G, d): sums of r phi
    lost     (P,): expected regret of each part
    kept     features (n, d) and rewards (n,) of all steps, if requested
    """

    gram: np.ndarray
    moment: np.ndarray
    lost: np.ndarray
    kept: tuple[np.ndarray, np.ndarray] | None = None


class Tally:
    """Collects the Gram matrices, sums of reward x features, and regret of a sequence of steps, chunk by chunk."""

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
        """Add n steps, the first of which has the number `start` in the sequence. picked: (d, n), features of the
        chosen arms. rewards: (n,). lost: (n,), expected regret."""
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
        """Return the sums over all steps added. turn: (d, d), a matrix applied to all features, which maps them to the
        world's coordinates. scale: a factor applied to the regret."""
        kept = None
        if self.kept:
            features, rewards = (np.concatenate(parts) for parts in zip(*self.kept, strict=True))
            kept = (features if turn is None else features @ turn.T), rewards
        lost = scale * self.lost
        if turn is None:
            return Played(self.gram, self.moment, lost, kept)
        return Played(turn @ self.gram @ turn.T, self.moment @ turn.T, lost, kept)


@dataclass(frozen=True)
class Replay:
    """Plays the same sequence of steps once more, from the recorded state of the random generator. Calling this object
    with a function `watch` passes every chunk of features and scores to watch(features, scores)."""

    play: Callable[[Lane, np.random.Generator], Played]
    job: Lane
    state: Mapping[str, Any]

    def __call__(self, watch: Callable[[np.ndarray, np.ndarray], None]) -> Played:
        estimate = self.job.estimate.view(Watched)
        estimate.watch = watch
        generator = getattr(np.random, self.state["bit_generator"])()
        generator.state = self.state
        return self.play(
            replace(self.job, act=replace(self.job.act, parameters=estimate)), np.random.Generator(generator)
        )


@dataclass(frozen=True)
class SphereContexts:
    """The contexts of an agent whose arms have features (1, u)/sqrt2 in `dimension` >= 2 coordinates, with u uniform on
    the unit sphere, new in every step. loss: the loss whose link function maps scores to mean rewards. engine: "plane"
    or "drawn", how steps are drawn."""

    arms: int
    dimension: int
    engine: str = "plane"
    loss: Loss = field(default_factory=Squared)
    draw: ClassVar[Any] = None  # another law's features

    @property
    def of_shares(self) -> bool:
        return False

    def largest_regret_rate(self, parameter: np.ndarray) -> float:
        """Return the largest minus the least mean reward for the true `parameter` (d,). It bounds a step's regret."""
        low, high = self.means_between(parameter)
        return high - low

    def means_between(self, parameter: np.ndarray) -> tuple[float, float]:
        """Return the least and the largest possible mean reward. parameter (d,): the true one."""
        reach = np.linalg.norm(parameter[1:]) * np.array([-1.0, 1.0])
        low, high = self.loss.link((parameter[0] + reach) / math.sqrt(2))
        return float(low), float(high)

    def play(
        self, act: Acting, steps: Steps, parameter: np.ndarray, rewards: Law, rng: np.random.Generator
    ) -> Experience:
        return self.play_each(act, [steps], parameter, rewards, rng)[0]

    def play_each(
        self,
        act: Acting,
        steps: Sequence[Steps],
        parameter: np.ndarray,
        rewards: Law,
        rng: np.random.Generator,
    ) -> list[Experience]:
        """Play an epoch of several agents with the same policy and model. Return each agent's data and regret.
        parameter (d,): the true one. rewards: their law."""
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
        rewards: Law,
        rng: np.random.Generator,
        keep: bool = False,
        apart: bool = False,
    ) -> Played:
        """Play an epoch of M agents with the same policy and model as one sequence of steps. Return the regret (M,) of
        the first `played` of each agent's `full` steps: a sum over the contexts met, in expectation over the choice of
        arms. Also return Gram matrices and sums of reward x features: those of each agent if `apart`, else their sum.
        keep: whether to return all samples too."""
        total = sum(full)
        if keep and total * self.dimension > MOST_KEPT:
            size = f"{total} steps of dimension {self.dimension}"
            if self.loss.quadratic:
                said = f"would keep over {MOST_KEPT:.0e} numbers; use full gradients"
                raise InputError("protocol.batch", size, said)
            said = (
                f"the {self.loss.name} loss would keep over {MOST_KEPT:.0e} numbers; give a smaller horizon"
            )
            raise InputError("horizon", size, said)
        cut = list(full) != list(played)
        pieces = (
            [part for f, p in zip(full, played, strict=True) for part in (p, f - p)] if cut else list(full)
        )
        job = Lane(self.arms, act, tuple(pieces), parameter, rewards, keep, apart, self.loss, self.draw)
        play = engine(self._engine(act))
        if isinstance(act.parameters, Watched) and act.parameters.remember is not None:
            act.parameters.remember(Replay(play, job, rng.bit_generator.state))
        found = play(job, rng)
        if not cut:
            return found
        gram, moment = found.gram, found.moment
        if apart:
            gram, moment = gram[::2] + gram[1::2], moment[::2] + moment[1::2]
        return Played(gram, moment, found.lost[::2], found.kept)

    def _engine(self, act: Acting) -> str:
        linear = self.loss.quadratic and isinstance(act.model, Ridge) and not act.model.clip
        plain = linear and type(act.policy) is InverseGapWeighting and isinstance(act.parameters, np.ndarray)
        return self.engine if plain else "drawn"

    def meet(
        self, shape: tuple[int, int], parameter: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, None]:
        """Draw contexts one by one. Return features (*shape, K, d) and mean rewards (*shape, K). The third value is
        None, because continuous contexts have no index. parameter: the true one."""
        normal = rng.standard_normal((*shape, self.arms, self.dimension - 1))
        directions = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
        features = np.concatenate([np.ones((*shape, self.arms, 1)), directions], axis=-1) / math.sqrt(2)
        return features, self.loss.link(features @ parameter), None

    def describe(self) -> dict[str, Any]:
        return {"contexts": "sphere", "arms": self.arms}


def engine(name: str) -> Callable[[Lane, np.random.Generator], Played]:
    choose("engine", name, ENGINES)
    from linear.contexts.engines import drawn, plane

    return plane.lane if name == "plane" else drawn.lane
