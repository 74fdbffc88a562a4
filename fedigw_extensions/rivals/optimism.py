"""Play LinUCB for every agent of every replication at once. All systems that choose arms by upper confidence bounds
use this module.

LinUCB is ridge regression with confidence ellipsoids. The systems differ in when agents communicate and what they
send, which is defined by an `Exchange`. Over samples with features phi and rewards r, V = I + sum phi phi', b = sum
phi r, and the estimate of the true parameter omega* is V^{-1} b. Rewards in [0,1] are 1/2-sub-Gaussian and
norm(omega*) <= 1, so with probability 1 - delta, at all times (Abbasi-Yadkori, Pal and Szepesvari 2011, theorem 2),

    norm(estimate - omega*)_V <= radius = 1 + (1/2) sqrt(ln det V + 2 ln(1/delta)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from fedigw.game import Confident, Game, Sizes, check_positive


@dataclass
class Beliefs:
    """The ridge statistics of M agents in R replications, from features phi and rewards r in d dimensions.

    gram (R, M, d, d): V = I + sum phi phi'. inverse: V^{-1}. moment (R, M, d): sum r phi. log_det (R, M): ln det V.
    """

    gram: np.ndarray
    inverse: np.ndarray
    moment: np.ndarray
    log_det: np.ndarray

    @classmethod
    def start(cls, replications: int, agents: int, dimension: int) -> Beliefs:
        one = np.broadcast_to(np.eye(dimension), (replications, agents, dimension, dimension))
        zero = np.zeros((replications, agents, dimension))
        return cls(one.copy(), one.copy(), zero, np.zeros((replications, agents)))

    def learn(self, features: np.ndarray, rewards: np.ndarray) -> None:
        """Add one sample of every agent: features (R, M, d), rewards (R, M)."""
        turned = (self.inverse @ features[..., None])[..., 0]
        growth = 1 + (turned * features).sum(axis=-1)
        self.gram += features[..., :, None] * features[..., None, :]
        self.inverse -= turned[..., :, None] * (turned / growth[..., None])[..., None, :]
        self.moment += features * rewards[..., None]
        self.log_det += np.log(growth)

    def put(self, where: Any, gram: np.ndarray, moment: np.ndarray) -> None:
        """Replace the statistics at the index `where` (replication, agent), and recompute inverse and determinant."""
        sign, log_det = np.linalg.slogdet(gram)
        if not (sign > 0).all():
            raise np.linalg.LinAlgError("what arrived is no covariance: its determinant is not positive")
        self.gram[where], self.moment[where] = gram, moment
        self.inverse[where], self.log_det[where] = np.linalg.inv(gram), log_det

    @property
    def estimates(self) -> np.ndarray:
        return (self.inverse @ self.moment[..., None])[..., 0]

    def widths(self, features: np.ndarray) -> np.ndarray:
        """Return the confidence width of every arm, sqrt(phi'V^{-1}phi) for its feature phi, shape (R, M, K)."""
        return np.sqrt(np.maximum(((features @ self.inverse) * features).sum(axis=-1), 0.0))

    def optimistic(self, features: np.ndarray, radius: np.ndarray) -> np.ndarray:
        scores = (features @ self.estimates[..., None])[..., 0]
        return np.asarray(np.argmax(scores + radius[..., None] * self.widths(features), axis=-1))

    def holds(self, parameter: np.ndarray, radius: np.ndarray) -> np.ndarray:
        """Return whether each agent's ellipsoid, norm(estimate - omega)_V <= radius, contains the parameter; (R, M)."""
        error = self.estimates - parameter
        return np.asarray(((self.gram @ error[..., None])[..., 0] * error).sum(axis=-1) <= radius**2)


def radius(log_det: np.ndarray, delta: float, norm: float = 1.0) -> np.ndarray:
    """Return the radius of a confidence ellipsoid that fails with probability at most delta, if the true parameter
    has at most this norm: norm + (1/2) sqrt(log_det + 2 ln(1/delta))."""
    return np.asarray(norm + 0.5 * np.sqrt(log_det + 2 * math.log(1 / delta)))


def chosen(features: np.ndarray, arms: np.ndarray) -> np.ndarray:
    flat = features.reshape(-1, *features.shape[-2:])
    return np.asarray(flat[np.arange(len(flat)), arms.ravel()].reshape(*arms.shape, -1))


def most_log_det(dimension: int, steps: float) -> float:
    """Return d ln(1 + steps/d), an upper bound on ln det(I + sum of `steps` terms phi phi') for features of norm at
    most 1 in d dimensions."""
    return dimension * math.log1p(steps / dimension)


@cache
def _upper(dimension: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.triu_indices(dimension)
    return rows, columns


def packed(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Return a message (..., d(d+1)/2 + d): the upper triangle of the symmetric matrix `gram` (d, d), then the
    vector `moment` (d,)."""
    rows, columns = _upper(moment.shape[-1])
    return np.concatenate([gram[..., rows, columns], moment], axis=-1)


def samples(features: np.ndarray, rewards: np.ndarray) -> np.ndarray:
    return packed(features[..., :, None] * features[..., None, :], features * rewards[..., None])


def unpacked(message: np.ndarray, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = _upper(dimension)
    gram = np.zeros((*message.shape[:-1], dimension, dimension))
    gram[..., rows, columns] = message[..., : len(rows)]
    gram[..., columns, rows] = message[..., : len(rows)]
    return gram, message[..., len(rows) :]


def packed_size(dimension: int) -> int:
    return dimension * (dimension + 1) // 2 + dimension


class Exchange:
    """Base class of the statistics and messages of agents in one simulated interaction. A subclass defines when they
    communicate. beliefs: the statistics by which arms are chosen. width: the dimension of their matrices."""

    def __init__(self, system: Any, game: Game) -> None:
        self.system, self.game, self.width = system, game, system.widest(game.sizes)
        self.shape = (game.replications, game.agents)
        self.beliefs = self.start()
        # what the server knows of nothing: I and 0, as they travel
        self.server = np.tile(packed(np.eye(self.width), np.zeros(self.width)), (game.replications, 1))

    def start(self) -> Beliefs:
        return Beliefs.start(*self.shape, self.width)

    def learn(self, features: np.ndarray, rewards: np.ndarray, acting: np.ndarray) -> None:
        """Add one sample of every agent, then communicate if the system's rule requires it. features (R, M, d),
        rewards (R, M). acting (M,): which agents act in this step; the samples of the others are 0."""
        raise NotImplementedError


@dataclass(frozen=True)
class Optimist(Confident):
    """Base class of all systems based on LinUCB: every agent plays the arm with the largest upper confidence bound."""

    event: ClassVar[str] = "every confidence set held the parameter at all times"
    needs: ClassVar[tuple[str, ...]] = ("one parameter",)
    norm: ClassVar[float] = (
        1.0  # of the parameter, and how far the estimate may be from ridge's in the norm of V
    )
    exchange: ClassVar[type[Exchange]]

    def play(self, game: Game) -> np.ndarray:
        exchange, truth = self.exchange(self, game), self.truth(game)
        held = np.ones(game.replications, dtype=bool)
        for raw, pull in game.steps():
            acting, features, beliefs = game.acting, self.features(raw), exchange.beliefs
            reach = self.reach(beliefs, game.sizes)
            held &= beliefs.holds(truth, reach).all(axis=1)
            arms = beliefs.optimistic(features, reach)
            exchange.learn(chosen(features, arms), pull(arms), acting)
        return held

    def level(self, sizes: Sizes) -> float:
        """Return the failure probability of one agent's confidence sets: the total, divided by the number of agents."""
        return self.failure(sizes) / sizes.agents

    def reach(self, beliefs: Beliefs, sizes: Sizes) -> np.ndarray:
        return radius(beliefs.log_det, self.level(sizes), self.norm)

    def features(self, features: np.ndarray) -> np.ndarray:
        """Return the features (R, M, K, width) from which agents learn, given the environment's (R, M, K, d)."""
        return features

    def truth(self, game: Game) -> np.ndarray:
        return np.stack([game.world.truth(m) for m in range(game.agents)])


class Synchronisation(Exchange):
    """An exchange in which all agents share their new data as soon as (t - t_last) ln(det V/det V_last) exceeds the
    system's threshold for one of them. Here t is the step, t_last the step of the last exchange, and V and V_last are
    the agent's Gram matrices at these steps.
    """

    def __init__(self, system: Any, game: Game) -> None:
        super().__init__(system, game)
        self.limit = system.limit(game.sizes)
        self.growing = self.beliefs  # with each agent's data since the last exchange
        self.fresh = np.zeros((*self.shape, packed_size(self.width)))  # what each agent has not sent
        self.base, self.since = np.zeros(self.shape), np.zeros(game.replications)  # ln det V_last, t - t_last

    def learn(self, features: np.ndarray, rewards: np.ndarray, acting: np.ndarray) -> None:
        growing, p = self.growing, self.width
        growing.learn(features, rewards)
        self.fresh += samples(features, rewards)
        self.since += 1
        late = (self.since[:, None] * (growing.log_det - self.base) > self.limit).any(axis=1)
        for r in map(int, np.flatnonzero(late)):
            gram, moment = self.share(r)
            agents = self.shape[1]
            for known in {id(b): b for b in (self.beliefs, growing)}.values():
                known.put(r, np.broadcast_to(gram, (agents, p, p)), np.broadcast_to(moment, (agents, p)))
            self.fresh[r], self.base[r], self.since[r] = 0, growing.log_det[r], 0

    def share(self, r: int) -> tuple[np.ndarray, np.ndarray]:
        """Communicate in replication r. Return the sums over all agents' data of phi phi' (with I added), shape (p,
        p), and of reward x phi, shape (p,)."""
        line, size = self.game.lines[r], self.fresh.shape[2:]
        line.begin_round()
        self.server[r] += line.broadcast("statistics", line.total("statistics", self.fresh[r], size), size)
        return unpacked(self.server[r], self.width)


@dataclass(frozen=True)
class Synchronised(Optimist):
    """A LinUCB system whose agents all share their new data when, for one of them, (steps since the last exchange) x
    (growth of ln det of its Gram matrix since then) exceeds `threshold`; by default the value of the system's paper."""

    threshold: float | None = None
    exchange: ClassVar[type[Exchange]] = Synchronisation

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive("threshold", self.threshold)

    def limit(self, sizes: Sizes) -> float:
        """Return the threshold of (steps since the last exchange) x (growth of ln det of an agent's Gram matrix since
        then), above which all agents share their new data."""
        return self.usual(sizes) if self.threshold is None else self.threshold

    def usual(self, sizes: Sizes) -> float:
        return sizes.horizon * math.log(max(sizes.steps, 2)) / (sizes.dimension * sizes.agents)

    def numbers_at_most(self, sizes: Sizes) -> float:
        p = self.widest(sizes)
        return 2 * sizes.agents * packed_size(p) * synchronisations(p, sizes, self.limit(sizes))


def synchronisations(width: int, sizes: Sizes, limit: float) -> float:
    """Return an upper bound on how often all agents exchange data in one run. width: the dimension of their Gram
    matrices. limit: the threshold for an exchange. The proof is in systems/dislinucb.py."""
    growth = most_log_det(width, sizes.steps)
    return min(2 * math.sqrt(sizes.horizon * growth / limit) + 1, sizes.horizon)
