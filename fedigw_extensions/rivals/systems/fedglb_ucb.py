"""FedGLB-UCB (Li and Wang 2022, NeurIPS, arXiv:2202.01087): generalised linear rewards; agents compute the estimate
together by AGD.

As in DisLinUCB, all agents synchronise when (t - t_last) ln(det V_now/det V_last) > D for some agent, where t_last
is the step of the last synchronisation and V the agent's covariance matrix. Then they share covariance matrices
once, and find the estimate by accelerated gradient descent (AGD), with a gradient of d numbers up and a point of d
numbers down in every round, because a generalised linear model has no closed form. The link function here is the
identity, because rewards are linear.

The paper (M agents, T steps, d dimensions): regret O~(d sqrt(MT)), O(d M^2 sqrt(T) ln^2(MT)) numbers with D = T/(dM
ln(MT)). Here, with constants: the number of synchronisations is that of DisLinUCB. A call ends when norm(gradient)
<= 1/10, after at most sqrt(kappa) ln(8 kappa^2 n/0.01) + 1 rounds with n = MT and kappa = 1 + MT, because the
minimiser's norm is at most sqrt n.

Between synchronisations each agent takes online Newton steps from the common estimate. For the identity these are
recursive least squares, so the confidence set of DisLinUCB holds, wider by the tolerance 1/10.

Checked: the trigger and its D, covariance matrices once and gradients in every round, online Newton steps in
between, against the authors' program (cyrilli/FedGLB-UCB on GitHub, lib/FedGLB_UCB.py, RunSyntheticDataset.py);
sub-linear regret and communication against the abstract. From memory of the paper: the orders.

Simplified: only the identity as link function; a call ends at norm(gradient) <= 1/10, where theirs ends at
sqrt(2/n).
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw_extensions.rivals import optimism

TOLERANCE = 0.1  # of the gradient, and so of the estimate in the norm of V


class Descent(optimism.Synchronisation):
    """An exchange in which agents share their covariance matrices once and then compute the common estimate by
    accelerated gradient descent, sending gradients instead of moments."""

    def __init__(self, system: Any, game: Game) -> None:
        super().__init__(system, game)
        self.own = np.zeros_like(self.fresh)  # an agent's data at the last synchronisation
        self.estimate = np.zeros((game.replications, self.width))

    def share(self, r: int) -> tuple[np.ndarray, np.ndarray]:
        line, d = self.game.lines[r], self.width
        size = d * (d + 1) // 2
        line.begin_round()
        total = line.total("covariance", self.fresh[r, :, :size], (size,))
        self.server[r, :size] += line.broadcast("covariance", total, (size,))
        self.own[r] += self.fresh[r]
        common = optimism.unpacked(self.server[r], d)[0]
        self.estimate[r] = self._descend(r, common)
        return common, common @ self.estimate[r]

    def _descend(self, r: int, common: np.ndarray) -> np.ndarray:
        """Minimise norm(w)^2/2 + sum (phi'w - r)^2/2 by accelerated gradient descent; each agent sends its own
        gradient."""
        line, shape = self.game.lines[r], (self.width,)
        values = np.linalg.eigvalsh(common)
        ratio = math.sqrt(values[0] / values[-1])
        momentum = (1 - ratio) / (1 + ratio)
        gram, moment = optimism.unpacked(self.own[r], self.width)
        before = look = self.estimate[r]
        # twice what accelerated descent on a quadratic takes; more only where sums do not arrive as they were sent
        most = math.ceil(2 / ratio * _logarithm(self.game.sizes)) + 2
        for _ in range(most):
            line.begin_round()
            point = line.broadcast("point", look, shape)
            gradient = point + line.total("gradient", gram @ point - moment, shape)
            if np.linalg.norm(gradient) <= TOLERANCE:
                return np.asarray(point)
            now = look - gradient / values[-1]
            before, look = now, now + momentum * (now - before)
        said = f"its gradients are not small after {most} rounds: it needs sums as they were sent"
        raise InputError("link", line.link.aggregator.name, said)


@dataclass(frozen=True)
class FedGLBUCB(optimism.Synchronised):
    """FedGLB-UCB. delta: the probability that any confidence set ever fails, by default 1/(MT). threshold: D, by
    default T/(dM ln(MT)) as in the paper."""

    name: ClassVar[str] = "fedglb_ucb"
    paper: ClassVar[str] = "Li and Wang 2022b"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    norm: ClassVar[float] = 1 + TOLERANCE
    exchange: ClassVar[type[optimism.Exchange]] = Descent

    def usual(self, sizes: Sizes) -> float:
        return sizes.horizon / (sizes.dimension * sizes.agents * math.log(max(sizes.steps, 2)))

    def numbers_at_most(self, sizes: Sizes) -> float:
        d = sizes.dimension
        rounds = math.sqrt(1 + sizes.steps) * _logarithm(sizes) + 1
        calls = optimism.synchronisations(d, sizes, self.limit(sizes))
        return calls * 2 * sizes.agents * (d * (d + 1) / 2 + d * rounds)


def _logarithm(sizes: Sizes) -> float:
    return math.log(8 * (1 + sizes.steps) ** 2 * sizes.steps / TOLERANCE**2)
