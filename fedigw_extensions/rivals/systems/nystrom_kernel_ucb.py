"""Approx-DisKernelUCB (Li, Wang, Wang and Wang 2022, NeurIPS, arXiv:2206.04835): kernel UCB with a Nystrom
approximation. The other reference of this row of tab:summary, li2023learning (Li, Wang, Wang and Wang 2023, ICLR),
is the same with asynchronous agents and has no program of its own here.

The kernel k is approximated by a dictionary S of points, by which a feature x is embedded as z(x) = K_SS^{-1/2}
k_S(x); k(x,x) - z'z is the part of x that the dictionary does not explain. All agents synchronise when for some
agent ln(det A_now/det A_last) plus the unexplained parts of its new points exceeds D = 1/M, where A is the
covariance matrix of its embedded data. Then points are drawn from the agents' data, with chances in proportion to
their unexplained parts, and added to the dictionary, and the covariance matrices and reward vectors of the embedded
data are summed. The width of an arm is sqrt(k(x,x) - z'z + z'A^{-1}z).

The paper (M agents, T steps): regret O~(sqrt(MT) g(MT)), numbers O~(M^2 g^3(MT)), g the kernel's maximum information
gain (O(d ln(MT)) for the linear kernel).

Simplified: the dictionary only grows, to at most q points (the paper draws it anew with enough points for its
accuracy); the radius is that of ridge regression with the linear kernel. Its event counts as occurred only while omega*
is in the confidence set.
"""

# Proved for this program: the dictionary only grows, so ln det A never falls and is at most R = q ln(1 + MT/q) for q
# points. At a synchronisation either some ln det has grown by more than D/2, at most 2R/D times, or a point is added,
# at most q times; one follows the first step. Each has 2M(q(q+1)/2 + q) numbers, the dictionary (M + 1) q d in all.
#
# Checked: that the trigger has no factor t - t_last (DisLinUCB has one), the embedding and the width, against the
# program of a later comparison (ApproxDisKernelUCB.py next to DisKernelUCB.py and DISUS.py on GitHub); sub-linear
# regret and communication against the abstract. From memory of the paper: D = 1/M, which with q = g gives M^2 g^3.

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError, choose
from fedigw.game import Confident, Game, Sizes
from fedigw_extensions.rivals import optimism

KERNELS = ("linear", "rbf")
EXPLAINED = 1e-3  # variance below which a point adds nothing to the dictionary


@dataclass(frozen=True)
class NystromKernelUCB(Confident):
    """Kernel UCB in which a dictionary of a few points approximates the kernel (Nystrom). kernel: linear, for which
    rewards are exactly in its class, or rbf, exp(-norm(x - y)^2/2). points: the largest size of the dictionary. delta:
    the probability that any confidence interval ever fails, by default 1 over the steps of all agents."""

    kernel: str = "linear"
    points: int = 8
    name: ClassVar[str] = "nystrom_kernel_ucb"
    paper: ClassVar[str] = "Li et al. 2022"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    event: ClassVar[str] = "every arm's score was within its radius of the expected reward at all times"
    needs: ClassVar[tuple[str, ...]] = ("one parameter",)

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("kernel", self.kernel, KERNELS)
        if self.points < 1:
            raise InputError("points", self.points, "must be a positive integer")

    def play(self, game: Game) -> np.ndarray:
        """Play the game. Return for each replication whether every arm's estimated reward was within its confidence
        width of the expected one at all times, shape (R,)."""
        R, M, d, q = game.replications, game.agents, game.dimension, self.points
        level, limit = self.failure(game.sizes) / M, 1 / M
        mine, width_of = optimism.Beliefs.start(R, M, q), (optimism.packed_size(q),)
        points, maps, size = np.zeros((R, q, d)), np.zeros((R, q, q)), np.zeros(R, dtype=int)
        base, held = np.zeros((R, M)), np.ones(R, dtype=bool)
        own = np.zeros((R, M, optimism.packed_size(q)))  # an agent's own data, embedded
        strange = np.zeros((R, M))  # what the dictionary did not explain since the last synchronisation
        past, earned = np.zeros((game.horizon, R, M, d)), np.zeros((game.horizon, R, M))
        for t, (features, pull) in enumerate(game.steps()):
            z = self._similar(features, points[:, None], size[:, None, None, None]) @ maps[:, None]
            scores = (z @ mine.estimates[..., None])[..., 0]
            rest = np.maximum(self._own(features) - (z**2).sum(axis=-1), 0.0)
            width = np.sqrt(rest + mine.widths(z) ** 2)
            reach = optimism.radius(mine.log_det, level)[..., None] * width
            held &= (np.abs(scores - features @ game.world.truth(0)) <= reach + 1e-9).all(axis=(1, 2))
            arms = np.argmax(scores + reach, axis=-1)
            past[t], earned[t] = optimism.chosen(features, arms), pull(arms)
            embedded = optimism.chosen(z, arms)
            mine.learn(embedded, earned[t])
            unexplained = np.take_along_axis(rest, arms[..., None], axis=-1)[..., 0]
            strange += np.where((unexplained >= EXPLAINED) & (size < q)[:, None], unexplained, 0.0)
            own += optimism.samples(embedded, earned[t])
            due = (mine.log_det - base + strange > limit).any(axis=1) | (t == 0)
            for r in map(int, np.flatnonzero(due)):
                before = int(size[r])
                game.lines[r].begin_round()
                if t == 0 or strange[r].any():  # all that came before is explained
                    size[r] = self._enlarge(game, r, past[: t + 1, r], points[r], maps[r], before)
                if size[r] > before:
                    similar = self._similar(past[: t + 1, r], points[r], np.full((1, 1, 1), size[r]))
                    seen = similar @ maps[r]
                    gram = np.einsum("tmp,tmq->mpq", seen, seen)
                    own[r] = optimism.packed(gram, np.einsum("tmp,tm->mp", seen, earned[: t + 1, r]))
                total = game.lines[r].total("statistics", own[r], width_of)
                sums = optimism.unpacked(game.lines[r].broadcast("statistics", total, width_of), q)
                mine.put(r, np.tile(np.eye(q) + sums[0], (M, 1, 1)), np.tile(sums[1], (M, 1)))
                base[r], strange[r] = mine.log_det[r], 0
        return held

    def widest(self, sizes: Sizes) -> int:
        return self.points

    def _enlarge(
        self, game: Game, r: int, past: np.ndarray, points: np.ndarray, maps: np.ndarray, size: int
    ) -> int:
        """Add points to the dictionary until it is full or explains all data, and return its size. Points of `past` are
        drawn with probabilities in proportion to the part of them that the dictionary leaves unexplained."""
        line, flat = game.lines[r], past.reshape(-1, past.shape[-1])
        before = size
        while size < self.points:
            z = self._similar(flat, points, np.full((1, 1), size)) @ maps
            rest = np.maximum(self._own(flat) - (z**2).sum(axis=-1), 0.0)
            if rest.max() < EXPLAINED:
                break
            drawn = int(game.rng.choice(len(flat), p=rest / rest.sum()))
            line.with_agents([drawn % game.agents])
            points[size] = line.gather("point", flat[drawn][None], flat.shape[1:])[0]
            size += 1
            values, vectors = np.linalg.eigh(
                self._similar(points[:size], points[:size], np.full((1, 1), size))
            )
            keep = values > 1e-9
            maps[:] = 0
            maps[:size, :size] = vectors[:, keep] / np.sqrt(values[keep]) @ vectors[:, keep].T
        line.with_agents(np.arange(game.agents))
        if size > before:
            line.broadcast("points", points[before:size], (size - before, points.shape[1]))
        return size

    def _similar(self, features: np.ndarray, points: np.ndarray, size: np.ndarray) -> np.ndarray:
        products = features @ points.swapaxes(-1, -2)
        if self.kernel == "rbf":
            lengths = (points**2).sum(axis=-1)[..., None, :] if points.ndim > 2 else (points**2).sum(axis=-1)
            products = np.exp(products - (features**2).sum(axis=-1)[..., None] / 2 - lengths / 2)
        return np.where(np.arange(points.shape[-2]) < size, products, 0.0)

    def _own(self, features: np.ndarray) -> np.ndarray:
        return np.ones(features.shape[:-1]) if self.kernel == "rbf" else (features**2).sum(axis=-1)

    def numbers_at_most(self, sizes: Sizes) -> float:
        growth = optimism.most_log_det(self.points, sizes.steps)
        rounds = min(2 * growth * sizes.agents + 1 + self.points, sizes.horizon)
        dictionary = (sizes.agents + 1) * self.points * sizes.dimension
        return 2 * sizes.agents * optimism.packed_size(self.points) * rounds + dictionary
