"""FN-UCB (Dai, Shu, Verma, Fan, Low and Jaillet 2023, ICLR, arXiv:2205.14309): neural UCB by shared tangent features.

Let g(x) be the gradient of a network at its first weights, p numbers. A wide network trained from there is nearly
linear in g (the neural tangent kernel). So every agent plays upper confidence bounds of ridge regression on g, with
all shared data and its own. Let V be an agent's p x p covariance matrix and t_last the step of the last exchange. When
(t - t_last) ln(det V_now/det V_last) > D for some agent, all upload their new data (p x p and p numbers) and download
the sum.

The network is f(x) = sum_h v_h relu(w_h'x)/sqrt(width) with v_h = +-1, and hidden units come in pairs w, -w of norm 1.
So the mean reward phi'omega* of an arm with feature phi is exactly linear in g(phi), with a parameter of norm at most
2, and norm(g) <= norm(phi). The confidence set therefore holds for a finite network, not only in the limit.

The paper (M agents, T steps): regret O~(d~ sqrt(MT)) with the effective dimension d~ of the tangent kernel, O~(d~
sqrt M) rounds.

Simplified: only the first of the paper's two confidence bounds, for which agents share statistics. The second, of
networks that are trained and averaged, has a weight that grows from 0 over the run; the stand-in for FN-UCB in
FedIGW's experiments has both (fedigw_extensions/neural/figures/ntk.py).
"""

# Proved for this program: as in DisLinUCB there are at most 2 sqrt(TR/D) + 1 exchanges, R = p ln(1 + MT/p), each of
# 2M(p(p+1)/2 + p) numbers, with D = T ln(MT)/(dM).
#
# Checked: the trigger with its factor t - t_last, the sums that are sent, ridge regression on the gradient at the first
# weights and its width, against the authors' program (daizhongxiang/Federated-Neural-Bandits on GitHub, run_fn_ucb.py;
# it replaces the determinant by the product of the diagonal); sub-linear regret and rounds against the abstract. From
# memory: the orders in d~.

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes
from fedigw_extensions.rivals.optimism import Synchronised


@dataclass(frozen=True)
class FNUCB(Synchronised):
    """Upper confidence bounds on the tangent features of a network (FN-UCB). width: the number of hidden units, which
    is even. delta: the probability that any confidence set ever fails, by default 1 over the steps of all agents. seed:
    draws the first weights, the same for all agents. threshold: agents communicate when (steps since the last exchange)
    x (growth of ln det of an agent's Gram matrix) exceeds it."""

    width: int = 4
    seed: int = 0
    name: ClassVar[str] = "fn_ucb"
    paper: ClassVar[str] = "Dai et al. 2023"
    regret_order: ClassVar[str] = "d sqrt(MT)"
    event: ClassVar[str] = "every confidence set held the parameter behind the rewards at all times"
    norm: ClassVar[float] = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width < 2 or self.width % 2:
            allowed = "must be an even positive integer: hidden units come in pairs"
            raise InputError("width", self.width, allowed)
        if self.seed < 0:
            raise InputError("seed", self.seed, "must be a non-negative integer")

    def features(self, features: np.ndarray) -> np.ndarray:
        return tangent_features(self.first(features.shape[-1]), features)

    def truth(self, game: Game) -> np.ndarray:
        return behind(self.first(game.dimension), game.world.truth(0))

    def widest(self, sizes: Sizes) -> int:
        return self.width * (sizes.dimension + 1)

    def first(self, dimension: int) -> np.ndarray:
        """Return the first weights, pairs of unit vectors w and -w, shape (width, d)."""
        drawn = np.random.default_rng(self.seed).standard_normal((self.width // 2, dimension))
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        return np.stack([drawn, -drawn], axis=1).reshape(self.width, dimension)


def tangent_features(weights: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return the gradient of the network at features (..., d) in all its weights, up to signs, shape (..., width (d +
    1)). Ridge regression learns from it. Its norm is at most that of the features."""
    raw = features @ weights.T
    inner = (raw > 0)[..., None] * features[..., None, :]
    both = np.concatenate([inner.reshape(*raw.shape[:-1], -1), np.maximum(raw, 0)], axis=-1)
    return np.asarray(both / math.sqrt(len(weights)))


def behind(weights: np.ndarray, parameter: np.ndarray) -> np.ndarray:
    """Return the parameter (p,) whose inner product with the tangent features of x is parameter'x, for almost every x.
    Such a parameter exists because one hidden unit of each pair w, -w is active."""
    scale = 2 / math.sqrt(len(weights))
    return np.concatenate([np.tile(parameter * scale, len(weights)), np.zeros(len(weights))])
