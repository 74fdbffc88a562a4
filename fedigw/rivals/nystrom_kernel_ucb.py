"""Approx-DisKernelUCB (Li, Wang, Wang and Wang 2022, arXiv:2206.04835): kernel UCB with a Nystrom approximation.

All agents synchronise when for some agent (t - t_last) (ln(det A_now/det A_last) + what the dictionary did not
explain of its points) > D. Then points are drawn from the agents' data, with chances in proportion to what is not
explained of them, and shared; everybody embeds its data by z(x) = K_SS^{-1/2} k_S(x), and the covariance matrices and
reward vectors of the embedded data are summed. An arm's width is sqrt(k(x,x) - z'z + z'A^{-1}z).

The paper: regret O~(sqrt(MT) g(MT)), numbers O~(M^2 g^3(MT)), g the kernel's maximum information gain (O(d ln(MT))
for the linear kernel). Here, with constants: the dictionary only grows, so ln det A never falls and is at most q ln(1
+ MT/q). As in DisLinUCB at most 2 sqrt(TR/D) + 1 synchronisations come from determinants alone; any other adds a
point, so there are at most q of these; one follows the first step. Each has 2M(q(q+1)/2 + q) numbers, the dictionary
(M + 1) q d in all.

Simplified: the dictionary is nested and has at most q points (the paper draws it anew with enough points for its
accuracy); the radius is that of ridge with the linear kernel, and it counts as kept only while omega* is in its set.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError, choose
from fedigw.game import Game, Sizes
from fedigw.optimism import Beliefs, check_delta, chosen, most_log_det, packed, packed_size, radius, unpacked

KERNELS = ("linear", "rbf")
EXPLAINED = 1e-3  # variance below which a point adds nothing to the dictionary


@dataclass(frozen=True)
class NystromKernelUCB:
    """kernel: linear, the worlds' own, or rbf, exp(-norm(x - y)^2/2). points: q. delta: None is 1/(MT)."""

    kernel: str = "linear"
    points: int = 8
    delta: float | None = None
    name: ClassVar[str] = "nystrom_kernel_ucb"
    paper: ClassVar[str] = "Li et al. 2022"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    needs: ClassVar[tuple[str, ...]] = ("one parameter",)

    def __post_init__(self) -> None:
        choose("kernel", self.kernel, KERNELS)
        if self.points < 1:
            raise InputError("points", self.points, "must be a positive integer")
        if self.delta is not None:
            check_delta(self.delta)

    def play(self, game: Game) -> np.ndarray:
        """(R,): whether always abs(z'estimate - phi'omega*) <= radius width, for all arms of all agents."""
        R, M, d, q = game.replications, game.agents, game.dimension, self.points
        level, limit = (self.delta or 1 / game.sizes.steps) / M, self._limit(game.sizes)
        mine, new = Beliefs.start(R, M, q), np.zeros((R, M, packed_size(q)))
        points, maps, size = np.zeros((R, q, d)), np.zeros((R, q, q)), np.zeros(R, dtype=int)
        base, since, held = np.zeros((R, M)), np.zeros(R), np.ones(R, dtype=bool)
        strange = np.zeros((R, M))  # what the dictionary did not explain since the last synchronisation
        past, earned = np.zeros((game.horizon, R, M, d)), np.zeros((game.horizon, R, M))
        for t, (features, pull) in enumerate(game.steps()):
            z = self._similar(features, points[:, None], size[:, None, None, None]) @ maps[:, None]
            scores = (z @ mine.estimates[..., None])[..., 0]
            rest = np.maximum(self._own(features) - (z**2).sum(axis=-1), 0.0)
            width = np.sqrt(rest + mine.widths(z) ** 2)
            reach = radius(mine.log_det, level)[..., None] * width
            held &= (np.abs(scores - features @ game.world.truth(0)) <= reach + 1e-9).all(axis=(1, 2))
            arms = np.argmax(scores + reach, axis=-1)
            past[t], earned[t] = chosen(features, arms), pull(arms)
            embedded = chosen(z, arms)
            mine.learn(embedded, earned[t])
            unexplained = np.take_along_axis(rest, arms[..., None], axis=-1)[..., 0]
            strange += np.where((unexplained >= EXPLAINED) & (size < q)[:, None], unexplained, 0.0)
            since += 1
            due = (since[:, None] * (mine.log_det - base + strange) > limit).any(axis=1) | (t == 0)
            for r in map(int, np.flatnonzero(due)):
                size[r] = self._enlarge(game, r, past[: t + 1, r], points[r], maps[r], int(size[r]))
                similar = self._similar(past[: t + 1, r], points[r], np.full((1, 1, 1), size[r]))
                seen = similar @ maps[r]
                gram = np.einsum("tmp,tmq->mpq", seen, seen)
                moment = np.einsum("tmp,tm->mp", seen, earned[: t + 1, r])
                total = game.lines[r].total("statistics", packed(gram, moment), new.shape[2:])
                sums = unpacked(game.lines[r].broadcast("statistics", total, new.shape[2:]), q)
                mine.put(r, np.tile(np.eye(q) + sums[0], (M, 1, 1)), np.tile(sums[1], (M, 1)))
                base[r], since[r], strange[r] = mine.log_det[r], 0, 0
        return held

    def _enlarge(
        self, game: Game, r: int, past: np.ndarray, points: np.ndarray, maps: np.ndarray, size: int
    ) -> int:
        """Draw what the dictionary does not explain, in turn, until it is full or explains everything."""
        line, flat = game.lines[r], past.reshape(-1, past.shape[-1])
        line.begin_round()
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
        """(..., q): k(x, s) for the points s of the dictionary, 0 beyond its size."""
        products = features @ points.swapaxes(-1, -2)
        if self.kernel == "rbf":
            lengths = (points**2).sum(axis=-1)[..., None, :] if points.ndim > 2 else (points**2).sum(axis=-1)
            products = np.exp(products - (features**2).sum(axis=-1)[..., None] / 2 - lengths / 2)
        return np.where(np.arange(points.shape[-2]) < size, products, 0.0)

    def _own(self, features: np.ndarray) -> np.ndarray:
        """(...): k(x, x)."""
        return np.ones(features.shape[:-1]) if self.kernel == "rbf" else (features**2).sum(axis=-1)

    def _limit(self, sizes: Sizes) -> float:
        return sizes.horizon * math.log(max(sizes.steps, 2)) / (sizes.dimension * sizes.agents)

    def numbers_at_most(self, sizes: Sizes) -> float:
        growth = most_log_det(self.points, sizes.steps)
        rounds = min(
            2 * math.sqrt(sizes.horizon * growth / self._limit(sizes)) + 2 + self.points, sizes.horizon
        )
        dictionary = (sizes.agents + 1) * self.points * sizes.dimension
        return 2 * sizes.agents * packed_size(self.points) * rounds + dictionary
