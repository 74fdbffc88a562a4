"""FedRes.SGD with epsilon-greedy (Agarwal, Langford and Wei 2020, arXiv:2003.12880): federated residual learning.

The prediction is that of a shared model, with d_g coordinates, plus an agent's own correction, the residual. At step
t an agent explores with probability t^{-1/3}, else plays the best arm. It takes a gradient step on its residual
after every reward. After every `period` steps all M agents send the mean gradient of the shared model (d_g numbers),
and the server takes a step and sends the model back.

The paper proves rates for the loss of the joint model but no regret bound, so no event is checked here. A run of T
steps sends exactly 2 M d_g floor(T/period) numbers.

Simplified: linear models, squared loss, one local step for each reward, decreasing step sizes.
"""

# Checked: that clients keep personal models next to a shared one of the server, against the abstract. That it plays
# epsilon-greedy is as this paper's tab:summary prints it; the probability t^{-1/3} and the step sizes are ours. No
# public program was found.

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bounds.errors import InputError
from fedigw.game import Game, Sizes, System
from fedigw_extensions.rivals.optimism import chosen


@dataclass(frozen=True)
class FedResSGD(System):
    """Epsilon-greedy on a shared model plus each agent's own correction (FedRes.SGD). period: steps between two
    rounds of communication. step_size: the size of an agent's first gradient steps on its own coordinates; later
    steps are shorter."""

    period: int = 16
    step_size: float = 0.5
    name: ClassVar[str] = "fedres_sgd"
    paper: ClassVar[str] = "Agarwal et al. 2020"

    def __post_init__(self) -> None:
        if self.period < 1:
            raise InputError("period", self.period, "must be a positive integer")
        if not 0 < self.step_size <= 1:
            raise InputError("step_size", self.step_size, "must be a number above 0, at most 1")

    def play(self, game: Game) -> np.ndarray:
        R, M, d, g = game.replications, game.agents, game.dimension, game.sizes.shared
        shared, own = np.zeros((R, g)), np.zeros((R, M, d - g))
        gradient = np.zeros((R, M, g))
        rounds = 0
        for t, (features, pull) in enumerate(game.steps(), 1):
            scores = (features[..., :g] @ shared[:, None, :, None])[..., 0]
            scores = scores + (features[..., g:] @ own[..., None])[..., 0]
            random = game.rng.random((R, M)) < t ** (-1 / 3)
            arms = np.where(random, game.rng.integers(game.arms_of, size=(R, M)), np.argmax(scores, axis=-1))
            rewards = pull(arms)
            phi = chosen(features, arms)
            error = np.take_along_axis(scores, arms[..., None], axis=-1)[..., 0] - rewards
            own -= self.step_size / math.sqrt(1 + t / 100) * error[..., None] * phi[..., g:]
            gradient += error[..., None] * phi[..., :g] / self.period
            if t % self.period == 0:
                rounds += 1
                size = 1 / (2 * math.sqrt(1 + rounds / 100))
                for r, line in enumerate(game.lines):
                    line.begin_round()
                    mean = line.mean("gradient", gradient[r], (g,))
                    shared[r] = line.broadcast("model", shared[r] - size * mean, (g,))
                gradient[:] = 0
        return np.ones(0, dtype=bool)

    def numbers_at_most(self, sizes: Sizes) -> float:
        return 2 * sizes.agents * sizes.shared * (sizes.horizon // self.period)
