"""FedGLB-UCB (Li and Wang 2022, NeurIPS, arXiv:2202.01087): generalised linear rewards, the estimate by AGD over the
wire.

As in DisLinUCB all agents synchronise when for some agent (t - t_last) ln(det V_now/det V_last) > D. Then they share
covariance matrices once and find the estimate by accelerated gradient descent, a gradient of d numbers up and a point
of d numbers down in every round, because a generalised linear model has no closed form. The link function here is the
identity, the one that these worlds have.

The paper: regret O~(d sqrt(MT)), O(d M^2 sqrt(T) ln^2(MT)) numbers with D = T/(dM ln(MT)). Here, with constants: the
number of synchronisations is that of DisLinUCB; a call ends when the server sees norm(gradient) <= 1/10, after at
most sqrt(kappa) ln(8 kappa^2 n/0.01) + 1 rounds, kappa = 1 + MT, n = MT, since the minimiser's norm is at most sqrt
n.

Between synchronisations each agent takes online Newton steps from the common estimate; for the identity they are
recursive least squares, so that the confidence set of DisLinUCB holds, wider by the tolerance 1/10.

Checked: the trigger and its D, covariance matrices once and gradients in every round, online Newton steps in between,
against the authors' program (cyrilli/FedGLB-UCB on GitHub, lib/FedGLB_UCB.py, RunSyntheticDataset.py); sub-linear
regret and communication against the abstract. From memory of the paper: the orders.

Simplified: only the identity as link function; a call ends at norm(gradient) <= 1/10, where theirs ends at sqrt(2/n).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw.optimism import (
    Beliefs,
    check_delta,
    check_positive,
    chosen,
    most_log_det,
    packed,
    radius,
    unpacked,
)

TOLERANCE = 0.1  # of the gradient, and so of the estimate in the norm of V


@dataclass(frozen=True)
class FedGLBUCB:
    """delta: the chance that some confidence set ever fails; None: 1/(MT). threshold: D; None: the paper's."""

    delta: float | None = None
    threshold: float | None = None
    name: ClassVar[str] = "fedglb_ucb"
    paper: ClassVar[str] = "Li and Wang 2022b"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    event: ClassVar[str] = "every confidence set held the parameter at all times"
    needs: ClassVar[tuple[str, ...]] = ("one parameter",)

    def __post_init__(self) -> None:
        if self.delta is not None:
            check_delta(self.delta)
        if self.threshold is not None:
            check_positive("threshold", self.threshold)

    def play(self, game: Game) -> np.ndarray:
        """(R,): whether every confidence set of the replication always held omega*."""
        R, M, d = game.replications, game.agents, game.dimension
        level = (self.delta or 1 / game.sizes.steps) / M  # each agent sees data of its own: a union over them
        limit = self._limit(game.sizes)
        own = Beliefs.start(R, M, d)  # I and an agent's own data, of all its steps
        seen = Beliefs.start(R, M, d)  # the common estimate, and Newton steps on what is new
        common, estimate = np.tile(np.eye(d), (R, 1, 1)), np.zeros((R, d))
        base, since = np.zeros(R), np.zeros(R)
        held = np.ones(R, dtype=bool)
        for features, pull in game.steps():
            reach = radius(seen.log_det, level) + TOLERANCE
            held &= seen.holds(game.world.truth(0), reach).all(axis=1)
            arms = seen.optimistic(features, reach)
            rewards = pull(arms)
            phi = chosen(features, arms)
            own.learn(phi, rewards)
            seen.learn(phi, rewards)
            since += 1
            late = (since[:, None] * (seen.log_det - base[:, None]) > limit).any(axis=1)
            for r in map(int, np.flatnonzero(late)):
                common[r] = self._covariance(game, r, seen.gram[r] - common[r], common[r])
                estimate[r] = self._descend(game, r, own, common[r], estimate[r])
                moment = np.broadcast_to(common[r] @ estimate[r], (M, d))
                seen.put(r, np.broadcast_to(common[r], (M, d, d)), moment)
                base[r], since[r] = seen.log_det[r, 0], 0
        return held

    def _covariance(self, game: Game, r: int, fresh: np.ndarray, common: np.ndarray) -> np.ndarray:
        line, d = game.lines[r], game.dimension
        size = d * (d + 1) // 2
        line.begin_round()
        message = packed(fresh, np.zeros((len(fresh), d)))[:, :size]
        total = line.broadcast("covariance", line.total("covariance", message, (size,)), (size,))
        return common + unpacked(np.concatenate([total, np.zeros(d)]), d)[0]

    def _descend(self, game: Game, r: int, own: Beliefs, common: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Accelerated gradient descent on norm(.)^2/2 + sum (phi'. - r)^2/2; each agent answers with its own
        gradient."""
        line, d = game.lines[r], game.dimension
        values = np.linalg.eigvalsh(common)
        ratio = math.sqrt(values[0] / values[-1])
        momentum = (1 - ratio) / (1 + ratio)
        local = own.gram[r] - np.eye(d)
        before = look = start
        # twice what accelerated descent on a quadratic takes; more only where sums do not arrive as they were sent
        n = game.sizes.steps
        most = math.ceil(2 / ratio * math.log(8 * (1 + n) ** 2 * n / TOLERANCE**2)) + 2
        for _ in range(most):
            line.begin_round()
            point = line.broadcast("point", look, (d,))
            gradient = point + line.total("gradient", local @ point - own.moment[r], (d,))
            if np.linalg.norm(gradient) <= TOLERANCE:
                return np.asarray(point)
            now = look - gradient / values[-1]
            before, look = now, now + momentum * (now - before)
        said = f"its gradients are not small after {most} rounds: it needs sums as they were sent"
        raise InputError("link", game.lines[r].link.aggregator.name, said)

    def _limit(self, sizes: Sizes) -> float:
        usual = sizes.horizon / (sizes.dimension * sizes.agents * math.log(max(sizes.steps, 2)))
        return usual if self.threshold is None else self.threshold

    def numbers_at_most(self, sizes: Sizes) -> float:
        n, d, M = sizes.steps, sizes.dimension, sizes.agents
        growth = most_log_det(d, n)
        calls = min(2 * math.sqrt(sizes.horizon * growth / self._limit(sizes)) + 1, sizes.horizon)
        rounds = math.sqrt(1 + n) * math.log(8 * (1 + n) ** 2 * n / TOLERANCE**2) + 1
        return calls * 2 * M * (d * (d + 1) / 2 + d * rounds)
