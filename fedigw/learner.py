"""Let agents learn one by one, after every step, without any message. Learners from other libraries have this form."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from fedigw.game import Game, Sizes, System


class Learner(System):
    """Base class of rival algorithms that consist of independent learners, one per agent. Derive a frozen dataclass and
    define fresh(sizes, seed). The object that it returns has two methods: choose(features) returns an arm for features
    of shape (K, d), and learn(features, arm, reward) learns from one step."""

    paper: ClassVar[str] = "your own"
    alone: ClassVar[bool] = True

    @abstractmethod
    def fresh(self, sizes: Sizes, seed: int) -> Any:
        """Return a new learner for one agent, with the methods choose(features) and learn(features, arm, reward)."""

    def play(self, game: Game) -> np.ndarray:
        learners = [self.fresh(game.sizes, int(game.rng.integers(2**31))) for _ in range(game.agents)]
        for features, pull in game.steps():
            who = np.flatnonzero(game.acting)
            arms = np.zeros((1, game.agents), dtype=int)
            for m in who:
                arms[0, m] = self._arm(learners[m].choose(features[0, m, : game.arms_of[m]]), game.arms_of[m])
            rewards = pull(arms)
            for m in who:
                arm = int(arms[0, m])
                learners[m].learn(features[0, m, : game.arms_of[m]], arm, float(rewards[0, m]))
        return np.zeros(0, dtype=bool)

    def _arm(self, arm: Any, arms: int) -> int:
        if not 0 <= int(arm) < arms:
            raise ValueError(f"choose returned {arm!r:.40}, must be an arm from 0 to {arms - 1}")
        return int(arm)

    def numbers_at_most(self, sizes: Sizes) -> float:
        return 0.0
