"""FedGLB-UCB (Li and Wang 2022, NeurIPS, arXiv:2202.01087): generalised linear rewards; agents compute the estimate
together by AGD.

As in DisLinUCB, all agents synchronise when (t - t_last) ln(det V_now/det V_last) > D for some agent, where t_last is
the step of the last synchronisation and V the agent's covariance matrix. Then they share covariance matrices once, and
find the estimate by accelerated gradient descent (AGD), with a gradient of d numbers up and a point of d numbers down
in every round, because a generalised linear model has no closed form. The link function is that of the environment.

The paper (M agents, T steps, d dimensions): regret O~(d sqrt(MT)), O(d M^2 sqrt(T) ln^2(MT)) numbers with D = T/(dM
ln(MT)).

Simplified: online Newton steps for linear rewards only; a descent ends at norm(gradient) <= 1/10, where theirs ends at
sqrt(2/n).
"""

# Proved for this program: the number of synchronisations is that of DisLinUCB. A descent ends when norm(gradient) <=
# 1/10, after at most sqrt(kappa) ln(8 kappa^2 n/0.01) + 1 rounds with n = MT and kappa = 1 + MT, because the
# minimiser's norm is at most sqrt n.
#
# With linear rewards each agent takes online Newton steps between synchronisations. For the identity these are
# recursive least squares, so the confidence set of DisLinUCB holds, wider by the tolerance 1/10.
#
# Another link: let c <= psi'' <= L be the slopes of the link and norm(omega*) <= B. The estimate w minimises (c/2)
# norm(w)^2 + sum psi(phi'w) - r phi'w, which is c V-strongly convex, so the gradient at omega* gives norm(w - omega*)_V
# <= B + (1/10 + (1/2) sqrt(ln det V + 2 ln(1/delta)))/c. Agents keep estimate and set until the next synchronisation.
# AGD ends after at most sqrt(kappa) ln(81 kappa^3 n/0.01) + 2 rounds, kappa = (L/c)(1 + MT): the minimiser's norm is at
# most sqrt(n)/c.
#
# Checked: the trigger and its D, covariance matrices once and gradients in every round, online Newton steps in between,
# against the authors' program (cyrilli/FedGLB-UCB on GitHub, lib/FedGLB_UCB.py, RunSyntheticDataset.py); sub-linear
# regret and communication against the abstract. From memory of the paper: the orders.

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw.interfaces import Loss
from fedigw_extensions.rivals import optimism

TOLERANCE = 0.1  # of the gradient, and so of the estimate in the norm of V


class Descent(optimism.Synchronisation):
    """An exchange in which agents share their covariance matrices once. Then they compute the common estimate by
    accelerated gradient descent, sending gradients."""

    def __init__(self, system: Any, game: Game) -> None:
        super().__init__(system, game)
        self.own = np.zeros_like(self.fresh)  # an agent's data at the last synchronisation
        self.estimate = np.zeros((game.replications, self.width))
        self.loss, self.seen = game.sizes.loss, list[tuple[np.ndarray, np.ndarray]]()
        if self.loss is not None:  # estimate and set are kept between synchronisations
            self.growing = self.start()

    def learn(self, features: np.ndarray, rewards: np.ndarray, acting: np.ndarray) -> None:
        if self.loss is not None:
            self.seen.append((features, rewards))
        super().learn(features, rewards, acting)

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
        """Return the minimiser (d,) of the regularised loss of all agents in replication r, by accelerated gradient
        descent in which each agent sends its own gradient. common: the agents' shared covariance matrix."""
        line, shape = self.game.lines[r], (self.width,)
        least, largest = slopes(self.loss)
        values = np.linalg.eigvalsh(common)
        ratio = math.sqrt(least * values[0] / (largest * values[-1]))
        momentum = (1 - ratio) / (1 + ratio)
        gradients = self._gradients(r)
        before = look = self.estimate[r]
        # twice what accelerated descent on a quadratic takes; more only where sums do not arrive as they were sent
        most = math.ceil(2 / ratio * _logarithm(self.game.sizes)) + 2
        for _ in range(most):
            line.begin_round()
            point = line.broadcast("point", look, shape)
            gradient = least * point + line.total("gradient", gradients(point), shape)
            if np.linalg.norm(gradient) <= TOLERANCE:
                return np.asarray(point)
            now = look - gradient / (largest * values[-1])
            before, look = now, now + momentum * (now - before)
        said = f"its gradients are not small after {most} rounds: it needs sums as they were sent"
        raise InputError("link", line.link.aggregator.name, said)

    def _gradients(self, r: int) -> Callable[[np.ndarray], np.ndarray]:
        """Return a function that maps a point to the gradients of the agents' losses in replication r, shape (M, d)."""
        loss = self.loss
        if loss is None:
            gram, moment = optimism.unpacked(self.own[r], self.width)
            return lambda point: gram @ point - moment
        features = np.stack([phi[r] for phi, _ in self.seen], axis=1)
        rewards = np.stack([reward[r] for _, reward in self.seen], axis=1)
        return lambda point: np.einsum(
            "mn,mnd->md", loss.slope(features @ point, rewards) / loss.weight, features
        )


@dataclass(frozen=True)
class FedGLBUCB(optimism.Synchronised):
    """Upper confidence bounds for generalised linear rewards (FedGLB-UCB). delta: the probability that any confidence
    set ever fails, by default 1 over the steps of all agents. threshold: agents communicate when (steps since the last
    exchange) x (growth of ln det of an agent's Gram matrix) exceeds it; by default as in the paper."""

    name: ClassVar[str] = "fedglb_ucb"
    paper: ClassVar[str] = "Li and Wang 2022b"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    norm: ClassVar[float] = 1 + TOLERANCE
    exchange: ClassVar[type[optimism.Exchange]] = Descent
    links: ClassVar[bool] = True

    def reach(self, beliefs: optimism.Beliefs, sizes: Sizes) -> np.ndarray:
        if sizes.loss is None:
            return super().reach(beliefs, sizes)
        noise = optimism.radius(beliefs.log_det, self.level(sizes), TOLERANCE)
        return np.asarray(sizes.loss.radius + noise / slopes(sizes.loss)[0])

    def usual(self, sizes: Sizes) -> float:
        return sizes.horizon / (sizes.dimension * sizes.agents * math.log(max(sizes.steps, 2)))

    def numbers_at_most(self, sizes: Sizes) -> float:
        d = sizes.dimension
        rounds = math.sqrt(_condition(sizes)) * _logarithm(sizes) + (1 if sizes.loss is None else 2)
        calls = optimism.synchronisations(d, sizes, self.limit(sizes))
        return calls * 2 * sizes.agents * (d * (d + 1) / 2 + d * rounds)


def slopes(loss: Loss | None) -> tuple[float, float]:
    """Return the least and the largest slope of the loss's link function; (1, 1) for linear rewards (None)."""
    if loss is None:
        return 1.0, 1.0
    least, largest = loss.curvatures
    return least / loss.weight, largest / loss.weight


def _condition(sizes: Sizes) -> float:
    least, largest = slopes(sizes.loss)
    return largest / least * (1 + sizes.steps)


def _logarithm(sizes: Sizes) -> float:
    factor, power = (8, 2) if sizes.loss is None else (81, 3)
    return math.log(factor * _condition(sizes) ** power * sizes.steps / TOLERANCE**2)
